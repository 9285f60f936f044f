import { useMemo } from 'preact/hooks';
import { Icon } from '../../../editor/page/icon';
import { Fields } from './fields';
import type { ModelView } from './formMessages';
import { droppedUri } from './image';
import { RenderBar } from './renderBar';
import { Results } from './results';
import type { Action, FormState } from './state';
import { Texts, TextsProvider, useTexts } from './texts';

/** The whole form, or why there is none. Shows nothing before the texts have arrived. */
export function FormView(props: {
  readonly state: FormState;
  readonly announcement: string;
  readonly dispatch: (action: Action) => void;
}) {
  const given = props.state.texts;
  const texts = useMemo(() => given && new Texts(given.strings, given.locale, given.actions), [given]);
  if (!texts) return null;
  return (
    <TextsProvider value={texts}>
      <Content {...props} />
      <p class="only-heard" role="status" aria-live="polite">
        {props.announcement}
      </p>
    </TextsProvider>
  );
}

function Content({ state, dispatch }: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  if (state.unavailable !== undefined) return <Unavailable problem={state.unavailable} dispatch={dispatch} />;
  if (!state.model || !state.values) {
    return (
      <main class="message">
        <Icon name="loading" spin />
        <p>{texts.say('loading')}</p>
      </main>
    );
  }
  const drop = (event: DragEvent) => {
    const uri = droppedUri(event.dataTransfer);
    if (uri === undefined) return;
    event.preventDefault();
    dispatch({ type: 'asked', ask: { type: 'openRecipe', uri } });
  };
  return (
    <main class="form" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div class="filled-in">
        <Header state={state} model={state.model} />
        <section class="inputs" aria-label={texts.say('inputs')}>
          <Fields state={state} fields={state.model.fields} dispatch={dispatch} />
        </section>
      </div>
      <Results
        state={state}
        dispatch={dispatch}
        onAction={(action, id) => dispatch({ type: 'asked', ask: { type: 'action', action, id } })}
      />
      <RenderBar
        state={state}
        onRender={() => dispatch({ type: 'renderPressed' })}
        onCount={(count) => dispatch({ type: 'counted', count })}
        onVary={() => dispatch({ type: 'varyingStarted' })}
        onAsk={(ask) => dispatch({ type: 'asked', ask })}
      />
      <Reset state={state} dispatch={dispatch} />
    </main>
  );
}

function Unavailable(props: { readonly problem: string; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  return (
    <main class="message">
      <Icon name="warning" />
      <h1>{texts.say('unavailable')}</h1>
      <p>{props.problem}</p>
      <button
        type="button"
        class="vscode-button secondary"
        onClick={() => props.dispatch({ type: 'asked', ask: { type: 'reload' } })}
      >
        {texts.say('tryAgain')}
      </button>
    </main>
  );
}

/** Identifies the model. */
function Header({ state, model }: { readonly state: FormState; readonly model: ModelView }) {
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
function Reset({ state, dispatch }: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
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
