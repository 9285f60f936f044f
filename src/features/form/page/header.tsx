import { Icon } from '../../../editor/page/icon';
import type { ModelView } from './formMessages';
import type { Action, FormState } from './state';
import { useTexts } from './texts';

/** Identifies the model. */
export function Header({ state, model }: { readonly state: FormState; readonly model: ModelView }) {
  const texts = useTexts();
  return (
    <header>
      <h1>{model.title}</h1>
      <p class="which">
        <span class="id">{model.id}</span>
        {state.sandbox && <span class="vscode-badge">{texts.say('sandbox')}</span>}
      </p>
      {model.description && <p class="description">{model.description}</p>}
    </header>
  );
}

/** Resets to the model's defaults: displayed next to its name, but last in the tab order. */
export function Reset({ state, dispatch }: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  const undo = state.before !== undefined;
  return (
    <button
      type="button"
      class="vscode-action-button reset"
      onClick={() => dispatch({ type: undo ? 'undo' : 'reset' })}
    >
      <Icon name={undo ? 'discard' : 'clear-all'} />
      <span class="label">{texts.say(undo ? 'undo' : 'reset')}</span>
    </button>
  );
}
