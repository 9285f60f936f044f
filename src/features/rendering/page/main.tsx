import { render } from 'preact';
import { type FromSend, type SendQuestion, type SendAnswer, sendAnswers } from './sendMessages';
import { useRef } from 'preact/hooks';
import { ButtonBar, useFirstFocus } from '../../../editor/page/controls';
import { Small } from '../../../editor/page/icon';

declare function acquireVsCodeApi(): { postMessage(message: FromSend): void };

const editor = acquireVsCodeApi();
const place = document.getElementById('root');

const give = (answer: SendAnswer) => editor.postMessage({ type: 'answer', answer });

window.addEventListener('message', ({ data: asked }: MessageEvent<SendQuestion>) => {
  if (place) render(<SendPage asked={asked} answer={give} />, place);
});
window.addEventListener('keydown', ({ key }) => key === 'Escape' && give('none'));
editor.postMessage({ type: 'ready' });

/** Asks which images may be sent. No button has the focus, so that no key meant for something else says yes. */
function SendPage(props: { readonly asked: SendQuestion; readonly answer: (answer: SendAnswer) => void }) {
  const { question, facts, images, explanation, answers, canAnswer } = props.asked;
  const title = useRef<HTMLHeadingElement>(null);
  useFirstFocus(() => title.current);
  return (
    <main class="send">
      <header>
        <h1 ref={title} tabIndex={-1}>
          {question}
        </h1>
        {facts.map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
      </header>
      <ul class={images.length === 1 ? 'only' : ''}>
        {images.map(({ path, size, address }) => (
          <li key={address}>
            <span class="picture">
              <Small address={address} />
            </span>
            <span class="path" title={path}>
              {path}
            </span>
            <span class="size">{size}</span>
          </li>
        ))}
      </ul>
      <footer>
        <ButtonBar aria-label={question}>
          {sendAnswers.map((answer) => (
            <button
              key={answer}
              type="button"
              class={`vscode-button${answer === 'these' ? '' : ' secondary'}`}
              aria-disabled={!canAnswer}
              onClick={() => props.answer(answer)}
            >
              {answers[answer]}
            </button>
          ))}
        </ButtonBar>
        <p>{explanation}</p>
      </footer>
    </main>
  );
}
