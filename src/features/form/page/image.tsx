import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GivenImage } from '../../../base/givenImage';
import { type ImageItem, imageItems, issueText, mostImages, valueOfImages } from '../../../catalog/fields';
import { IconButton } from '../../../editor/page/controls';
import { Icon } from '../../../editor/page/icon';
import { dragType } from '../../../editor/page/page';
import { type ControlProps, isTyping, shared, textOfValue } from './control';
import { MaskPainter } from './mask';
import type { Strokes } from './maskStrokes';
import type { Ask } from './state';
import { useTexts } from './texts';

/** The image that a mask is for, and what is painted over it. */
export interface MaskedImage {
  /** That of its field. */
  readonly label: string;
  readonly item: ImageItem | undefined;
  readonly strokes: Strokes | undefined;
  readonly onPaint: (strokes: Strokes) => void;
}

/** What a control for images needs besides the props of every control. */
export interface ImageProps {
  /** URLs of given images, by hash. */
  readonly urls: ReadonlyMap<string, string>;
  /** Of a mask: what it's for. */
  readonly masked: MaskedImage | undefined;
  readonly onAsk: (ask: Ask) => void;
  /** The image can't be used, in words. */
  readonly onRefuse: (problem: string) => void;
}

/**
 * An image, or a list of them: chosen, pasted, dropped, or by its address. The host has their bytes; here is only what
 * they look like.
 */
export function ImageControl(props: ControlProps & ImageProps) {
  const texts = useTexts();
  const { field, onAsk, onRefuse } = props;
  const place = useRef<HTMLDivElement>(null);
  // What had the focus may go away: then the field's other control gets it.
  const hadFocus = place.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus && !place.current?.contains(document.activeElement)) document.getElementById(props.id)?.focus();
  }, [props.value]);
  const give = (files: readonly File[]) => {
    const { maxBytes = 0 } = field.image ?? {};
    const large = files.find(({ size }) => size > maxBytes);
    if (large) return onRefuse(texts.say(...issueText({ code: 'imageTooLarge', bytes: large.size, maxBytes }, texts)));
    for (const file of files.slice(0, mostImages(field)))
      base64Of(file).then(
        (base64) => onAsk({ type: 'giveImage', field: field.name, name: file.name.slice(0, 300), base64 }),
        () => onRefuse(texts.say('imageUnreadable', file.name)),
      );
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    // Elsewhere in the form it would open its recipe.
    event.stopPropagation();
    const files = [...(event.dataTransfer?.files ?? [])];
    const folder = [...(event.dataTransfer?.items ?? [])].findIndex((item) => item.webkitGetAsEntry()?.isDirectory);
    const uris = [...ownUris(event.dataTransfer), ...droppedUris(event.dataTransfer)].slice(0, mostImages(field));
    if (folder >= 0) onRefuse(texts.say('imageIsFolder', files[folder]?.name ?? ''));
    else if (uris.length > 0) onAsk({ type: 'dropImages', field: field.name, uris });
    else give(files);
  };
  const paste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    give(files);
  };
  return (
    <div ref={place} onDragOver={(event) => event.preventDefault()} onDrop={drop} onPaste={paste}>
      {field.image?.isList ? <ImageList {...props} /> : <OneImage {...props} />}
      {props.masked && <Mask {...props} masked={props.masked} onFile={(file) => give([file])} />}
    </div>
  );
}

/** Opens the page to paint a mask on, and says what is in the way of one. */
function Mask(
  props: ControlProps & ImageProps & { readonly masked: MaskedImage; readonly onFile: (file: File) => void },
) {
  const texts = useTexts();
  const { field, masked, urls } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const shown = (item: ImageItem | undefined) => {
    const url = typeof item === 'object' ? urls.get(item.sha256) : undefined;
    return typeof item === 'object' && url !== undefined ? { url, name: item.file } : undefined;
  };
  const [image, mask] = [shown(masked.item), shown(imageItems(props.value)[0])];
  const [imageSize, maskSize] = [useSize(image?.url), useSize(mask?.url)];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const use = (png: Blob | undefined) => {
    const name = image?.name ?? '';
    const file = texts.say('maskName', name.slice(name.lastIndexOf('/') + 1));
    if (png) props.onFile(new File([png], file, { type: png.type }));
    else props.onRefuse(texts.say('maskFailed'));
  };
  return (
    <div class="paint">
      <button
        ref={button}
        type="button"
        class="vscode-button secondary"
        aria-disabled={!image}
        aria-label={texts.say('paintMaskFor', field.label)}
        onClick={() => image && setOpen(true)}
      >
        <Icon name="edit" /> {texts.say('paintMask')}
      </button>
      <span class="quiet">
        {!image && texts.say('maskNeedsImage', masked.label)}
        {imageSize && maskSize && imageSize !== maskSize && texts.say('maskOtherSize', masked.label, imageSize)}
      </span>
      {isOpen && image && (
        <MaskPainter
          image={image}
          mask={mask}
          color={field.image?.mask ?? 'unstated'}
          label={field.label}
          strokes={masked.strokes}
          onPaint={masked.onPaint}
          onUse={use}
          onClose={close}
        />
      )}
    </div>
  );
}

/** "1024 × 768", once the image at the URL has loaded. */
function useSize(url: string | undefined): string | undefined {
  const [size, setSize] = useState<string>();
  useEffect(() => {
    setSize(undefined);
    if (url === undefined) return;
    const image = Object.assign(new Image(), { src: url });
    image.onload = () => setSize(`${image.naturalWidth} × ${image.naturalHeight}`);
    return () => (image.onload = null);
  }, [url]);
  return size;
}

function OneImage(props: ControlProps & ImageProps) {
  const texts = useTexts();
  const { field, value, urls } = props;
  const [item] = imageItems(value);
  const choose = () => props.onAsk({ type: 'pickImage', field: field.name });
  if (typeof item === 'object')
    return (
      <div class="image">
        <Preview item={item} urls={urls} />
        <Which image={item} />
        <ChooseButton id={props.id} label={field.label} describedBy={props.describedBy} onChoose={choose} />
        <IconButton icon="close" label={texts.say('clearImage', field.label)} onClick={() => props.onChange('')} />
      </div>
    );
  return (
    <div class="image">
      <UrlBox {...props} text={textOfValue(value)} onText={props.onChange} />
      <ChooseButton label={field.label} describedBy={props.describedBy} onChoose={choose} />
    </div>
  );
}

/** Tiles with numbers, since a prompt may say "image 2", and a box whose URLs become tiles too. */
function ImageList(props: ControlProps & ImageProps) {
  const texts = useTexts();
  const { field, value } = props;
  const items = imageItems(value);
  // URLs in the box are part of the value already, at its end; when that was changed elsewhere, they're tiles.
  const [text, setText] = useState('');
  const typed = imageItems(text);
  const isOpen = typed.every((url, index) => items[items.length - typed.length + index] === url);
  const tiles = isOpen ? items.slice(0, items.length - typed.length) : items;
  const [moved, setMoved] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (moved === undefined) return;
    list.current?.querySelectorAll<HTMLElement>('.replace')[moved]?.focus();
    setMoved(undefined);
  }, [moved, value]);
  const change = (next: readonly ImageItem[]) => props.onChange(valueOfImages([...next, ...(isOpen ? typed : [])]));
  const move = (from: number, to: number) => {
    const [item] = tiles.slice(from, from + 1);
    if (item === undefined || from === to || to < 0 || to >= tiles.length) return;
    change(tiles.toSpliced(from, 1).toSpliced(to, 0, item));
    setMoved(to);
  };
  const keys = keysOf(tiles);
  const most = mostImages(field);
  return (
    <div class="images">
      {tiles.length > 0 && (
        <ol ref={list} aria-labelledby={props.labelId}>
          {tiles.map((item, index) => (
            <Tile
              key={keys[index]}
              item={item}
              index={index}
              urls={props.urls}
              onReplace={() => props.onAsk({ type: 'pickImage', field: field.name, index })}
              onRemove={() => change(tiles.toSpliced(index, 1))}
              onMove={move}
            />
          ))}
        </ol>
      )}
      <div class="image">
        <UrlBox
          {...props}
          text={isOpen ? text : ''}
          onText={(next, isStillTyping) => {
            setText(next);
            props.onChange(valueOfImages([...tiles, ...imageItems(next)]), isStillTyping);
          }}
          onDone={() => setText('')}
        />
        <ChooseButton
          several
          label={field.label}
          describedBy={props.describedBy}
          onChoose={() => props.onAsk({ type: 'pickImage', field: field.name })}
        />
        {most < Infinity && <span class="quiet">{texts.say('imageCount', items.length, most)}</span>}
      </div>
    </div>
  );
}

/** The same for an image wherever it is in the list: of the same one twice, each has its own. */
function keysOf(items: readonly ImageItem[]): readonly string[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const hash = typeof item === 'object' ? item.sha256 : item;
    const count = counts.get(hash) ?? 0;
    counts.set(hash, count + 1);
    return `${count} ${hash}`;
  });
}

const dragged = 'application/x-model-catalog-image';

function Tile(props: {
  readonly item: ImageItem;
  readonly index: number;
  readonly urls: ImageProps['urls'];
  readonly onReplace: () => void;
  readonly onRemove: () => void;
  readonly onMove: (from: number, to: number) => void;
}) {
  const texts = useTexts();
  const { item, index, onMove } = props;
  const number = index + 1;
  const name = typeof item === 'object' ? item.file : item;
  const facts = typeof item === 'object' ? factsOf(item, texts) : '';
  const drop = (event: DragEvent) => {
    const from = event.dataTransfer?.getData(dragged) ?? '';
    if (from === '') return;
    event.preventDefault();
    event.stopPropagation();
    onMove(Number(from), index);
  };
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    onMove(index, event.key === 'ArrowLeft' ? index - 1 : index + 1);
  };
  return (
    <li
      draggable
      onDragStart={({ dataTransfer }) => dataTransfer?.setData(dragged, String(index))}
      onDrop={drop}
      onKeyDown={press}
    >
      <button
        type="button"
        class="replace"
        title={[name, facts, texts.say('imageTile')].filter(Boolean).join('\n')}
        aria-label={[texts.say('imageNumber', number, name), facts, texts.say('imageTile')].filter(Boolean).join(', ')}
        onClick={props.onReplace}
      >
        <Preview item={item} urls={props.urls} />
        <span class="number">{number}</span>
      </button>
      <span class="name" aria-hidden="true">
        {name.slice(name.lastIndexOf('/') + 1)}
      </span>
      <span class="remove">
        <IconButton icon="close" label={texts.say('removeImage', number)} onClick={props.onRemove} />
      </span>
    </li>
  );
}

/** An image by its address isn't loaded: whoever has it would learn of that. */
function Preview({ item, urls }: { readonly item: ImageItem; readonly urls: ImageProps['urls'] }) {
  if (typeof item === 'object') return <img src={urls.get(item.sha256)} alt="" draggable={false} />;
  return (
    <span class="address">
      <Icon name="link" />
    </span>
  );
}

function Which({ image }: { readonly image: GivenImage }) {
  return (
    <span class="which">
      <span class="name">{image.file}</span>
      <span class="quiet">{factsOf(image, useTexts())}</span>
    </span>
  );
}

function factsOf({ type, bytes }: GivenImage, texts: ReturnType<typeof useTexts>): string {
  return `${texts.formats([type])} · ${texts.size(bytes)}`;
}

/** A box for a URL. A data address that is pasted there is an image like any other, and too long for a text box. */
function UrlBox(
  props: ControlProps &
    ImageProps & {
      readonly text: string;
      readonly onText: (text: string, isStillTyping: boolean) => void;
      /** The text is complete. */
      readonly onDone?: () => void;
    },
) {
  const texts = useTexts();
  const { field, onAsk, onDone } = props;
  const input = (text: string, isStillTyping: boolean) => {
    const [, base64] = /^\s*data:image\/[^,]*;base64,(.*)$/s.exec(text) ?? [];
    if (base64 === undefined || isStillTyping) props.onText(text, isStillTyping);
    else onAsk({ type: 'giveImage', field: field.name, name: field.label.slice(0, 300), base64 });
  };
  return (
    <input
      {...shared(props)}
      type="text"
      class="vscode-textfield"
      spellcheck={false}
      value={props.text}
      placeholder={texts.say(field.image?.isList ? 'imagesPlace' : 'imagePlace')}
      onInput={(event) => input(event.currentTarget.value, isTyping(event))}
      onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && !ctrlKey && !metaKey && onDone?.()}
      onBlur={onDone}
    />
  );
}

function ChooseButton(props: {
  readonly id?: string;
  readonly several?: boolean;
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
      aria-label={texts.say(props.several ? 'addImagesFor' : 'chooseImageFor', props.label)}
      aria-describedby={props.describedBy}
      onClick={props.onChoose}
    >
      {texts.say(props.several ? 'addImages' : 'chooseImage')}
    </button>
  );
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

/** The URI of a result that was dragged from a page; of one from our view, only the extension host knows it. */
function ownUris(data: DataTransfer | null): readonly string[] {
  const uri = data?.getData(dragType) ?? '';
  return /^[a-z][\w+.-]*:\/\//i.test(uri) ? [uri] : [];
}

/** The URIs of files that were dragged from the Explorer; the editor's own list of them comes first. */
export function droppedUris(data: DataTransfer | null): readonly string[] {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line));
}
