import { useState } from 'preact/hooks';
import { asWritten, withPoint } from '../../../base/numbers';
import { drawSeed, type Field, type FieldValue } from '../../../catalog/fields';
import { Icon } from '../../../editor/page/icon';
import { type ControlProps, isTyping, placeholderOf, shared, textOfValue } from './control';
import { useTexts } from './texts';

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

/** A field of an unknown type: text, or JSON. */
export function JsonControl(props: ControlProps) {
  const texts = useTexts();
  const isJson = typeof props.value === 'object';
  const text = textOfValue(props.value);
  const change = (next: string, json: boolean, typing = false) => props.onChange(json ? { json: next } : next, typing);
  return (
    <div class="json">
      <textarea
        {...shared(props)}
        class={`vscode-textarea${isJson ? ' monospace' : ''}`}
        rows={1}
        spellcheck={false}
        value={text}
        placeholder={placeholderOf(props.field)}
        onInput={(event) => change(event.currentTarget.value, isJson, isTyping(event))}
      />
      <button
        type="button"
        class="toggle"
        aria-pressed={isJson}
        aria-label={texts.say('valueIsJson', props.field.label)}
        title={texts.say('valueIsJson', props.field.label)}
        onClick={() => change(text, !isJson)}
      >
        {texts.say('useJson')}
      </button>
    </div>
  );
}

/** One line of text. */
export function TextControl(props: ControlProps) {
  return (
    <input
      {...shared(props)}
      type="text"
      class="vscode-textfield"
      spellcheck={false}
      value={textOfValue(props.value)}
      placeholder={placeholderOf(props.field)}
      onInput={(event) => props.onChange(event.currentTarget.value, isTyping(event))}
    />
  );
}

/** A color as text, and a swatch that picks one. */
export function ColorControl(props: ControlProps) {
  const texts = useTexts();
  const written = textOfValue(props.value) || placeholderOf(props.field) || '';
  const digits = hexDigits(written);
  // Written as the service writes its own: with the number sign, unless its default has none.
  const sign = hexDigits(placeholderOf(props.field) ?? '') && !placeholderOf(props.field)?.startsWith('#') ? '' : '#';
  return (
    <div class="color">
      <input
        type="color"
        class={digits === undefined ? 'none' : undefined}
        aria-label={texts.say('pickColor', props.field.label)}
        title={texts.say('pickColor', props.field.label)}
        value={`#${digits ?? '000000'}`}
        // A drag isn't complete until it rests.
        onInput={(event) => props.onChange(sign + event.currentTarget.value.slice(1), true)}
        onChange={(event) => props.onChange(sign + event.currentTarget.value.slice(1))}
      />
      <TextControl {...props} />
    </div>
  );
}

/** The six digits of a color such as `#f80`, `ff8800`, or `#ff8800cc`; undefined for any other text. */
export function hexDigits(text: string): string | undefined {
  const [, digits] = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return (digits.length < 6 ? digits.replace(/./g, '$&$&') : digits).slice(0, 6).toLowerCase();
}

/** Text of any length; the box grows with it. */
export function LongTextControl(props: ControlProps) {
  return (
    <textarea
      {...shared(props)}
      class="vscode-textarea"
      rows={3}
      value={textOfValue(props.value)}
      placeholder={placeholderOf(props.field)}
      onInput={(event) => props.onChange(event.currentTarget.value, isTyping(event))}
    />
  );
}

/** A number; with both limits also a slider. The box keeps what was typed, so that a wrong number can be corrected. */
export function NumberControl(props: ControlProps) {
  const { field } = props;
  if (!hasSlider(field)) return <NumberBox {...props} />;
  return (
    <div class="range">
      <Slider {...props} minimum={field.minimum} maximum={field.maximum} />
      <NumberBox {...props} />
    </div>
  );
}

/** True for a number with both limits. */
export function hasSlider(field: Field): field is Field & { readonly minimum: number; readonly maximum: number } {
  const { minimum, maximum } = field;
  return minimum !== undefined && maximum !== undefined && minimum < maximum;
}

/** Text with a numeric keyboard: `type=number` hides invalid input from us, and changes on scrolling. */
function NumberBox(props: ControlProps) {
  const { decimal } = useTexts();
  // As typed while typing, otherwise in the locale's format.
  const [typed, setTyped] = useState('');
  const value = textOfValue(props.value);
  const placeholder = placeholderOf(props.field);
  return (
    <input
      {...shared(props)}
      type="text"
      inputMode={props.field.kind === 'number' ? 'decimal' : 'numeric'}
      class="vscode-textfield number"
      autocomplete="off"
      value={withPoint(typed, decimal) === value ? typed : asWritten(value, decimal)}
      placeholder={placeholder && asWritten(placeholder, decimal)}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        props.onChange(withPoint(event.currentTarget.value, decimal), isTyping(event));
      }}
      onBlur={() => setTyped('')}
      onKeyDown={(event) => {
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (direction === 0) return;
        event.preventDefault();
        props.onChange(stepped(props, direction), event.repeat);
      }}
    />
  );
}

function Slider(props: ControlProps & { readonly minimum: number; readonly maximum: number }) {
  return (
    <input
      type="range"
      aria-labelledby={props.labelId}
      min={props.minimum}
      max={props.maximum}
      step={stepOf(props)}
      value={position(props)}
      style={{ '--filled': `${filled(props)}%` }}
      // A drag isn't complete until it rests.
      onInput={(event) => props.onChange(event.currentTarget.value, true)}
    />
  );
}

/** The part of the track left of the thumb, in percent. */
function filled(props: ControlProps & { readonly minimum: number; readonly maximum: number }): number {
  const share = (position(props) - props.minimum) / (props.maximum - props.minimum);
  return Math.round(100 * Math.min(1, Math.max(0, share)));
}

/** A field with a number. */
interface Numeric {
  readonly field: Field;
  readonly value: FieldValue;
}

/** The arrow keys move by one step within the limits. */
export function stepped(props: Numeric, direction: 1 | -1): string {
  const { minimum = -Infinity, maximum = Infinity } = props.field;
  const step = stepOf(props);
  const grid = Number.isFinite(minimum) ? minimum : 0;
  // Counted in whole steps from the grid, so that 0.1 three times is 0.3.
  const steps = Math.round((position(props) - grid) / step) + direction;
  const next = Math.min(maximum, Math.max(minimum, grid + steps * step));
  return String(Number(next.toPrecision(12)));
}

function position({ field, value }: Numeric): number {
  for (const candidate of [value, field.default, field.minimum]) {
    const number = candidate === '' || typeof candidate === 'object' ? NaN : Number(candidate);
    if (Number.isFinite(number)) return number;
  }
  return 0;
}

function stepOf({ field }: { readonly field: Field }): number {
  if (field.step !== undefined && field.step > 0) return field.step;
  if (field.kind !== 'number') return 1;
  const span = (field.maximum ?? NaN) - (field.minimum ?? NaN);
  return Number.isFinite(span) && span > 0 ? 10 ** Math.floor(Math.log10(span / 20)) : 0.1;
}

/** A number that makes a result repeatable, with a button for a random one. */
export function SeedControl(props: ControlProps) {
  const texts = useTexts();
  const roll = texts.say('roll', props.field.label);
  return (
    <div class="seed">
      <input
        {...shared(props)}
        type="text"
        inputMode="numeric"
        class="vscode-textfield number"
        autocomplete="off"
        value={textOfValue(props.value)}
        placeholder={texts.say('randomSeed')}
        onInput={(event) => props.onChange(event.currentTarget.value, isTyping(event))}
      />
      <button
        type="button"
        class="vscode-action-button dice"
        aria-label={roll}
        title={roll}
        onClick={() => props.onChange(String(drawSeed(props.field, Math.random())))}
      >
        <Dice />
      </button>
    </div>
  );
}

/** Codicons have no dice. */
function Dice() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" fill="none" stroke="currentColor" />
      {[
        [5.5, 5.5],
        [10.5, 5.5],
        [8, 8],
        [5.5, 10.5],
        [10.5, 10.5],
      ].map(([x, y]) => (
        <circle cx={x} cy={y} r="1" fill="currentColor" />
      ))}
    </svg>
  );
}
