import { render } from 'preact';
import type { FromSpend } from '../model/spendConversation';
import type { SpendReport, ToSpend } from './spendMessages';
import { SpendTexts, SpendView } from './spendView';

declare function acquireVsCodeApi(): { postMessage(message: FromSpend): void };

const editor = acquireVsCodeApi();
const place = document.getElementById('root');
let texts: SpendTexts | undefined;
let report: SpendReport | undefined;

function show(): void {
  const tell = (message: FromSpend) => editor.postMessage(message);
  if (place && texts) render(<SpendView texts={texts} report={report} tell={tell} />, place);
}

window.addEventListener('message', ({ data: message }: MessageEvent<ToSpend>) => {
  if (message.type === 'strings') texts = new SpendTexts(message.strings, message.locale);
  else report = message.report;
  show();
});
editor.postMessage({ type: 'ready' });
