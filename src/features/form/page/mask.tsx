import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type MaskColor, usualPixels } from '../../../catalog/fields';
import { ButtonBar, IconButton } from '../../../editor/page/controls';
import {
  fromMask,
  type MaskStep,
  paint,
  paintedShare,
  type Point,
  redo,
  type Strokes,
  toMask,
  undo,
  withStep,
} from './maskStrokes';
import { useTexts } from './texts';

/** The longest side of what is painted on here, pixels; the mask that is made of it has the image's own size. */
const longestSide = 1536;

const nothing: Strokes = { done: [], undone: [] };

/** Per mille of the image's longer side. */
const sizes = { least: 5, most: 300, usual: 80 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An image or a mask that was painted before, as the page shows it. */
interface Shown {
  readonly url: string;
  readonly name: string;
}

/** Paints a mask over an image, with the mouse, a pen, or keys, from the one that there is. */
export function MaskPainter(props: {
  readonly image: Shown;
  readonly mask: Shown | undefined;
  readonly color: MaskColor | 'unstated';
  readonly label: string;
  /** What was painted when this was closed without being used. */
  readonly strokes: Strokes | undefined;
  readonly onPaint: (strokes: Strokes) => void;
  /** A PNG of the image's size; undefined if none can be made. */
  readonly onUse: (png: Blob | undefined) => void;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const { image, mask, onPaint } = props;
  const color = props.color === 'unstated' ? 'white' : props.color;
  const dialog = useRef<HTMLDialogElement>(null);
  const sheet = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>();
  /** What the mask that there is has painted: null for nothing, undefined while it's read. */
  const [before, setBefore] = useState<ImageBitmap | null | undefined>(mask ? undefined : null);
  const strokes = props.strokes ?? nothing;
  const [share, setShare] = useState(0);
  const [erases, setErases] = useState(false);
  const [brush, setBrush] = useState(sizes.usual);
  /** The line that is being painted. */
  const line = useRef<Point[]>(undefined);
  const isUsing = useRef(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (size) sheet.current?.focus();
  }, [size]);
  useEffect(() => {
    let isGone = false;
    if (size && mask)
      void maskBefore(mask.url, size, color).then((found) => {
        if (!isGone) setBefore(found ?? null);
      });
    return () => (isGone = true);
  }, [size, mask?.url]);
  const scale = size ? Math.min(1, longestSide / Math.max(size.width, size.height)) : 1;
  const measure = () => {
    const canvas = sheet.current;
    if (canvas) setShare(paintedShare(contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height).data));
  };
  // A finished line is on the canvas already; drawn again, it's the same.
  useLayoutEffect(() => {
    if (!size || !sheet.current) return;
    repaint(sheet.current, before, strokes.done, scale);
    measure();
  }, [size, before, strokes]);
  const add = (step: MaskStep) => onPaint(withStep(strokes, step));
  const leaveWith = (png: Blob | undefined) => {
    // It may have been canceled in the meantime.
    if (!dialog.current?.open) return;
    // The page has the focus again before anything happens there.
    dialog.current.close();
    props.onUse(png);
  };
  const use = async () => {
    if (share === 0 || !size || before === undefined || isUsing.current || line.current) return;
    isUsing.current = true;
    leaveWith(await maskOf(size, before, strokes.done, color).catch(() => undefined));
    isUsing.current = false;
  };
  const press = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    // Nothing is undone or used in the middle of a line.
    if (isCommand && line.current) event.preventDefault();
    else if (isCommand && key === 'z') onPaint((event.shiftKey ? redo : undo)(strokes));
    else if (isCommand && key === 'y') onPaint(redo(strokes));
    // In the form it would render.
    else if (isCommand && key === 'enter') void use();
    else if (key === '[' || key === ']') setBrush(key === '[' ? smaller : larger);
    else return;
    event.preventDefault();
    // The editor would undo or format something, too.
    event.stopPropagation();
  };
  return (
    <dialog
      ref={dialog}
      class="mask"
      aria-label={texts.say('maskTitle', props.label)}
      onKeyDown={press}
      onClose={props.onClose}
    >
      <header>
        <h2>{texts.say('maskTitle', props.label)}</h2>
        <ButtonBar class="tools" aria-label={texts.say('maskTools')}>
          <IconButton icon="edit" label={texts.say('brush')} pressed={!erases} onClick={() => setErases(false)} />
          <IconButton icon="eraser" label={texts.say('eraser')} pressed={erases} onClick={() => setErases(true)} />
          <span class="gap" />
          <IconButton
            icon="discard"
            label={texts.say('undo')}
            disabled={strokes.done.length === 0}
            onClick={() => onPaint(undo(strokes))}
          />
          <IconButton
            icon="redo"
            label={texts.say('redo')}
            disabled={strokes.undone.length === 0}
            onClick={() => onPaint(redo(strokes))}
          />
          <IconButton icon="color-mode" label={texts.say('invertMask')} onClick={() => add({ type: 'inverted' })} />
          <IconButton
            icon="clear-all"
            label={texts.say('clearMask')}
            disabled={share === 0}
            onClick={() => add({ type: 'cleared' })}
          />
        </ButtonBar>
        <label class="brush">
          {texts.say('brushSize')}
          <input
            type="range"
            {...{ min: sizes.least, max: sizes.most, step: 5 }}
            value={brush}
            style={{ '--filled': `${(100 * (brush - sizes.least)) / (sizes.most - sizes.least)}%` }}
            onInput={({ currentTarget }) => setBrush(Number(currentTarget.value))}
          />
        </label>
      </header>
      <div class="stage">
        <img
          src={image.url}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            // A field may take more than a page has memory for.
            width * height > usualPixels ? leaveWith(undefined) : setSize({ width, height })
          }
          onError={() => leaveWith(undefined)}
        />
        {size && (
          <Sheet
            canvas={sheet}
            points={line}
            size={size}
            scale={scale}
            brush={{ erases, width: (brush / 1000) * Math.max(size.width, size.height) }}
            label={texts.say('maskOf', image.name)}
            onLine={add}
          />
        )}
      </div>
      <footer>
        <p class="quiet">
          {texts.say('maskHelp')} {texts.say(sentKeys[props.color])}
        </p>
        <span class="quiet" role="status">
          {texts.say('maskPainted', Math.ceil(share * 100))}
        </span>
        <button type="button" class="vscode-button secondary" onClick={() => dialog.current?.close()}>
          {texts.say('cancel')}
        </button>
        <button type="button" class="vscode-button" aria-disabled={share === 0} onClick={() => void use()}>
          {texts.say('useMask')}
        </button>
      </footer>
    </dialog>
  );
}

const sentKeys = {
  white: 'maskSentWhite',
  black: 'maskSentBlack',
  transparent: 'maskSentTransparent',
  unstated: 'maskColorUnstated',
} as const;

/** The layer over the image: lines by pointer, and by keys from where the brush is. */
function Sheet(props: {
  readonly canvas: { current: HTMLCanvasElement | null };
  readonly size: Size;
  readonly scale: number;
  /** The line that is being painted, while there is one. */
  readonly points: { current: Point[] | undefined };
  readonly brush: { readonly erases: boolean; readonly width: number };
  readonly label: string;
  readonly onLine: (line: MaskStep) => void;
}) {
  const { canvas, size, scale, points, brush } = props;
  const ring = useRef<HTMLSpanElement>(null);
  const at = useRef<Point>([size.width / 2, size.height / 2]);
  const isErasing = useRef(false);
  const showRing = () => {
    if (!ring.current) return;
    const place = placeOf(canvas.current, size);
    const [x, y] = at.current;
    const [left, top] = [place.left + x * place.scale, place.top + y * place.scale];
    const diameter = brush.width * place.scale;
    Object.assign(ring.current.style, {
      width: `${diameter}px`,
      height: `${diameter}px`,
      transform: `translate(${left - diameter / 2}px, ${top - diameter / 2}px)`,
    });
  };
  useLayoutEffect(showRing);
  const go = (to: Point) => {
    at.current = to;
    showRing();
    const all = points.current;
    if (!all || !canvas.current) return;
    const last = all.slice(-1);
    const [[x, y] = [Infinity, Infinity]] = last;
    // A pointer reports far more places than can be seen.
    if (Math.hypot(to[0] - x, to[1] - y) * placeOf(canvas.current, size).scale < 1) return;
    all.push(to);
    const step = { type: 'line', ...brush, erases: isErasing.current, points: [...last, to] } as const;
    paint(contextOf(canvas.current), [step], scale);
  };
  const start = (from: Point, erases: boolean) => {
    points.current = [];
    isErasing.current = erases;
    go(from);
  };
  const end = () => {
    const all = points.current;
    points.current = undefined;
    if (all) props.onLine({ type: 'line', ...brush, erases: isErasing.current, points: all });
  };
  const pointOf = (event: PointerEvent): Point => {
    const place = placeOf(canvas.current, size);
    const rounded = (pixels: number) => Math.round(pixels * 10) / 10;
    return [rounded((event.offsetX - place.left) / place.scale), rounded((event.offsetY - place.top) / place.scale)];
  };
  const move = (event: PointerEvent) => {
    const all = points.current ? event.getCoalescedEvents() : [];
    for (const one of all.length > 0 ? all : [event]) go(pointOf(one));
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ways[event.key];
    if (way) {
      const far = event.shiftKey ? brush.width : brush.width / 4;
      const [x, y] = at.current;
      go([within(x + way[0] * far, size.width), within(y + way[1] * far, size.height)]);
    } else if (event.key !== ' ') return;
    else if (!points.current) start(at.current, brush.erases);
    event.preventDefault();
  };
  return (
    <>
      <canvas
        ref={canvas}
        width={Math.max(1, Math.round(size.width * scale))}
        height={Math.max(1, Math.round(size.height * scale))}
        tabIndex={0}
        role="application"
        aria-label={props.label}
        onPointerDown={(event) => {
          // A second finger paints nothing.
          if (points.current || (event.button !== 0 && event.button !== eraserButton)) return;
          canvas.current?.setPointerCapture(event.pointerId);
          start(pointOf(event), brush.erases || event.button === eraserButton);
        }}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onKeyDown={press}
        onKeyUp={({ key }) => key === ' ' && end()}
        onBlur={end}
      />
      <span ref={ring} class="ring" aria-hidden="true" />
    </>
  );
}

/** That of a pen turned over. */
const eraserButton = 5;

const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function within(place: number, most: number): number {
  return Math.min(most, Math.max(0, place));
}

function smaller(brush: number): number {
  return Math.max(sizes.least, Math.round(brush / 1.25));
}

function larger(brush: number): number {
  return Math.min(sizes.most, Math.round(brush * 1.25));
}

/** Where the image is in the canvas's box, which shows all of it in the middle: CSS pixels, and how many per pixel. */
function placeOf(box: HTMLElement | null, { width, height }: Size) {
  const { clientWidth = 0, clientHeight = 0 } = box ?? {};
  const scale = Math.min(clientWidth / width, clientHeight / height);
  return { scale, left: (clientWidth - width * scale) / 2, top: (clientHeight - height * scale) / 2 };
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('A canvas has no context');
  context.fillStyle = context.strokeStyle = `rgb(${paintColor.join()})`;
  return context;
}

/** A strong red, seen on most images through the layer's transparency. */
const paintColor = [255, 45, 85] as const;

function repaint(
  canvas: HTMLCanvasElement,
  before: ImageBitmap | null | undefined,
  steps: readonly MaskStep[],
  scale: number,
) {
  const context = contextOf(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (before) context.drawImage(before, 0, 0, canvas.width, canvas.height);
  paint(context, steps, scale);
}

/** A canvas of this size that isn't shown. */
function canvasOf({ width, height }: Size): HTMLCanvasElement {
  return Object.assign(document.createElement('canvas'), { width, height });
}

/** What an earlier mask has painted; undefined if it's for an image of another size, or can't be read. */
async function maskBefore(url: string, size: Size, color: MaskColor): Promise<ImageBitmap | undefined> {
  try {
    const image = Object.assign(new Image(), { crossOrigin: 'anonymous', src: url });
    await image.decode();
    if (image.naturalWidth !== size.width || image.naturalHeight !== size.height) return undefined;
    const context = contextOf(canvasOf(size));
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, size.width, size.height);
    fromMask(pixels.data, color, paintColor);
    return await createImageBitmap(pixels);
  } catch {
    return undefined;
  }
}

async function maskOf(
  size: Size,
  before: ImageBitmap | null | undefined,
  steps: readonly MaskStep[],
  color: MaskColor,
) {
  const canvas = canvasOf(size);
  repaint(canvas, before, steps, 1);
  const context = contextOf(canvas);
  const pixels = context.getImageData(0, 0, size.width, size.height);
  toMask(pixels.data, color);
  context.putImageData(pixels, 0, 0);
  return new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The mask can’t be written as a PNG'))),
      'image/png',
    ),
  );
}
