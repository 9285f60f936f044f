import { render } from 'preact';
import type { FromOrigin, KeptOrigin } from '../model/originView';
import type { OriginStrings, ToOrigin, OriginAction, OriginFact, OriginView } from './originMessages';
import { Words } from '../../../editor/page/words';
import { useState } from 'preact/hooks';
import { ButtonBar } from '../../../editor/page/controls';
import { Icon, type IconName, Small } from '../../../editor/page/icon';

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

interface Props {
  readonly texts: Words<keyof OriginStrings>;
  readonly act: (action: OriginAction) => void;
  /** By its place among all. */
  readonly openRelative: (index: number) => void;
}

/** How a file was made: its image on the left, the facts on the right. */
function OriginPage(props: Props & { readonly seen: Exclude<ToOrigin, { type: 'strings' }> | undefined }) {
  const { seen, texts } = props;
  if (seen?.type !== 'origin') return <p class="message">{seen?.reason ?? texts.say('reading')}</p>;
  return <Origin {...props} origin={seen.origin} />;
}

interface OriginProps extends Props {
  readonly origin: OriginView;
}

function Origin(props: OriginProps) {
  const { name, path, introduction, standing, prompt, facts, inputs, more } = props.origin;
  return (
    <main class="origin">
      <div class="face">
        <Face key={props.origin.image?.address} {...props} />
      </div>
      <div class="known">
        <header>
          <h1>{name}</h1>
          {path !== undefined && <p class="path">{path}</p>}
        </header>
        <p class={`introduction ${standing}`}>
          <Icon name={standingIcons[standing]} />
          <span>{introduction}</span>
        </p>
        <Actions {...props} />
        {prompt && (
          <section>
            <h2>{prompt.title}</h2>
            <blockquote>{prompt.text}</blockquote>
          </section>
        )}
        <Relatives {...props} />
        <Facts facts={facts} />
        {inputs && (
          <section>
            <h2>{inputs.title}</h2>
            <Facts facts={inputs.facts} />
          </section>
        )}
        {more.map(({ title, facts }) => (
          <details key={title}>
            <summary>{title}</summary>
            <Facts facts={facts} />
          </details>
        ))}
      </div>
    </main>
  );
}

const standingIcons: Readonly<Record<OriginView['standing'], IconName>> = {
  proven: 'check',
  doubtful: 'warning',
  stated: 'info',
};

function Face({ origin, texts, act }: OriginProps) {
  const { image, response, name } = origin;
  const [isMissing, setMissing] = useState(false);
  if (response) {
    return (
      <p class="answer" role="region" aria-label={response.title} tabIndex={0}>
        {response.text}
      </p>
    );
  }
  if (image?.address === undefined || isMissing) {
    return (
      <div class="card">
        <Icon name={image ? 'file-media' : 'file'} />
        <p>{texts.say(image ? 'gone' : 'noImage')}</p>
      </div>
    );
  }
  return (
    <button
      type="button"
      class="picture"
      title={texts.say('openFile')}
      aria-label={name}
      onClick={() => act('openFile')}
    >
      <img src={image.address} alt="" onError={() => setMissing(true)} />
    </button>
  );
}

const buttonIcons = {
  openFile: 'go-to-file',
  copyPrompt: 'quote',
  copyAsText: 'copy',
  renderAgain: 'sync',
  openInForm: 'edit',
} as const;

function Actions({ origin: { actions, againCents }, texts, act }: OriginProps) {
  return (
    <ButtonBar class="actions" aria-label={texts.say('actions')}>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          class={`vscode-button${action === 'openFile' ? '' : ' secondary'}`}
          onClick={() => act(action)}
        >
          <Icon name={buttonIcons[action]} />
          {action === 'renderAgain' && againCents !== undefined
            ? texts.say('renderAgainFor', texts.money(againCents))
            : texts.say(action)}
        </button>
      ))}
    </ButtonBar>
  );
}

/** The images that this one came from, and those that came from it. */
function Relatives({ origin, openRelative }: OriginProps) {
  const { relatives } = origin;
  return (
    <>
      {relatives.map(({ title, images }, group) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul class="relatives">
            {images.map(({ name, address }, index) => {
              const before = relatives.slice(0, group).reduce((sum, { images }) => sum + images.length, 0);
              return (
                <li key={index}>
                  <button type="button" title={name} onClick={() => openRelative(before + index)}>
                    <Small address={address} />
                    <span>{name}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly OriginFact[] }) {
  return (
    <dl>
      {facts.map(({ label, text, detail }, index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>
            {text}
            {detail !== undefined && <span class="exact">{detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
