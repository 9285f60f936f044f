import { Icon } from '../../../editor/page/icon';
import { shared, type ControlProps } from './control';

/** A check box followed by the field's label. */
export function BooleanControl(props: ControlProps) {
  const checked = props.value === '' ? props.field.default === true : props.value === true;
  return (
    <div class="vscode-checkbox">
      <input
        {...shared(props)}
        aria-required={undefined}
        type="checkbox"
        checked={checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label id={props.labelId} for={props.id}>
        <span class="icon">{checked && <Icon name="check" />}</span>
        <span class="text">{props.field.label}</span>
      </label>
    </div>
  );
}
