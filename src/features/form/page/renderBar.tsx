import { useEffect, useRef, useState } from 'preact/hooks';
import { countdownWords } from '../../../base/time';
import { Select } from '../../../editor/page/controls';
import { Icon, type IconName } from '../../../editor/page/icon';
import type { NamedFile, TargetLink, TargetView } from './formMessages';
import { buttonWords, noteWords } from './announce';
import { type Ask, canPress, variantCount, type FormState, type Readiness, readinessOf } from './state';
import { useTexts } from './texts';
import { useTimeSince } from './useTime';

/** Always visible: where the result goes, what it costs, and the button that spends. */
export function RenderBar(props: {
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

/** While the results are below the fields: the state of the newest, and a link to it. */
function Latest({ state: { results } }: { readonly state: FormState }) {
  const texts = useTexts();
  const [latest] = results;
  if (!latest) return null;
  return (
    <button
      type="button"
      class="link latest"
      onClick={() => document.getElementById('results')?.scrollIntoView({ block: 'start' })}
    >
      {latest.stage === 'active' ? latest.status : texts.say('showResult')}
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

function AskAgain({ onAsk }: Pick<NoteProps, 'onAsk'>) {
  return (
    <button type="button" class="link" onClick={() => onAsk({ type: 'askAgain' })}>
      {useTexts().say('askAgain')}
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
