import { render } from 'preact';
import type { FromSend, SendQuestion } from './sendMessages';
import { SendPage } from './sendPage';

declare function acquireVsCodeApi(): { postMessage(message: FromSend): void };

const editor = acquireVsCodeApi();
const place = document.getElementById('root');

window.addEventListener('message', ({ data: asked }: MessageEvent<SendQuestion>) => {
  if (place)
    render(<SendPage asked={asked} answer={(answer) => editor.postMessage({ type: 'answer', answer })} />, place);
});
editor.postMessage({ type: 'ready' });
