import { Icon } from './icon';

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
