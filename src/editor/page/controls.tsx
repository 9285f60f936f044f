import type { ComponentProps } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon';
import { dragType } from './page';
import { Words } from './words';

/** A button with only an icon; its label is also its tooltip. */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  /** For one that stays pressed. */
  readonly pressed?: boolean;
  /** Does nothing now, but keeps the focus. */
  readonly disabled?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="vscode-action-button"
      title={props.label}
      aria-label={props.label}
      aria-pressed={props.pressed}
      aria-disabled={props.disabled}
      onClick={() => !props.disabled && props.onClick()}
    >
      <Icon name={props.icon} />
    </button>
  );
}

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

/**
 * Drags a result. Dropped on a document, it becomes a link, as from our view; on a field for images, an input. It has a
 * data type of our own, since the window of a remote host would take its URI for a file of this computer.
 */
export function dragFile({ dataTransfer }: DragEvent, uri: string): void {
  dataTransfer?.setData(dragType, uri);
}

/** One of a few options; its label is also its tooltip. */
export function Select<Value extends string>(props: {
  readonly label: string;
  readonly describedBy?: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <div class="vscode-select">
      <select
        aria-label={props.label}
        aria-describedby={props.describedBy}
        title={props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as Value)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <span class="chevron-icon">
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}

/** One action on renders, as a page shows it. */
export interface ActionView {
  readonly id: string;
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
  /** When a saved render has a button for it: while its file exists, when it's missing, or never; omitted: always. */
  readonly button?: 'there' | 'gone' | 'never';
}

/** Sent to a page once: its texts, the locale for money and numbers, and the actions on renders. */
export interface PageTexts<Strings> {
  readonly strings: Strings;
  readonly locale: string;
  readonly actions: readonly ActionView[];
}

/** The texts of a page with actions on renders. */
export class ActionWords<Key extends string> extends Words<Key> {
  private readonly byId: ReadonlyMap<string, ActionView>;

  constructor(strings: Readonly<Record<Key, string>>, locale: string, actions: readonly ActionView[]) {
    super(strings, locale);
    this.byId = new Map(actions.map((action) => [action.id, action]));
  }

  /** These actions, in the given order, leaving out those that the page doesn't know. */
  actions(ids: readonly string[]): ActionView[] {
    return ids.flatMap((id) => this.byId.get(id) ?? []);
  }

  /** The label of an action: what spends when it's pressed has its price (euro cents), as far as that's known. */
  priced({ id, label }: ActionView, againCents: number | undefined): string {
    return id === 'renderAgain' && againCents !== undefined ? `${label} · ${this.money(againCents)}` : label;
  }
}

/**
 * Focuses this control when the page opens, with the cursor at the end, but only once the page itself has the focus:
 * opening it must not take the focus from someone who is typing elsewhere. `isThere`: the control is in the page.
 */
export function useFirstFocus(control: () => HTMLElement | null | undefined, isThere = true): void {
  useEffect(() => {
    if (!isThere) return;
    const take = () => {
      if (document.activeElement !== document.body) return;
      const element = control();
      element?.focus({ preventScroll: true });
      if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length);
    };
    // Effects may run in the middle of a render, which a page that notes its focus would begin once more.
    if (document.hasFocus()) return queueMicrotask(take);
    window.addEventListener('focus', take, { once: true });
    return () => window.removeEventListener('focus', take);
  }, [isThere]);
}
