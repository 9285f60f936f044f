import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countdownWords } from '../../../base/format';
import { Select } from '../../../editor/page/controls';
import { Icon, type IconName } from '../../../editor/page/icon';
import { buttonWords, noteWords } from './announce';
import { Fields } from './fields';
import type { ModelView, NamedFile, TargetLink, TargetView } from './formMessages';
import { droppedUris } from './image';
import { ResultList } from './results';
import { type Action, type Ask, canPress, type FormState, type Readiness, readinessOf, variantCount } from './state';
import { Texts, TextsProvider, useTexts } from './texts';
import { useTimeSince } from './useTime';

/** The whole form, or why there is none. Shows nothing before the texts have arrived. */
export function FormView(props: {
  readonly state: FormState;
  readonly announcement: string;
  readonly dispatch: (action: Action) => void;
}) {
  const given = props.state.texts;
  const texts = useMemo(() => given && new Texts(given.strings, given.locale, given.actions), [given]);
  if (!texts) return null;
  return (
    <TextsProvider value={texts}>
      <Content {...props} />
      <p class="only-heard" role="status" aria-live="polite">
        {props.announcement}
      </p>
    </TextsProvider>
  );
}

function Content({ state, dispatch }: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  const isOneColumn = useMedia('(max-width: 819px)');
  if (state.unavailable !== undefined) return <Unavailable problem={state.unavailable} dispatch={dispatch} />;
  if (!state.model || !state.values) {
    return (
      <main class="message">
        <Icon name="loading" spin />
        <p>{texts.say('loading')}</p>
      </main>
    );
  }
  const drop = (event: DragEvent) => {
    const [uri] = droppedUris(event.dataTransfer);
    if (uri === undefined) return;
    event.preventDefault();
    dispatch({ type: 'asked', ask: { type: 'openRecipe', uri } });
  };
  const results = (
    <ResultList
      state={state}
      dispatch={dispatch}
      onAction={(action, id) => dispatch({ type: 'asked', ask: { type: 'action', action, id } })}
    />
  );
  return (
    <main class="form" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div class="filled-in">
        <Header state={state} model={state.model} />
        <section class="inputs" aria-label={texts.say('inputs')}>
          <Fields
            state={state}
            fields={state.model.fields}
            dispatch={dispatch}
            results={isOneColumn ? results : undefined}
          />
        </section>
      </div>
      {!isOneColumn && results}
      <RenderBar
        state={state}
        onRender={() => dispatch({ type: 'renderPressed' })}
        onCount={(count) => dispatch({ type: 'counted', count })}
        onVary={() => dispatch({ type: 'varyingStarted' })}
        onAsk={(ask) => dispatch({ type: 'asked', ask })}
      />
      <Reset state={state} dispatch={dispatch} />
    </main>
  );
}

/** Whether the page matches a media query now. */
function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  const [matches, setMatches] = useState(media.matches);
  useLayoutEffect(() => {
    const follow = () => setMatches(media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [media]);
  return matches;
}

function Unavailable(props: { readonly problem: string; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  return (
    <main class="message">
      <Icon name="warning" />
      <h1>{texts.say('unavailable')}</h1>
      <p>{props.problem}</p>
      <button
        type="button"
        class="vscode-button secondary"
        onClick={() => props.dispatch({ type: 'asked', ask: { type: 'reload' } })}
      >
        {texts.say('tryAgain')}
      </button>
    </main>
  );
}

/** Identifies the model. */
function Header({ state, model }: { readonly state: FormState; readonly model: ModelView }) {
  const texts = useTexts();
  return (
    <header>
      <h1 title={model.id}>{model.title}</h1>
      {state.sandbox && (
        <p class="which">
          <span class="vscode-badge">{texts.say('sandbox')}</span>
        </p>
      )}
      {model.description && <p class="description">{model.description}</p>}
    </header>
  );
}

/** Resets to the model's defaults: displayed next to its name, but last in the tab order. */
function Reset({ state, dispatch }: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  const undo = state.before !== undefined;
  return (
    <button
      type="button"
      class="vscode-action-button reset"
      onClick={() => dispatch({ type: undo ? 'undo' : 'reset' })}
    >
      <Icon name={undo ? 'discard' : 'clear-all'} />
      <span class="label">{texts.say(undo ? 'undo' : 'reset')}</span>
    </button>
  );
}

/** Always visible: where the result goes, what it costs, and the button that spends. */
function RenderBar(props: {
  readonly state: FormState;
  readonly onRender: () => void;
  readonly onCount: (count: number) => void;
  /** The user wants several options of inputs. */
  readonly onVary: () => void;
  readonly onAsk: (ask: Ask) => void;
}) {
  const texts = useTexts();
  const { choices = [], canVary = false } = props.state.variants ?? {};
  const { varying } = props.state;
  const count = variantCount(props.state);
  const readiness = readinessOf(props.state);
  const waits = readiness.kind === 'asking' || readiness.kind === 'starting';
  return (
    <footer class="bar">
      {props.state.problem !== undefined && (
        <p class="issue">
          <Icon name="error" />
          <span>
            {props.state.problem}{' '}
            {props.state.remedy !== undefined && (
              <button type="button" class="link" onClick={() => props.onAsk({ type: 'remedy' })}>
                {props.state.remedy}
              </button>
            )}
          </span>
        </p>
      )}
      {props.state.target && <TargetRow target={props.state.target} onAsk={props.onAsk} />}
      {varying && <p class="hint">{texts.say('varyHelp')}</p>}
      <div class="order">
        <button
          type="button"
          class={props.state.offline ? 'vscode-button render offline' : 'vscode-button render'}
          // Not `disabled`: the button keeps the focus, and a press leads to what is missing.
          aria-disabled={!canPress(readiness, props.state)}
          aria-busy={waits}
          aria-describedby="order-note"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title={texts.say(isMac ? 'renderKeyMac' : 'renderKey')}
          onClick={(event) => {
            // The second click of a double click isn't a second order.
            if (event.detail <= 1) props.onRender();
          }}
          onKeyDown={(event) => {
            // A held key would repeat the press.
            if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
          }}
        >
          {readiness.kind === 'starting' && <Icon name="loading" spin />}
          <span class="words">{buttonWords(readiness, count, texts)}</span>
        </button>
        {(choices.length > 1 || canVary) && (
          <Select
            label={texts.say(varying ? 'combinations' : 'variants')}
            value={varying ? vary : String(count)}
            options={[
              ...choices.map((choice) => [String(choice), `× ${choice}`] as const),
              ...(canVary ? [[vary, texts.say('vary')] as const] : []),
            ]}
            onChange={(choice) => (choice === vary ? props.onVary() : props.onCount(Number(choice)))}
          />
        )}
        <Latest state={props.state} />
        <div id="order-note" class={`note ${readiness.kind}`}>
          <Note state={props.state} readiness={readiness} onAsk={props.onAsk} onLead={props.onRender} />
        </div>
      </div>
    </footer>
  );
}

/** In one column, the result can be out of sight: leads to it. Keeps its place in the bar without one. */
function Latest({ state: { results } }: { readonly state: FormState }) {
  const texts = useTexts();
  return (
    <button
      type="button"
      class="link latest"
      style={{ visibility: results.length > 0 ? 'visible' : 'hidden' }}
      onClick={() => document.getElementById('results')?.scrollIntoView({ block: 'start' })}
    >
      {texts.say('showResult')}
    </button>
  );
}

const vary = 'vary';

const isMac = /Mac/.test(navigator.userAgent);

interface NoteProps {
  readonly state: FormState;
  readonly readiness: Readiness;
  readonly onAsk: (ask: Ask) => void;
  /** Leads to what has to be fixed first. */
  readonly onLead: () => void;
}

/** While the service asks for a pause, no price can arrive. */
function Note(props: NoteProps) {
  const { readiness, state } = props;
  const isOpen = readiness.kind === 'asking' || readiness.kind === 'failed';
  if (!isOpen || !state.wait) return <Standing {...props} />;
  return (
    <>
      <Waiting wait={state.wait} />
      <AskAgain onAsk={props.onAsk} />
    </>
  );
}

function Waiting({ wait }: { readonly wait: { readonly ms: number } }) {
  const texts = useTexts();
  const seconds = Math.max(0, Math.ceil((wait.ms - useTimeSince(wait)) / 1000));
  return <span class="words">{texts.say('waitAsked', countdownWords(seconds))}</span>;
}

/** `first`: nothing has been requested yet. */
function AskAgain({ first, onAsk }: { readonly first?: boolean; readonly onAsk: NoteProps['onAsk'] }) {
  return (
    <button type="button" class="link" onClick={() => onAsk({ type: 'askAgain' })}>
      {useTexts().say(first ? 'getPrice' : 'askAgain')}
    </button>
  );
}

function Standing(props: NoteProps) {
  const texts = useTexts();
  const { readiness } = props;
  return (
    <>
      {(readiness.kind === 'failed' || readiness.kind === 'tooLittle') && <Icon name="error" />}
      {readiness.kind === 'invalid' ? (
        <button type="button" class="link" onClick={props.onLead}>
          {noteWords(readiness, props.state, texts)}
        </button>
      ) : (
        <span class="words">{noteWords(readiness, props.state, texts)}</span>
      )}
      {readiness.kind === 'failed' && <AskAgain onAsk={props.onAsk} />}
      {readiness.kind === 'held' && <AskAgain first onAsk={props.onAsk} />}
      {readiness.kind === 'tooLittle' && (
        <>
          {variantCount(props.state) === 1 && (
            <button type="button" class="link" onClick={() => props.onAsk({ type: 'whatFits' })}>
              {texts.say('whatFits')}
            </button>
          )}
          <button type="button" class="link" onClick={() => props.onAsk({ type: 'refreshBalance' })}>
            {texts.say('refreshBalance')}
          </button>
        </>
      )}
    </>
  );
}

/** The folder and name that the result would get now. Both can be changed. */
function TargetRow(props: { readonly target: TargetView; readonly onAsk: (ask: Ask) => void }) {
  const texts = useTexts();
  const [naming, setNaming] = useState(false);
  const { target } = props;
  if (!target.hasFolder) {
    return (
      <div class="target">
        <p>
          <Icon name="info" /> {texts.say('noFolder')}
        </p>
      </div>
    );
  }
  if (target.named) return <ForLink named={target.named} onDrop={() => props.onAsk({ type: 'saveAsUsual' })} />;
  const path = target.folder === '' ? target.preview : `${target.folder}/${target.preview}`;
  return (
    <>
      <div class="where">
        <div class="target">
          <p class="path" title={path}>
            <span class="quiet">{texts.say('savesTo')}</span> <span class="folder">{path}</span>
          </p>
          <div class="changes">
            <IconButton
              icon="folder-opened"
              label={texts.say('chooseFolder')}
              onClick={() => props.onAsk({ type: 'chooseTarget' })}
            />
            <IconButton
              icon="edit"
              label={texts.say('changeName')}
              expanded={naming}
              onClick={() => setNaming(!naming)}
            />
          </div>
        </div>
        {target.link && (
          <LinkChoice link={target.link} onChange={(insert) => props.onAsk({ type: 'insertLink', insert })} />
        )}
      </div>
      {target.isRestricted && <p class="quiet restricted">{texts.say('restricted')}</p>}
      {naming && <NameBox target={target} onAsk={props.onAsk} onDone={() => setNaming(false)} />}
    </>
  );
}

/** The next result goes to a file that a document names, unless the user drops that. */
function ForLink({ named, onDrop }: { readonly named: NamedFile; readonly onDrop: () => void }) {
  const texts = useTexts();
  const words =
    named.document === undefined
      ? texts.say('savesForSomeLink', named.path)
      : texts.say('savesForLink', named.path, named.document);
  return (
    <div class="target for-link">
      <p>
        <Icon name="link" /> {words}
      </p>
      <button type="button" class="link" onClick={onDrop}>
        {texts.say('saveAsUsual')}
      </button>
    </div>
  );
}

/** Whether a link to the result is inserted where the user was writing. */
function LinkChoice({ link, onChange }: { readonly link: TargetLink; readonly onChange: (insert: boolean) => void }) {
  const texts = useTexts();
  return (
    <div class="vscode-checkbox link-choice">
      <input
        id="insert-link"
        type="checkbox"
        checked={link.insert}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for="insert-link">
        <span class="icon">{link.insert && <Icon name="check" />}</span>
        <span class="text">{texts.say('insertLink', link.document, link.line)}</span>
      </label>
    </div>
  );
}

function NameBox(props: {
  readonly target: TargetView;
  readonly onAsk: (ask: Ask) => void;
  readonly onDone: () => void;
}) {
  const texts = useTexts();
  const box = useRef<HTMLInputElement>(null);
  // The box keeps what was typed, even while it isn't a valid name yet.
  const [typed, setTyped] = useState(props.target.fileName);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="name">
      <label class="vscode-label" for="file-name">
        {texts.say('fileName')}
      </label>
      <input
        id="file-name"
        ref={box}
        type="text"
        class="vscode-textfield"
        spellcheck={false}
        maxLength={500}
        value={typed}
        aria-describedby="file-name-help"
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          props.onAsk({ type: 'fileName', fileName: event.currentTarget.value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)) props.onDone();
        }}
      />
      <p id="file-name-help" class="hint">
        {texts.say('fileNameHelp', placeholders)}
      </p>
    </div>
  );
}

/** The variables of a file name. */
const placeholders = '${date}, ${time}, ${model}, ${slug}, ${id}, ${index}';

function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly expanded?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="vscode-action-button"
      aria-label={props.label}
      title={props.label}
      aria-expanded={props.expanded}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
