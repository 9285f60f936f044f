import { render } from 'preact';
import type { FromGallery } from '../model/galleryConversation';
import type { KeptGallery, ToGallery } from './galleryMessages';
import { GalleryView } from './galleryView';
import { type Action, initialGallery, comparedIds, keptGalleryOf, reduce } from './state';

declare function acquireVsCodeApi(): {
  postMessage(message: FromGallery): void;
  setState(state: KeptGallery): void;
  getState(): KeptGallery | undefined;
};

const editor = acquireVsCodeApi();
const place = document.getElementById('root');
let state = initialGallery(editor.getState());

/** The only way to change the gallery: updates the state, tells the host, and renders. */
function dispatch(action: Action): void {
  if (action.type === 'asked') editor.postMessage({ type: 'action', action: action.action, id: action.id });
  const ids = action.type === 'compared' ? comparedIds(state) : undefined;
  if (ids) editor.postMessage({ type: 'compare', ids });
  if (action.type === 'removed') editor.postMessage({ type: 'remove', ids: [...action.ids] });
  if (action.type === 'shownLarge' || action.type === 'missed')
    editor.postMessage({ type: action.type, id: action.id });
  if (action.type === 'askedForOlder') editor.postMessage({ type: 'showOlder' });
  if (action.type === 'askedForAll') editor.postMessage({ type: 'showAll' });
  if (action.type === 'askedForModel') editor.postMessage({ type: 'openModel' });
  const before = state;
  state = reduce(before, action);
  if (state === before) return;
  if (action.type !== 'received') editor.setState(keptGalleryOf(state));
  show();
}

function show(): void {
  if (place) render(<GalleryView state={state} dispatch={dispatch} />, place);
}

window.addEventListener('message', ({ data }: MessageEvent<ToGallery>) =>
  dispatch({ type: 'received', message: data }),
);
editor.postMessage({ type: 'ready' });
