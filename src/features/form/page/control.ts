import type { Field, FieldValue } from '../../../catalog/fields';

/** The props of every control. Native attributes tie it to its label, help, and error. */
export interface ControlProps {
  readonly field: Field;
  readonly value: FieldValue;
  /** The ID of the element that takes the focus and that the label names. */
  readonly id: string;
  readonly labelId: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  /** `''` omits the field; `typing` while more may follow. */
  readonly onChange: (value: FieldValue, typing?: boolean) => void;
}

/** True for a key press while typing; a paste, a drop, or an undo is complete. */
export function isTyping(event: Event): boolean {
  return event instanceof InputEvent && /^(insert(Text|CompositionText|LineBreak)|delete)/.test(event.inputType);
}

/** The attributes every native control shares. */
export function shared(props: ControlProps) {
  return {
    id: props.id,
    'aria-describedby': props.describedBy,
    'aria-invalid': props.invalid,
    'aria-required': props.field.required,
  };
}

/** The value as text for a text box. */
export function textOfValue(value: FieldValue): string {
  if (typeof value !== 'object') return String(value);
  return 'json' in value ? value.json : '';
}

/** The model's default for an empty field. */
export function placeholderOf(field: Field): string | undefined {
  const value = field.default;
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
