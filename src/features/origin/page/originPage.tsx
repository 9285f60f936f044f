import { useState } from 'preact/hooks';
import type { OriginAction, OriginFact, OriginStrings, OriginView, ToOrigin } from './originMessages';
import { ButtonBar } from '../../../editor/page/controls';
import { Icon, type IconName } from '../../../editor/page/icon';
import type { Words } from '../../../editor/page/words';

interface Props {
  readonly texts: Words<keyof OriginStrings>;
  readonly act: (action: OriginAction) => void;
}

/** How a file was made: its image on the left, the facts on the right. */
export function OriginPage(props: Props & { readonly seen: Exclude<ToOrigin, { type: 'strings' }> | undefined }) {
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
        <Face key={props.origin.picture?.address} {...props} />
      </div>
      <div class="known">
        <header>
          <h1>{name}</h1>
          <p class="path">{path}</p>
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
  told: 'info',
};

function Face({ origin, texts, act }: OriginProps) {
  const { picture, answer, name } = origin;
  const [isMissing, setMissing] = useState(false);
  if (answer) {
    return (
      <p class="answer" role="region" aria-label={answer.title} tabIndex={0}>
        {answer.text}
      </p>
    );
  }
  if (picture?.address === undefined || isMissing) {
    return (
      <div class="card">
        <Icon name={picture ? 'file-media' : 'file'} />
        <p>{texts.say(picture ? 'gone' : 'noPicture')}</p>
      </div>
    );
  }
  const label = texts.say('openFile', name);
  return (
    <button type="button" class="picture" title={label} aria-label={label} onClick={() => act('openFile')}>
      <img src={picture.address} alt="" onError={() => setMissing(true)} />
    </button>
  );
}

const buttonIcons = { renderAgain: 'sync', openInForm: 'edit', copyPrompt: 'quote', copyAsText: 'copy' } as const;

function Actions({ origin, texts, act }: OriginProps) {
  const offered = origin.actions.filter((action) => action !== 'openFile');
  return (
    <ButtonBar class="actions" aria-label={texts.say('actions')}>
      {offered.map((action, index) => (
        <button
          key={action}
          type="button"
          class={`vscode-button${index === 0 && action === 'renderAgain' ? '' : ' secondary'}`}
          onClick={() => act(action)}
        >
          <Icon name={buttonIcons[action]} />
          {texts.say(action)}
        </button>
      ))}
    </ButtonBar>
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
