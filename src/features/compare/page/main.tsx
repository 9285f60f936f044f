import { render } from 'preact';
import type { FromCompare } from '../model/compareConversation';
import type { KeptCompare, ToCompare } from './compareMessages';
import { CompareView } from './compareView';
import { type Action, initialComparison, keptComparisonOf, reduce } from './state';

declare function acquireVsCodeApi(): {
  postMessage(message: FromCompare): void;
  setState(state: KeptCompare): void;
  getState(): KeptCompare | undefined;
};

const editor = acquireVsCodeApi();
const place = document.getElementById('root');
let state = initialComparison(editor.getState());

/** The only way to change the comparison: updates the state, tells the host, and renders. */
function dispatch(action: Action): void {
  if (action.type === 'decided')
    editor.postMessage({ type: 'decide', decision: action.decision, selected: [...state.selected] });
  if (action.type === 'edited') editor.postMessage({ type: 'edit', index: action.index });
  const before = state;
  state = reduce(before, action);
  if (state === before) return;
  const kept = keptComparisonOf(state);
  if (kept) editor.setState(kept);
  if (place) render(<CompareView state={state} dispatch={dispatch} />, place);
}

window.addEventListener('message', ({ data }: MessageEvent<ToCompare>) =>
  dispatch({ type: 'received', message: data }),
);
editor.postMessage({ type: 'ready' });
