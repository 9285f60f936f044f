import { Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { shareDone } from '../../../base/numbers';
import { dragFile, IconButton } from '../../../editor/page/controls';
import { Icon, type IconName, iconNamed } from '../../../editor/page/icon';
import type { ExampleView, ResultView } from './formMessages';
import { type Action, type FormState, keepable, variantsOf } from './state';
import { type Texts, useTexts } from './texts';
import { useTimeSince } from './useTime';

/**
 * The results of the renders started in this form: the chosen one, or those of one press to choose from, and the others
 * as a strip.
 */
export function ResultList(props: {
  readonly state: FormState;
  readonly dispatch: (action: Action) => void;
  readonly onAction: (action: string, id: string) => void;
}) {
  const texts = useTexts();
  const { results, chosen } = props.state;
  const variants = variantsOf(props.state.results);
  const [first, ...others] = variants;
  // In the strip, the first of them stands for all.
  const single = results.filter((result) => !others.includes(result));
  const asked = results.find((result) => result.id === chosen) ?? results[0];
  const shown = asked && variants.includes(asked) ? first : asked;
  return (
    <section id="results" class={`results${shown ? '' : ' empty'}`} aria-labelledby="results-title">
      <h2 id="results-title">{texts.say('result')}</h2>
      {shown !== undefined && shown === first && <Variants {...props} variants={variants} />}
      {shown !== undefined && shown !== first && (
        <Result
          key={shown.id}
          result={shown}
          onAction={(action) => props.onAction(action, shown.id)}
          onMore={(cents) => props.dispatch({ type: 'asked', ask: { type: 'renderMore', id: shown.id, cents } })}
        />
      )}
      {shown === undefined && (
        <div class="frame empty">
          <Icon name="sparkle" />
          <p>{texts.say('resultPlace')}</p>
          <Examples
            examples={props.state.examples}
            onUse={(prompt) => props.dispatch({ type: 'exampleUsed', prompt })}
          />
        </div>
      )}
      {single.length > 1 && (
        <ul class="strip" aria-label={texts.say('earlierResults')}>
          {single.map((result) => (
            <li key={result.id}>
              <button
                type="button"
                aria-pressed={result === shown}
                aria-label={stripWords(result, texts)}
                title={stripWords(result, texts)}
                onClick={() => props.dispatch({ type: 'chosen', id: result.id })}
              >
                {result.image ? <img src={result.image} alt="" /> : <Icon name={iconOf(result)} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The images of one press, in their order, to keep some of them. */
function Variants(props: {
  readonly state: FormState;
  readonly variants: readonly ResultView[];
  readonly dispatch: (action: Action) => void;
  readonly onAction: (action: string, id: string) => void;
}) {
  const texts = useTexts();
  const { state, variants, dispatch } = props;
  const ids = keepable(variants).map(({ id }) => id);
  const kept = ids.filter((id) => state.keeps.has(id));
  const others = ids.filter((id) => !state.keeps.has(id));
  const canKeep = kept.length > 0 && others.length > 0;
  const costs = variants.map(({ costCents }) => costCents ?? NaN);
  const sum = costs.reduce((total, cents) => total + cents, 0);
  return (
    <div class="variants">
      <ul>
        {variants.map((result) => (
          <Variant
            key={result.id}
            result={result}
            isKept={ids.includes(result.id) ? state.keeps.has(result.id) : undefined}
            onToggle={() => dispatch({ type: 'keepToggled', id: result.id })}
            onAction={(action) => props.onAction(action, result.id)}
          />
        ))}
      </ul>
      <div class="decision">
        <button
          type="button"
          class="vscode-button secondary"
          title={texts.say('keepSelectedHelp')}
          // Not `disabled`: the button keeps the focus.
          aria-disabled={!canKeep}
          onClick={() => canKeep && dispatch({ type: 'asked', ask: { type: 'keepVariants', kept, others } })}
        >
          {canKeep ? texts.say('keepSome', kept.length, others.length) : texts.say('keepSelected')}
        </button>
        {!Number.isNaN(sum) && <p class="quiet">{texts.say('charged', texts.money(sum))}</p>}
      </div>
    </div>
  );
}

/** One of several images: a click opens it. `isKept`: undefined while that can't be decided. */
function Variant(props: {
  readonly result: ResultView;
  readonly isKept: boolean | undefined;
  readonly onToggle: () => void;
  readonly onAction: (action: string) => void;
}) {
  const texts = useTexts();
  const keepId = useId();
  const { result, isKept } = props;
  const caption = result.variant?.caption ?? '';
  return (
    <li class={`result ${result.stage}${result.isFailed ? ' failed' : ''}`} title={result.problem}>
      <Handle result={result} name={caption} onAction={props.onAction} />
      <div class="caption">
        <p title={caption}>{caption}</p>
        {isKept !== undefined && (
          <div class="vscode-checkbox keep">
            <input
              id={keepId}
              type="checkbox"
              aria-label={texts.say('keepOne', caption)}
              checked={isKept}
              onChange={props.onToggle}
            />
            <label for={keepId}>
              <span class="icon">{isKept && <Icon name="check" />}</span>
              <span class="text">{texts.say('keep')}</span>
            </label>
          </div>
        )}
      </div>
    </li>
  );
}

/** Prompts to start with, with the images that the model made of them; nothing without any. */
function Examples(props: { readonly examples: readonly ExampleView[]; readonly onUse: (prompt: string) => void }) {
  const texts = useTexts();
  const { examples } = props;
  if (examples.length === 0) return null;
  return (
    <>
      <p id="examples-title" class="hint">
        {texts.say('examples')}
      </p>
      <ul class="examples" aria-labelledby="examples-title">
        {examples.map((example) => (
          <li key={example.prompt}>
            <button type="button" title={example.prompt} onClick={() => props.onUse(example.prompt)}>
              {example.image !== undefined && <Thumbnail source={example.image} />}
              <span>{example.prompt}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** An image that can't be loaded is left out. */
function Thumbnail({ source }: { readonly source: string }) {
  const [missing, setMissing] = useState(false);
  return missing ? null : <img src={source} alt="" onError={() => setMissing(true)} />;
}

function Result(props: {
  readonly result: ResultView;
  readonly onAction: (action: string) => void;
  /** At this price in all, euro cents. */
  readonly onMore: (cents: number) => void;
}) {
  const texts = useTexts();
  const { result, onAction, onMore } = props;
  const { more } = result;
  // The image itself opens.
  const actions = texts.actions(result.actions).filter(({ id }) => id !== opening || result.image === undefined);
  const [small, large] = [true, false].map((isSmall) => actions.filter(({ id }) => smallActions.has(id) === isSmall));
  return (
    <article class={`result ${result.stage}${result.isFailed ? ' failed' : ''}`}>
      <Handle result={result} onAction={onAction} />
      <Facts result={result} />
      {actions.length > 0 && (
        <div class="actions">
          {large?.map((action) => (
            <Fragment key={action.id}>
              <button type="button" class="vscode-button secondary" onClick={() => onAction(action.id)}>
                <Icon name={iconNamed(action.icon)} />
                {texts.priced(action, result.againCents)}
              </button>
              {action.id === 'renderAgain' && more && (
                <button
                  type="button"
                  class="vscode-button secondary"
                  title={texts.say('renderMoreHelp', more.count)}
                  onClick={() => onMore(more.cents)}
                >
                  {texts.say('renderMore', more.count, texts.money(more.cents))}
                </button>
              )}
            </Fragment>
          ))}
          {small && small.length > 0 && (
            <div class="icons">
              {small.map(({ id, icon, label }) => (
                <IconButton key={id} icon={iconNamed(icon)} label={label} onClick={() => onAction(id)} />
              ))}
            </div>
          )}
        </div>
      )}
    </article>
  );
}

const opening = 'openResult';
/** Their icons say enough: they do something with the file, and cost nothing. */
const smallActions: ReadonlySet<string> = new Set(['revealResult', 'copyPath', 'copyLink', 'useAsInput']);

/** What a result shows. An image opens with a click, and becomes a link in the document that it's dragged to. */
function Handle(props: {
  readonly result: ResultView;
  /** Which of several it is. */
  readonly name?: string;
  readonly onAction: (action: string) => void;
}) {
  const texts = useTexts();
  const { result, name } = props;
  const [open] = texts.actions(result.actions.filter((id) => id === opening));
  const body = <Body result={result} />;
  if (!open || result.image === undefined) return body;
  return (
    <button
      type="button"
      class="open"
      title={result.file ? texts.say('resultHandle', open.label) : open.label}
      aria-label={name === undefined ? open.label : `${open.label}: ${name}`}
      aria-description={result.alt}
      draggable={result.file !== undefined}
      onDragStart={(event) => result.file && dragFile(event, result.file.uri)}
      onClick={() => props.onAction(open.id)}
    >
      {body}
    </button>
  );
}

function Body({ result }: { readonly result: ResultView }) {
  if (result.stage === 'active') return <Progress result={result} />;
  if (result.image !== undefined) return <Image key={result.image} result={result} source={result.image} />;
  if (result.text !== undefined) return <Response result={result} text={result.text} />;
  return (
    <div class="frame">
      <Icon name={iconOf(result)} />
      <p>{result.file?.name ?? result.status}</p>
    </div>
  );
}

function Progress({ result }: { readonly result: ResultView }) {
  const texts = useTexts();
  // Counts on from the host's last figure.
  const since = useTimeSince(result.elapsedMs);
  const elapsed = result.elapsedMs === undefined ? undefined : result.elapsedMs + since;
  return (
    <div class="frame">
      <ProgressBar label={result.status} share={elapsed === undefined ? undefined : shareOf(elapsed, result.usualMs)} />
      <p>{result.status}</p>
      {elapsed !== undefined && <p class="quiet">{texts.progress(elapsed, result.usualMs)}</p>}
    </div>
  );
}

/** `share`: progress up to 1; undefined when unknown. */
function ProgressBar({ label, share }: { readonly label: string; readonly share: number | undefined }) {
  if (share === undefined) return <div class="progress" role="progressbar" aria-label={label} />;
  const percent = Math.floor(100 * share);
  return (
    <div class="progress known" role="progressbar" aria-label={label} aria-valuenow={percent}>
      <div style={{ width: `${100 * share}%` }} />
    </div>
  );
}

function shareOf(elapsedMs: number, usualMs: number | undefined): number | undefined {
  return usualMs === undefined ? undefined : shareDone(elapsedMs, usualMs);
}

function Image({ result, source }: { readonly result: ResultView; readonly source: string }) {
  const texts = useTexts();
  const [missing, setMissing] = useState(false);
  if (missing) {
    return (
      <div class="frame">
        <Icon name="file-media" />
        <p>{texts.say('imageMissing')}</p>
      </div>
    );
  }
  return (
    <div class="view">
      <img class="picture" src={source} alt={result.alt ?? ''} draggable={false} onError={() => setMissing(true)} />
    </div>
  );
}

function Response({ result, text }: { readonly result: ResultView; readonly text: string }) {
  const texts = useTexts();
  return (
    <div class="answer" tabIndex={0} role="group" aria-label={texts.say('response')}>
      {text}
      {result.textCut && <p class="quiet">{texts.say('textCut')}</p>}
    </div>
  );
}

function Facts({ result }: { readonly result: ResultView }) {
  const texts = useTexts();
  return (
    <>
      {(result.isStaged || result.isUnplaced) && <p class="facts waits">{result.status}</p>}
      {result.file && (
        <p class="facts">
          <span class="file">{result.file.name}</span>
          {result.file.bytes !== undefined && <span class="quiet">{texts.size(result.file.bytes)}</span>}
        </p>
      )}
      {result.stage !== 'active' && chargeWords(result, texts) !== undefined && (
        <p class={isDifferent(result) ? 'charge different' : 'charge quiet'}>
          {isDifferent(result) && <Icon name="warning" />}
          {chargeWords(result, texts)}
        </p>
      )}
      {result.problem !== undefined && (
        <p class="problem">
          <Icon name={result.isFailed ? 'error' : 'warning'} />
          <span>{result.problem}</span>
        </p>
      )}
    </>
  );
}

function iconOf(result: ResultView): IconName {
  if (result.stage === 'active') return 'loading';
  if (result.stage === 'ended') return result.isFailed ? 'error' : 'warning';
  return result.text === undefined ? 'file-media' : 'note';
}

function stripWords(result: ResultView, texts: Texts): string {
  const charge = result.stage === 'active' ? undefined : chargeWords(result, texts);
  return [result.file?.name ?? result.status, charge].filter(Boolean).join(', ');
}

/** The amount that the service reports as charged, with the quoted price if it differs. */
export function chargeWords(result: ResultView, texts: Texts): string | undefined {
  if (result.costCents === undefined) return result.stage === 'done' ? texts.say('chargeNotStated') : undefined;
  return isDifferent(result)
    ? texts.say('chargedOther', texts.money(result.costCents), texts.money(result.shownCents ?? 0))
    : texts.say('charged', texts.money(result.costCents));
}

/** True when the service's charge differs from the price on the button. */
function isDifferent({ costCents, shownCents }: ResultView): boolean {
  return costCents !== undefined && shownCents !== undefined && costCents !== shownCents;
}
