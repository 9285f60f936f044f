import { render } from 'preact';
import type { FromForm, KeptForm } from '../../../editor/formRequests';
import type { ToForm } from './formMessages';
import { announcement, heard } from './announce';
import { FormView } from './formView';
import { emptyState, isEdit, reduce, type Action, type FormState, type Values } from './state';
import type { Painting } from './maskStrokes';
import { Texts } from './texts';

/** The host reads the values only: what is painted is for this page, when it's shown again. */
type KeptPage = KeptForm & { readonly painting?: Painting | undefined };

declare function acquireVsCodeApi(): {
  postMessage(message: FromForm): void;
  setState(state: KeptPage): void;
  getState(): KeptPage | undefined;
};

const editor = acquireVsCodeApi();
const place = document.getElementById('root');
let state: FormState = { ...emptyState, painting: editor.getState()?.painting };
let announced = '';
let isShowing = false;

/** The only way to change the form: updates the state, tells the host, and renders. */
function dispatch(action: Action): void {
  const before = state;
  state = reduce(before, action);
  if (state === before) return;
  tellHost(before, action);
  announced = heard(announced, announcedAfter(before));
  show();
}

function tellHost(before: FormState, action: Action): void {
  const { values, revision, model, ordering, usedIntent: intent, style, variants, painting } = state;
  if (model && values && (values !== before.values || painting !== before.painting)) keep(model.id, values);
  if (values && isEdit(before, state, action)) {
    const typing = action.type === 'recalled' || (action.type === 'edited' && action.typing === true);
    editor.postMessage({ type: 'edit', revision, values: [...values], typing });
  }
  if (action.type === 'received') return;
  if (action.type === 'counted') editor.postMessage({ type: 'variants', count: action.count });
  else if (variants && variants.varied !== before.variants?.varied) {
    editor.postMessage({ type: 'vary', varied: variants.varied });
  }
  if (action.type === 'styled') editor.postMessage({ type: 'style', id: action.id });
  if (action.type === 'asked') editor.postMessage({ ...action.ask, request: state.request });
  if (ordering !== undefined && ordering !== before.ordering && intent !== undefined) {
    editor.postMessage({ type: 'render', request: ordering, revision, intent, style: style?.version });
  }
}

function keep(modelId: string, values: Values): void {
  editor.setState({ modelId, values: [...values], at: Date.now(), painting: state.painting });
}

function announcedAfter(before: FormState): string | undefined {
  return (
    state.texts && announcement(before, state, new Texts(state.texts.strings, state.texts.locale, state.texts.actions))
  );
}

/** A focused control that goes away reports that it was left while the form is being shown: then it's shown again. */
function show(): void {
  if (!place || isShowing) return;
  isShowing = true;
  for (let shown: FormState | undefined; shown !== state;) {
    shown = state;
    render(<FormView state={state} announcement={announced} dispatch={dispatch} />, place);
  }
  isShowing = false;
}

window.addEventListener('message', ({ data }: MessageEvent<ToForm>) => dispatch({ type: 'received', message: data }));
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  event.preventDefault();
  dispatch({ type: 'renderPressed' });
});
editor.postMessage({ type: 'ready' });
