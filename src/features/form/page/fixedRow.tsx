import type { FieldValue } from '../../../catalog/fields';
import type { Field } from '../../../catalog/types';
import { Icon } from '../../../editor/page/icon';
import { textOf } from './control';
import { Issue } from './fieldRow';
import type { ShownIssue } from './state';
import { useTexts, type Texts } from './texts';

/** In place of a field’s row: the value that the chosen style has for it, which a person can’t change here. */
export function FixedRow(props: {
  readonly field: Field;
  readonly id: string;
  readonly value: FieldValue;
  /** The style’s name. */
  readonly style: string;
  readonly shown: ShownIssue;
}) {
  const texts = useTexts();
  const { field, id, shown } = props;
  return (
    <div
      id={id}
      class="field fixed"
      // What leads to a field leads here.
      tabIndex={-1}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={shown && `${id}-issue`}
    >
      <span id={`${id}-label`} class="vscode-label">
        {field.label}
      </span>
      <p>{valueWords(field, props.value, texts)}</p>
      <p class="hint">
        <Icon name="lock" /> {texts.say('setByStyle', props.style)}
      </p>
      {shown && <Issue id={`${id}-issue`} shown={shown} />}
    </div>
  );
}

function valueWords(field: Field, value: FieldValue, texts: Texts): string {
  if (value === '') return texts.say('leftOut');
  if (typeof value === 'boolean') return texts.say(value ? 'yes' : 'no');
  return field.choices?.find((choice) => String(choice.value) === textOf(value))?.label ?? textOf(value);
}
