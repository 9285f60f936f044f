import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PictureView } from './compareMessages';
import { Icon } from '../../../editor/page/icon';
import { Caption } from './captions';
import { useCompareTexts } from './compareTexts';
import type { ComparedProps, CompareProps } from './compareProps';
import { columnsFor } from './layout';
import { choosesKept, modeOf, type CompareState, type Size } from './state';
import { useGestures } from './useGestures';

/** The images, each in its own pane or overlaid; zoomed and panned together. */
export function Stage(props: ComparedProps) {
  const texts = useCompareTexts();
  const { state, comparison, dispatch } = props;
  const { pictures } = comparison;
  const stage = useRef<HTMLDivElement>(null);
  const gestures = useGestures(dispatch);
  const mode = modeOf(state);
  const areInPairs = comparison.decisions.includes('acceptAll');
  const columns = columnsFor(pictures.length, useSize(stage), areInPairs ? 2 : 1);
  useLayoutEffect(() => {
    // A page that opens next to what a person is doing leaves the focus there.
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
        pictures.map((picture, index) => (
          <figure key={index}>
            <div class="pane">
              <Picture picture={picture} state={state} dispatch={dispatch} />
            </div>
            <figcaption>
              <Caption picture={picture} index={index} state={state} dispatch={dispatch} />
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
  const [below, above] = comparison.pictures;
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
        <Picture picture={below} state={state} dispatch={dispatch} />
      </div>
      <div class="layer" style={shown}>
        <Picture picture={above} state={state} dispatch={dispatch} />
      </div>
      {mode === 'slider' && <div class="divider" style={{ left: percent }} />}
    </div>
  );
}

function Picture({
  picture,
  state,
  dispatch,
}: CompareProps & { readonly picture: PictureView; readonly state: CompareState }) {
  const texts = useCompareTexts();
  const { address, title, detail } = picture;
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

/** The inner size of an element, px, kept up to date. */
function useSize(element: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
