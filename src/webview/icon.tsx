/** The codicons our pages show; `media/icons.css` brings the same ones. */
export const iconNames = [
  'check',
  'chevron-down',
  'chevron-right',
  'circle',
  'clear-all',
  'close',
  'cloud-download',
  'copy',
  'discard',
  'edit',
  'error',
  'file',
  'file-media',
  'folder-opened',
  'go-to-file',
  'info',
  'link',
  'loading',
  'note',
  'play',
  'question',
  'refresh',
  'save-as',
  'screen-full',
  'search',
  'send',
  'sparkle',
  'split-horizontal',
  'sync',
  'trash',
  'warning',
  'zoom-in',
  'zoom-out',
] as const;

export type IconName = (typeof iconNames)[number];

/** A codicon beside words: it says nothing of its own to a screen reader. */
export function Icon(props: { readonly name: IconName; readonly spin?: boolean }) {
  return (
    <span class={`codicon codicon-${props.name}${props.spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}
