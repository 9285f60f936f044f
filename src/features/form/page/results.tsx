import { useState } from 'preact/hooks';
import { shareDone } from '../../../base/numbers';
import type { ActionView } from '../../../editor/page/controls';
import { Icon, type IconName, iconNamed } from '../../../editor/page/icon';
import type { ResultView } from './formMessages';
import type { Action, FormState } from './state';
import { type Texts, useTexts } from './texts';
import { useTimeSince } from './useTime';

/** The results of the renders started in this form: the chosen one, and the others as a strip. */
export function Results(props: {
  readonly state: FormState;
  readonly dispatch: (action: Action) => void;
  readonly onAction: (action: string, id: string) => void;
}) {
  const texts = useTexts();
  const { results, chosen } = props.state;
  const shown = results.find((result) => result.id === chosen) ?? results[0];
  return (
    <section id="results" class={`results${shown ? '' : ' empty'}`} aria-labelledby="results-title">
      <h2 id="results-title">{texts.say('result')}</h2>
      {shown ? (
        <Result key={shown.id} result={shown} onAction={(action) => props.onAction(action, shown.id)} />
      ) : (
        <div class="frame empty">
          <Icon name="sparkle" />
          <p>{texts.say('resultPlace')}</p>
        </div>
      )}
      {results.length > 1 && (
        <ul class="strip" aria-label={texts.say('earlierResults')}>
          {results.map((result) => (
            <li key={result.id}>
              <button
                type="button"
                aria-pressed={result === shown}
                aria-label={stripWords(result, texts)}
                title={stripWords(result, texts)}
                onClick={() => props.dispatch({ type: 'chosen', id: result.id })}
              >
                {result.picture ? <img src={result.picture} alt="" /> : <Icon name={iconOf(result)} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Result(props: { readonly result: ResultView; readonly onAction: (action: string) => void }) {
  const texts = useTexts();
  const { result } = props;
  return (
    <article class={`result ${result.stage}${result.isFailed ? ' failed' : ''}`}>
      <Body result={result} />
      <Facts result={result} />
      {result.actions.length > 0 && (
        <div class="actions">
          {texts.actions(result.actions).map((action) => (
            <ActionButton key={action.id} action={action} onClick={() => props.onAction(action.id)} />
          ))}
        </div>
      )}
    </article>
  );
}

function Body({ result }: { readonly result: ResultView }) {
  if (result.stage === 'active') return <Progress result={result} />;
  if (result.picture !== undefined) return <Picture key={result.picture} result={result} source={result.picture} />;
  if (result.text !== undefined) return <Answer result={result} text={result.text} />;
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

function Picture({ result, source }: { readonly result: ResultView; readonly source: string }) {
  const texts = useTexts();
  const [missing, setMissing] = useState(false);
  if (missing) {
    return (
      <div class="frame">
        <Icon name="file-media" />
        <p>{texts.say('pictureMissing')}</p>
      </div>
    );
  }
  return (
    <div class="view">
      <img class="picture" src={source} alt={result.alt ?? ''} onError={() => setMissing(true)} />
    </div>
  );
}

function Answer({ result, text }: { readonly result: ResultView; readonly text: string }) {
  const texts = useTexts();
  return (
    <div class="answer" tabIndex={0} role="group" aria-label={texts.say('answer')}>
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

function ActionButton({ action, onClick }: { readonly action: ActionView; readonly onClick: () => void }) {
  return (
    <button type="button" class="vscode-button secondary" onClick={onClick}>
      <Icon name={iconNamed(action.icon)} />
      {action.label}
    </button>
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
