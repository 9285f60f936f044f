import type { ComponentProps } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * A toolbar of buttons as in the editor: one stop for Tab, with the arrow keys from button to button. The stop is the
 * button reached last; before that, the one that is pressed, or the first.
 */
export function ButtonBar({ children, ...rest }: Omit<ComponentProps<'div'>, 'ref' | 'role'>) {
  const bar = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number>();
  const buttons = () => [...(bar.current?.querySelectorAll('button') ?? [])];
  useLayoutEffect(() => {
    const all = buttons();
    const stop = reached ?? all.findIndex(({ ariaPressed }) => ariaPressed === 'true');
    const only = Math.max(0, Math.min(stop, all.length - 1));
    for (const [index, button] of all.entries()) button.tabIndex = index === only ? 0 : -1;
  });
  const press = (event: KeyboardEvent) => {
    const all = buttons();
    const to = movedIn(all.length, all.indexOf(document.activeElement as HTMLButtonElement), event.key);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[to]?.focus();
  };
  return (
    <div
      {...rest}
      ref={bar}
      role="toolbar"
      onKeyDown={press}
      onFocusIn={({ target }) => setReached(Math.max(0, buttons().indexOf(target as HTMLButtonElement)))}
    >
      {children}
    </div>
  );
}

/** The button a key leads to, from the one at `from` among `count`; undefined for other keys. */
function movedIn(count: number, from: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (from + 1) % count;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (from - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
