import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../../../editor/page/icon';
import type { NamedFile, TargetLink, TargetView } from './formMessages';
import type { Ask } from './state';
import { useTexts } from './texts';

/** The folder and name that the result would get now. Both can be changed. */
export function TargetRow(props: { readonly target: TargetView; readonly onAsk: (ask: Ask) => void }) {
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

/** The next result goes to a file that a document names, unless the person drops that. */
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

/** Whether a link to the result is inserted where the person was writing. */
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
