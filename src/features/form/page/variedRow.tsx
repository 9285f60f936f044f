import type { FieldValue } from '../../../catalog/fields';
import type { Choice, Field } from '../../../catalog/types';
import type { VariantsView } from './formMessages';
import { Ratio, ratioOf } from './choice';
import { textOf } from './control';
import { Issue, yesOrNo } from './fieldRow';
import type { ShownIssue } from './state';
import { useTexts } from './texts';
import { takesMore, toggled, variedValues, type Value } from './varying';

/** In place of a field’s row: its options as check boxes, to select several. */
export function VariedRow(props: {
  readonly field: Field;
  readonly id: string;
  /** The field’s own, while it isn’t varied. */
  readonly value: FieldValue;
  readonly variants: VariantsView | undefined;
  readonly shown: ShownIssue;
  readonly onChange: (values: readonly Value[]) => void;
}) {
  const { field, id, shown, variants } = props;
  const texts = useTexts();
  const choices = field.kind === 'boolean' ? yesOrNo(texts) : (field.choices ?? []);
  const own = choices.filter(({ value }) => props.value !== '' && String(value) === textOf(props.value));
  const values = variedValues(variants, field.name) ?? own.map(({ value }) => value);
  const hasRoom = variants !== undefined && takesMore(variants, field.name);
  const parts = [field.help && `${id}-help`, shown && `${id}-issue`].filter(Boolean);
  return (
    <div class="field varied">
      <span id={`${id}-label`} class="vscode-label">
        {field.label}
        {field.required && (
          <span class="required" aria-hidden="true">
            {texts.say('required')}
          </span>
        )}
      </span>
      {field.help && (
        <p id={`${id}-help`} class="help">
          {field.help}
        </p>
      )}
      <div class="tiles" role="group" aria-labelledby={`${id}-label`} aria-describedby={parts.join(' ') || undefined}>
        {choices.map((choice, index) => (
          <Option
            key={index}
            id={index === 0 ? id : undefined}
            choice={choice}
            isChecked={values.includes(choice.value)}
            isStuck={isStuck(choice.value, values, hasRoom)}
            onChange={() => props.onChange(pressed(choice.value, values, hasRoom, choices))}
          />
        ))}
      </div>
      {shown && <Issue id={`${id}-issue`} shown={shown} />}
    </div>
  );
}

function Option(props: {
  readonly id: string | undefined;
  readonly choice: Choice;
  readonly isChecked: boolean;
  /** It can’t be changed now. */
  readonly isStuck: boolean;
  readonly onChange: () => void;
}) {
  const { choice, isChecked, isStuck } = props;
  return (
    <label class={isStuck && !isChecked ? 'tile stuck' : 'tile'}>
      <input
        type="checkbox"
        id={props.id}
        checked={isChecked}
        // Not `disabled`: it keeps the focus.
        aria-disabled={isStuck}
        onClick={(event) => isStuck && event.preventDefault()}
        onChange={() => !isStuck && props.onChange()}
      />
      <Ratio ratio={ratioOf(choice)} />
      <span>{choice.label}</span>
    </label>
  );
}

/** The last one stays; others are refused where there’s no room for more of several. */
function isStuck(value: Value, values: readonly Value[], hasRoom: boolean): boolean {
  return values.includes(value) ? values.length === 1 : values.length > 1 && !hasRoom;
}

/** Without room for a second one, another takes the place of the only one. */
function pressed(value: Value, values: readonly Value[], hasRoom: boolean, choices: readonly Choice[]) {
  return hasRoom || values.length > 1 ? toggled(values, value, choices) : [value];
}
