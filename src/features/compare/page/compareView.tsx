import { createContext } from 'preact';
import { useContext, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ButtonBar, IconButton } from '../../../editor/page/controls';
import { Icon } from '../../../editor/page/icon';
import { Words } from '../../../editor/page/words';
import {
  type CompareDecision,
  type ComparedProps,
  compareModes,
  type CompareProps,
  type CompareStrings,
  type ComparisonView,
  type ImageView,
} from './compareMessages';
import {
  canDecide,
  canOverlay,
  choosesKept,
  type CompareState,
  keyAction,
  modeOf,
  percentOf,
  type Point,
  type Size,
  sizesDiffer,
  slidOf,
} from './state';

/** The whole comparison. Shows nothing before texts and images have arrived. */
export function CompareView({ state, dispatch }: CompareProps) {
  const given = state.texts;
  const texts = useMemo(() => given && new CompareTexts(given.strings, given.locale), [given]);
  if (!texts || !state.comparison) return null;
  return (
    <CompareTextsProvider value={texts}>
      <Comparison state={state} comparison={state.comparison} dispatch={dispatch} />
    </CompareTextsProvider>
  );
}

function Comparison({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  const main = useRef<HTMLElement>(null);
  const pane = useSize(() => main.current?.querySelector('.pane'));
  useKeys(state, dispatch);
  return (
    <main ref={main} class="compare">
      <h1 class="only-heard">{texts.say('comparison')}</h1>
      <p class="only-heard" role="status">
        {comparison.identical ? texts.say('identical') : heardOf(state, comparison, texts)}
      </p>
      <Toolbar state={state} comparison={comparison} dispatch={dispatch} pane={pane} />
      {comparison.identical && <p class="note identical">{texts.say('identical')}</p>}
      <Stage state={state} comparison={comparison} dispatch={dispatch} />
      <Slide state={state} comparison={comparison} dispatch={dispatch} />
      <Captions state={state} comparison={comparison} dispatch={dispatch} />
    </main>
  );
}

/** The page's keyboard shortcuts. A focused slider keeps its own keys. */
function useKeys(state: CompareState, dispatch: CompareProps['dispatch']): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isSliding = event.target instanceof HTMLInputElement && event.key.startsWith('Arrow');
      const action = isSliding ? undefined : keyAction(event.key, event.shiftKey, state);
      if (!action) return;
      dispatch(action);
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [state, dispatch]);
}

/** The mode's slider, for pointers and screen readers. */
function Slide({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  const slid = slidOf(state);
  if (slid === undefined) return null;
  const top = comparison.images[1]?.title ?? '';
  return (
    <input
      class="slide"
      type="range"
      min={0}
      max={100}
      value={Math.round(slid * 100)}
      aria-label={modeOf(state) === 'slider' ? texts.say('divider') : texts.say('opacity', top)}
      aria-valuetext={texts.say('percent', Math.round(slid * 100))}
      onInput={(event) => dispatch({ type: 'slid', to: Number(event.currentTarget.value) / 100 })}
    />
  );
}

function heardOf(state: CompareState, { images }: ComparisonView, texts: CompareTexts): string {
  const [first, second] = images.map(({ title }) => title);
  const mode = modeOf(state);
  if (mode === 'sideBySide') return texts.say('sideBySideHeard', images.length);
  return texts.say(`${mode}Heard`, first ?? '', second ?? '');
}

/** The captions of overlaid images, in order: name, size, bytes, and other facts. */
function Captions({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  // If each image has its own pane, its caption is there.
  const areApart = modeOf(state) === 'sideBySide';
  return (
    <>
      {!areApart && (
        <div class="captions">
          {comparison.images.map((image, index) => (
            <Caption key={index} image={image} index={index} state={state} dispatch={dispatch} />
          ))}
        </div>
      )}
      {sizesDiffer(state) && <p class="note">{texts.say('differentSizes')}</p>}
      <p class="only-heard" id="compare-help">
        {texts.say('compareHelp')}
      </p>
    </>
  );
}

/** The caption of one image, and whether to keep it. */
function Caption({
  image,
  index,
  state,
  dispatch,
}: CompareProps & { readonly image: ImageView; readonly index: number }) {
  const texts = useCompareTexts();
  const { title, detail, address, bytes } = image;
  const size = address === undefined ? undefined : state.sizes.get(address);
  const isChosen = choosesKept(state);
  const facts = [
    size && texts.say('pixels', size.width, size.height),
    bytes !== undefined && texts.size(bytes),
    detail,
  ].filter(Boolean);
  return (
    <div class="caption">
      <p class="name" title={isChosen ? facts.join(' · ') : title}>
        {title}
        {address !== undefined && image.isOwn && (
          <IconButton
            icon="wand"
            label={texts.say('edit', title)}
            onClick={() => dispatch({ type: 'edited', index })}
          />
        )}
      </p>
      {isChosen && (
        <Keep title={title} isKept={state.selected.has(index)} onToggle={() => dispatch({ type: 'toggled', index })} />
      )}
      {!isChosen && <p class="facts">{facts.join(' · ')}</p>}
    </div>
  );
}

/** Whether to keep an image. */
function Keep(props: { readonly title: string; readonly isKept: boolean; readonly onToggle: () => void }) {
  const texts = useCompareTexts();
  const id = useId();
  return (
    <div class="vscode-checkbox keep">
      <input
        id={id}
        type="checkbox"
        aria-label={texts.say('keepOne', props.title)}
        checked={props.isKept}
        onChange={props.onToggle}
      />
      <label for={id}>
        <span class="icon">{props.isKept && <Icon name="check" />}</span>
        <span class="text">{texts.say('keep')}</span>
      </label>
    </div>
  );
}

const enlargement = 1.25;

/** How the images are seen, and the decision on the new one: two stops for Tab, right before the images. */
function Toolbar({ state, comparison, dispatch, pane }: ComparedProps & { readonly pane: Size }) {
  const texts = useCompareTexts();
  const [image] = comparison.images.flatMap(({ address = '' }) => state.sizes.get(address) ?? []);
  const percent = percentOf(state.zoom, image, pane);
  return (
    <div class="bar">
      <ButtonBar class="view" aria-label={texts.say('view')}>
        {canOverlay(state) && (
          <div class="modes" role="group" aria-label={texts.say('modes')}>
            {compareModes.map((mode, index) => (
              <button
                key={mode}
                type="button"
                class="mode"
                aria-pressed={modeOf(state) === mode}
                aria-keyshortcuts={String(index + 1)}
                onClick={() => dispatch({ type: 'chosen', mode })}
              >
                {texts.say(mode)}
              </button>
            ))}
          </div>
        )}
        <div class="zoom" role="group" aria-label={texts.say('zooming')}>
          <IconButton
            icon="zoom-out"
            label={texts.say('zoomOut')}
            onClick={() => dispatch({ type: 'zoomed', factor: 1 / enlargement })}
          />
          <output>{percent === undefined ? texts.say('fitted') : texts.say('percent', percent)}</output>
          <IconButton
            icon="zoom-in"
            label={texts.say('zoomIn')}
            onClick={() => dispatch({ type: 'zoomed', factor: enlargement })}
          />
          <IconButton icon="screen-full" label={texts.say('fit')} onClick={() => dispatch({ type: 'fitted' })} />
        </div>
      </ButtonBar>
      {comparison.decisions.length > 0 && (
        <ButtonBar class="decisions" aria-label={texts.say('decision')}>
          {comparison.decisions.map((decision, index) => (
            <button
              key={decision}
              type="button"
              class={index === 0 ? 'vscode-button' : 'vscode-button secondary'}
              title={texts.say(`${decision}Help`)}
              // Not `disabled`: the button keeps the focus.
              aria-disabled={!canDecide(state, decision)}
              onClick={() => canDecide(state, decision) && dispatch({ type: 'decided', decision })}
            >
              {decisionWords(decision, state, texts)}
            </button>
          ))}
        </ButtonBar>
      )}
    </div>
  );
}

/** What a press does: of several images, how many are kept. */
function decisionWords(decision: CompareDecision, state: CompareState, texts: CompareTexts): string {
  if (decision !== 'keepSelected' || !canDecide(state, decision)) return texts.say(decision);
  const { size } = state.selected;
  return texts.say('keepSome', size, (state.comparison?.images.length ?? 0) - size);
}

/** The comparison's words in the editor's language. */
class CompareTexts extends Words<keyof CompareStrings> {}

const context = createContext<CompareTexts | undefined>(undefined);

/** Provides the texts to everything below. */
const CompareTextsProvider = context.Provider;

/** The texts of the comparison; it isn't shown before they arrive. */
function useCompareTexts(): CompareTexts {
  const texts = useContext(context);
  if (!texts) throw new Error('The comparison was shown before its texts arrived');
  return texts;
}

/** The images, each in its own pane or overlaid; zoomed and panned together. */
function Stage(props: ComparedProps) {
  const texts = useCompareTexts();
  const { state, comparison, dispatch } = props;
  const { images } = comparison;
  const stage = useRef<HTMLDivElement>(null);
  const gestures = useGestures(dispatch);
  const mode = modeOf(state);
  const areInPairs = comparison.decisions.includes('acceptAll');
  const columns = columnsFor(
    images.length,
    useSize(() => stage.current),
    areInPairs ? 2 : 1,
  );
  useLayoutEffect(() => {
    // A page that opens next to what a user is doing leaves the focus there.
    if (!choosesKept(state)) stage.current?.focus();
  }, []);
  return (
    <div
      ref={stage}
      class="stage"
      tabIndex={0}
      role="group"
      aria-label={texts.say('comparison')}
      aria-describedby="compare-help"
      style={{ '--columns': columns }}
      {...gestures}
    >
      {mode === 'sideBySide' ? (
        images.map((image, index) => (
          <figure key={index}>
            <div class="pane">
              <Image image={image} state={state} dispatch={dispatch} />
            </div>
            <figcaption>
              <Caption image={image} index={index} state={state} dispatch={dispatch} />
            </figcaption>
          </figure>
        ))
      ) : (
        <Overlay {...props} />
      )}
    </div>
  );
}

/** Two images in one pane, the second on top. */
function Overlay({ state, comparison, dispatch }: ComparedProps) {
  const [below, above] = comparison.images;
  const mode = modeOf(state);
  if (!below || !above) return null;
  const percent = `${state.divider * 100}%`;
  const shown = {
    slider: { clipPath: `inset(0 0 0 ${percent})` },
    onionSkin: { opacity: String(state.opacity) },
    difference: { mixBlendMode: 'difference' },
    sideBySide: {},
  }[mode];
  return (
    <div class={`pane ${mode}`}>
      <div class="layer" style={mode === 'slider' ? { clipPath: `inset(0 ${100 - state.divider * 100}% 0 0)` } : {}}>
        <Image image={below} state={state} dispatch={dispatch} />
      </div>
      <div class="layer" style={shown}>
        <Image image={above} state={state} dispatch={dispatch} />
      </div>
      {mode === 'slider' && <div class="divider" style={{ left: percent }} />}
    </div>
  );
}

function Image({ image, state, dispatch }: CompareProps & { readonly image: ImageView; readonly state: CompareState }) {
  const texts = useCompareTexts();
  const { address, title, detail } = image;
  const { scale, x, y } = state.zoom;
  if (address === undefined || (state.sizes.has(address) && !state.sizes.get(address))) {
    return (
      <div class="gone">
        <Icon name="file-media" />
        <p>{texts.say('gone')}</p>
      </div>
    );
  }
  const size = state.sizes.get(address);
  return (
    <img
      key={address}
      src={address}
      alt={[title, detail].filter(Boolean).join(', ')}
      draggable={false}
      class={size && isCloseUp(size, scale) ? 'close-up' : undefined}
      style={{ transform: `translate(${x * 100}%, ${y * 100}%) scale(${scale})` }}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        dispatch({ type: 'loaded', address, size: { width, height } })
      }
      onError={() => dispatch({ type: 'loaded', address, size: undefined })}
    />
  );
}

/** Zoomed in so far that single pixels matter. */
function isCloseUp({ width, height }: Size, scale: number): boolean {
  return scale >= 8 || Math.max(width, height) * 4 <= 600 * scale;
}

/** The inner size of an element, px, kept up to date, also when another one takes its place. */
function useSize(find: () => Element | null | undefined): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = find();
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return size;
}

/**
 * The number of columns that shows this many images largest, while their shapes are unknown. Those of a group, such as
 * a pair, stay in one row.
 */
export function columnsFor(count: number, { width, height }: Size, group = 1): number {
  let best = group;
  for (let columns = 2 * group; columns <= count; columns += group)
    if (edge(columns, count, width, height) > edge(best, count, width, height)) best = columns;
  return best;
}

/** The largest square that fits into each pane, px. */
function edge(columns: number, count: number, width: number, height: number): number {
  return Math.min(width / columns, height / Math.ceil(count / columns));
}

/** Zooms and pans the images of a comparison with the wheel, the pointer, and two fingers. */
function useGestures(dispatch: CompareProps['dispatch']) {
  const down = useRef(new Map<number, Point>());
  const sliding = useRef(false);
  const forget = ({ pointerId }: PointerEvent) => {
    down.current.delete(pointerId);
    sliding.current = false;
  };
  return {
    onWheel: (event: WheelEvent) => {
      const pane = paneAt(event);
      if (!pane) return;
      event.preventDefault();
      // A pinch on a touchpad arrives as small wheel steps with the control key.
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
      dispatch({ type: 'zoomed', factor, at: placeIn(pane, event) });
    },
    onPointerDown: (event: PointerEvent) => {
      const pane = paneAt(event);
      if (!pane) return;
      pane.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, placeIn(pane, event));
      sliding.current = down.current.size === 1 && isOnDivider(event, pane);
    },
    onPointerMove: (event: PointerEvent) => {
      const pane = paneAt(event);
      const before = down.current.get(event.pointerId);
      if (!pane || !before) return;
      const now = placeIn(pane, event);
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      down.current.set(event.pointerId, now);
      if (sliding.current) dispatch({ type: 'slid', to: now.x + 0.5 });
      else if (other) dispatch({ type: 'zoomed', factor: apart(now, other) / apart(before, other), at: other });
      else dispatch({ type: 'panned', by: { x: now.x - before.x, y: now.y - before.y } });
    },
    onPointerUp: forget,
    onPointerCancel: forget,
    onDblClick: (event: MouseEvent) => paneAt(event) && dispatch({ type: 'fitted' }),
  };
}

/** How close to the divider a press still grabs it, px. */
const reach = 12;

function isOnDivider(event: PointerEvent, pane: Element): boolean {
  const divider = pane.querySelector('.divider')?.getBoundingClientRect();
  return divider !== undefined && Math.abs(event.clientX - divider.left - divider.width / 2) <= reach;
}

function paneAt({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.pane') : null;
}

function placeIn(pane: Element, event: MouseEvent): Point {
  const { left, top, width, height } = pane.getBoundingClientRect();
  return { x: (event.clientX - left) / width - 0.5, y: (event.clientY - top) / height - 0.5 };
}

/** Never 0, since it's a divisor. */
function apart(one: Point, other: Point): number {
  return Math.max(0.01, Math.hypot(one.x - other.x, one.y - other.y));
}
