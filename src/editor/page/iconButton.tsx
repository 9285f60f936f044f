import { Icon, type IconName } from './icon';

/** A button with only an icon; its label is also its tooltip. */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
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
      aria-disabled={props.disabled}
      onClick={() => !props.disabled && props.onClick()}
    >
      <Icon name={props.icon} />
    </button>
  );
}
