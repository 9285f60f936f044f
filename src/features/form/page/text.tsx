import { isTyping, placeholderOf, shared, textOf, type ControlProps } from './control';

/** One line of text. */
export function TextControl(props: ControlProps) {
  return (
    <input
      {...shared(props)}
      type="text"
      class="vscode-textfield"
      spellcheck={false}
      value={textOf(props.value)}
      placeholder={placeholderOf(props.field)}
      onInput={(event) => props.onChange(event.currentTarget.value, isTyping(event))}
    />
  );
}

/** Text of any length; the box grows with it. */
export function LongTextControl(props: ControlProps) {
  return (
    <textarea
      {...shared(props)}
      class="vscode-textarea"
      rows={3}
      value={textOf(props.value)}
      placeholder={placeholderOf(props.field)}
      onInput={(event) => props.onChange(event.currentTarget.value, isTyping(event))}
    />
  );
}
