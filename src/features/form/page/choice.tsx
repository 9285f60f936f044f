import type { Choice, Field } from '../../../catalog/types';
import { Icon } from '../../../editor/page/icon';
import { useTexts } from './texts';
import { Combobox } from './combobox';
import { shared, textOf, type ControlProps } from './control';

/** The control for a field's options, by their number and length. */
export function choiceStyle(field: Field): 'tiles' | 'select' | 'combobox' {
  const choices = field.choices ?? [];
  if (choices.length > 15) return 'combobox';
  if (!field.required && field.default === undefined) return 'select';
  if (choices.every((choice) => ratioOf(choice) !== undefined)) return 'tiles';
  return choices.length <= 4 && choices.every((choice) => choice.label.length <= 14) ? 'tiles' : 'select';
}

/** One of several options. */
export function ChoiceControl(props: ControlProps) {
  switch (choiceStyle(props.field)) {
    case 'combobox':
      return <Combobox {...props} />;
    case 'select':
      return <Select {...props} />;
    case 'tiles':
      return <Tiles {...props} choices={props.field.choices ?? []} />;
  }
}

function Select(props: ControlProps) {
  const texts = useTexts();
  const choices = props.field.choices ?? [];
  const chosen = choices.findIndex((choice) => isChosen(choice, props));
  return (
    <div class="vscode-select">
      <select
        {...shared(props)}
        value={String(chosen)}
        onChange={(event) => props.onChange(choices[Number(event.currentTarget.value)]?.value ?? '')}
      >
        {(chosen < 0 || !props.field.required) && props.field.default === undefined && (
          <option value="-1">{props.field.required ? '' : texts.say('leftOut')}</option>
        )}
        {choices.map((choice, index) => (
          <option value={String(index)}>{choice.label}</option>
        ))}
      </select>
      <span class="chevron-icon">
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}

/** A few short options as radio buttons, with aspect ratios drawn. The group's label names them all. */
export function Tiles(props: ControlProps & { readonly choices: readonly Choice[] }) {
  const chosen = props.choices.findIndex((choice) => isChosen(choice, props));
  return (
    <div
      class="tiles"
      role="radiogroup"
      aria-labelledby={props.labelId}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid}
      aria-required={props.field.required}
    >
      {props.choices.map((choice, index) => (
        <label class="tile">
          <input
            type="radio"
            // A click on the label, and focusing the field, go to the first or selected one.
            id={index === Math.max(0, chosen) ? props.id : undefined}
            name={props.id}
            checked={index === chosen}
            onChange={() => props.onChange(choice.value)}
          />
          <Ratio ratio={ratioOf(choice)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}

function isChosen(choice: Choice, { value }: ControlProps): boolean {
  return choice.value === value || (value !== '' && String(choice.value) === textOf(value));
}

interface Proportion {
  readonly width: number;
  readonly height: number;
}

/** "16:9" as a proportion; undefined for anything else. */
export function ratioOf(choice: Choice): Proportion | undefined {
  const match = /^(\d{1,3}):(\d{1,3})$/.exec(String(choice.value));
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** A proportion, drawn. */
export function Ratio({ ratio }: { readonly ratio: Proportion | undefined }) {
  if (!ratio) return null;
  const scale = 14 / Math.max(ratio.width, ratio.height);
  const [width, height] = [ratio.width * scale, ratio.height * scale];
  return (
    <svg class="ratio" viewBox="0 0 16 16" aria-hidden="true">
      <rect x={8 - width / 2} y={8 - height / 2} width={width} height={height} rx="1" />
    </svg>
  );
}
