import { useState } from 'preact/hooks';

/** The codicons of our pages; `media/icons.css` has the same ones. */
export const iconNames = [
  'calendar',
  'check',
  'chevron-down',
  'chevron-right',
  'circle',
  'clear-all',
  'close',
  'cloud',
  'cloud-download',
  'color-mode',
  'copy',
  'discard',
  'edit',
  'ellipsis',
  'eraser',
  'error',
  'file',
  'file-media',
  'folder-opened',
  'git-compare',
  'go-to-file',
  'info',
  'lightbulb',
  'link',
  'loading',
  'lock',
  'note',
  'play',
  'question',
  'quote',
  'redo',
  'refresh',
  'save-as',
  'screen-full',
  'search',
  'send',
  'sparkle',
  'split-horizontal',
  'sync',
  'trash',
  'wand',
  'warning',
  'zoom-in',
  'zoom-out',
] as const;

export type IconName = (typeof iconNames)[number];

/** Narrows a name to an icon of our pages. */
export function iconNamed(name: string): IconName {
  return iconNames.find((known) => known === name) ?? 'circle';
}

/** A codicon next to text: hidden from screen readers. */
export function Icon(props: { readonly name: IconName; readonly spin?: boolean }) {
  return (
    <span class={`codicon codicon-${props.name}${props.spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}

/** A small image next to its name, or an icon for one that can't be loaded. */
export function Small({ address }: { readonly address: string | undefined }) {
  const [lost, setLost] = useState<string>();
  if (address === undefined || address === lost) return <Icon name="file-media" />;
  return (
    <img src={address} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setLost(address)} />
  );
}
