import { useLayoutEffect, useRef } from 'preact/hooks';
import type { GivenImage } from '../../../base/json';
import { issueText } from '../../../catalog/fields';
import { IconButton } from '../../../editor/page/controls';
import { type ControlProps, isTyping, shared, textOfValue } from './control';
import type { Ask } from './state';
import { useTexts } from './texts';

/** What a control for an image needs besides the props of every control. */
export interface ImageProps {
  /** URLs of given images, by hash. */
  readonly urls: ReadonlyMap<string, string>;
  readonly onAsk: (ask: Ask) => void;
  /** The image can't be used, in words. */
  readonly onRefuse: (problem: string) => void;
}

/** An image: chosen, pasted, dropped, or by its address. The host has its bytes; here is only what it looks like. */
export function ImageControl(props: ControlProps & ImageProps) {
  const texts = useTexts();
  const { field, value, onAsk, onRefuse } = props;
  const give = (file: File) => {
    const { maxBytes = 0 } = field.image ?? {};
    if (file.size > maxBytes)
      return onRefuse(texts.say(...issueText({ code: 'imageTooLarge', bytes: file.size, maxBytes }, texts)));
    base64Of(file).then(
      (base64) => onAsk({ type: 'giveImage', field: field.name, name: file.name.slice(0, 300), base64 }),
      () => onRefuse(texts.say('imageUnreadable', file.name)),
    );
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    // Elsewhere in the form it would open its recipe.
    event.stopPropagation();
    const { files, items } = event.dataTransfer ?? {};
    const uri = droppedUri(event.dataTransfer);
    const [file] = files ?? [];
    if (items?.[0]?.webkitGetAsEntry()?.isDirectory) onRefuse(texts.say('imageIsFolder', file?.name ?? ''));
    else if (uri !== undefined) onAsk({ type: 'dropImage', field: field.name, uri });
    else if (file) give(file);
  };
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData?.files ?? [];
    if (!file) return;
    event.preventDefault();
    give(file);
  };
  const choose = () => onAsk({ type: 'pickImage', field: field.name });
  const place = useRef<HTMLDivElement>(null);
  // What had the focus may go away: then the field's other control gets it.
  const hadFocus = place.current?.contains(document.activeElement) === true;
  const given = typeof value === 'object' && 'image' in value ? value.image : undefined;
  useLayoutEffect(() => {
    if (hadFocus && !place.current?.contains(document.activeElement)) document.getElementById(props.id)?.focus();
  }, [given]);
  return (
    <div class="image" ref={place} onDragOver={(event) => event.preventDefault()} onDrop={drop} onPaste={paste}>
      {given ? (
        <Given {...props} image={given} onChoose={choose} />
      ) : (
        <>
          <input
            {...shared(props)}
            type="text"
            class="vscode-textfield"
            spellcheck={false}
            value={textOfValue(value)}
            placeholder={texts.say('imagePlace')}
            onInput={(event) => typed(event.currentTarget.value, isTyping(event), props)}
          />
          <ChooseButton label={field.label} describedBy={props.describedBy} onChoose={choose} />
        </>
      )}
    </div>
  );
}

function Given(props: ControlProps & ImageProps & { readonly image: GivenImage; readonly onChoose: () => void }) {
  const texts = useTexts();
  const { field, image, urls } = props;
  return (
    <>
      <img src={urls.get(image.sha256)} alt="" />
      <span class="which">
        <span class="name">{image.file}</span>
        <span class="quiet">{`${texts.formats([image.type])} · ${texts.size(image.bytes)}`}</span>
      </span>
      <ChooseButton id={props.id} label={field.label} describedBy={props.describedBy} onChoose={props.onChoose} />
      <IconButton icon="close" label={texts.say('clearImage', field.label)} onClick={() => props.onChange('')} />
    </>
  );
}

function ChooseButton(props: {
  readonly id?: string;
  readonly label: string;
  readonly describedBy?: string | undefined;
  readonly onChoose: () => void;
}) {
  const texts = useTexts();
  return (
    <button
      id={props.id}
      type="button"
      class="vscode-button secondary"
      aria-label={texts.say('chooseImageFor', props.label)}
      aria-describedby={props.describedBy}
      onClick={props.onChoose}
    >
      {texts.say('chooseImage')}
    </button>
  );
}

/** A data address that was pasted is an image like any other, and too long for a text box. */
function typed(text: string, isStillTyping: boolean, { field, onChange, onAsk }: ControlProps & ImageProps): void {
  const [, base64] = /^\s*data:image\/[^,]*;base64,(.*)$/s.exec(text) ?? [];
  if (base64 === undefined || isStillTyping) onChange(text, isStillTyping);
  else onAsk({ type: 'giveImage', field: field.name, name: field.label.slice(0, 300), base64 });
}

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The file can’t be read'));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** The URI of a file that was dragged from the Explorer; the editor's own name for several of them comes first. */
export function droppedUri(data: DataTransfer | null): string | undefined {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line));
}
