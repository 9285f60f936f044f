import type { Action, FormState } from './state';
import { useTexts } from './texts';

/** Opens the list of earlier prompts; nothing without any. */
export function EarlierPrompts(props: {
  readonly state: Pick<FormState, 'prompts'>;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useTexts();
  if (props.state.prompts.length === 0) return null;
  return (
    <button
      type="button"
      class="link earlier"
      title={texts.say('earlierPromptsHelp')}
      onClick={() => props.dispatch({ type: 'asked', ask: { type: 'pickPrompt' } })}
    >
      {texts.say('earlierPrompts')}
    </button>
  );
}

/** Up and Down Arrow at the very start of a prompt bring back others; the caret stays there. */
export function recallByKey(event: KeyboardEvent, dispatch: (action: Action) => void): void {
  const { target: box, key } = event;
  const isText = box instanceof HTMLTextAreaElement || box instanceof HTMLInputElement;
  const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !event.isComposing;
  if (!isText || !isPlain || box.selectionStart !== 0 || box.selectionEnd !== 0) return;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return;
  const before = box.value;
  dispatch({ type: 'recalled', way: key === 'ArrowUp' ? 'back' : 'forward' });
  if (box.value === before) return;
  event.preventDefault();
  box.setSelectionRange(0, 0);
}
