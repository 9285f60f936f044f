import { render } from 'preact';
import type { FromOrigin, KeptOrigin } from '../model/originView';
import type { OriginStrings, ToOrigin } from './originMessages';
import { Words } from '../../../editor/page/words';
import { OriginPage } from './originPage';

declare function acquireVsCodeApi(): {
  postMessage(message: FromOrigin): void;
  setState(state: KeptOrigin): void;
};

const editor = acquireVsCodeApi();
const place = document.getElementById('root');
let texts: Words<keyof OriginStrings> | undefined;
let seen: Exclude<ToOrigin, { type: 'strings' }> | undefined;

window.addEventListener('message', ({ data: message }: MessageEvent<ToOrigin>) => {
  if (message.type === 'strings') texts = new Words(message.strings, message.locale);
  else seen = message;
  if (message.type === 'origin') editor.setState({ file: message.origin.file, render: message.origin.render });
  if (place && texts)
    render(
      <OriginPage
        texts={texts}
        seen={seen}
        act={(action) => editor.postMessage({ type: 'act', action })}
        openRelative={(index) => editor.postMessage({ type: 'openRelative', index })}
      />,
      place,
    );
});
editor.postMessage({ type: 'ready' });
