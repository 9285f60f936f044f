import { Icon } from '../icon';
import type { Action, FormState, ModelView } from './state';
import { useTexts } from './texts';

/** Which model this is, and the way back to its defaults. */
export function Header(props: {
  readonly state: FormState;
  readonly model: ModelView;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useTexts();
  const { state, model } = props;
  const undo = state.beforeReset !== undefined;
  return (
    <header>
      <div class="title">
        <h1>{model.title}</h1>
        <button
          type="button"
          class="vscode-action-button reset"
          onClick={() => props.dispatch({ type: undo ? 'undoReset' : 'reset' })}
        >
          <Icon name={undo ? 'discard' : 'clear-all'} />
          <span class="label">{texts.say(undo ? 'undoReset' : 'reset')}</span>
        </button>
      </div>
      <p class="which">
        <span class="id">{model.id}</span>
        {state.sandbox && <span class="vscode-badge">{texts.say('sandbox')}</span>}
      </p>
      {model.description && <p class="description">{model.description}</p>}
    </header>
  );
}
