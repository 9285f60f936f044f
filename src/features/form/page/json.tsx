import { useTexts } from './texts';
import { isTyping, placeholderOf, shared, textOf, type ControlProps } from './control';

/** A field of an unknown type: text, or JSON. */
export function JsonControl(props: ControlProps) {
  const texts = useTexts();
  const isJson = typeof props.value === 'object';
  const text = textOf(props.value);
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
