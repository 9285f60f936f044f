import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TileView } from '../../form/galleryMessages';
import { Icon } from '../icon';
import { IconButton } from '../iconButton';
import { useGalleryTexts } from './galleryTexts';
import { promptWords } from './tileLabel';
import { fitted, panned, zoomed, type Point, type Size, type Zoom } from './zoom';

const step = { zoom: 1.25, pan: 48 };

/** Two pictures side by side, zoomed and moved as one. */
export function Compare(props: {
  readonly pair: readonly [TileView, TileView];
  readonly onBack: () => void;
  readonly onMissing: (id: string) => void;
}) {
  const texts = useGalleryTexts();
  const { pair, onBack } = props;
  const [zoom, setZoom] = useState<Zoom>(fitted);
  const panes = useRef<HTMLDivElement>(null);
  const size = () => sizeOf(panes.current?.querySelector('.pane'));
  const enlarge = (factor: number) => setZoom((now) => zoomed(now, factor, size()));
  useLayoutEffect(() => panes.current?.focus(), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const change = changeOf(event.key);
      if (event.key === 'Escape') onBack();
      else if (change) setZoom((now) => change(now, size()));
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [onBack]);
  return (
    <section class="compare" aria-label={texts.say('comparison')}>
      <div class="bar">
        <button type="button" class="vscode-button secondary" onClick={onBack}>
          <Icon name="arrow-left" />
          {texts.say('back')}
        </button>
        <p class="help" id="compare-help">
          {texts.say('compareHelp')}
        </p>
        <div class="zoom">
          <IconButton icon="zoom-out" label={texts.say('zoomOut')} onClick={() => enlarge(1 / step.zoom)} />
          <output>{texts.say('zoom', Math.round(zoom.scale * 100))}</output>
          <IconButton icon="zoom-in" label={texts.say('zoomIn')} onClick={() => enlarge(step.zoom)} />
          <IconButton icon="screen-full" label={texts.say('fit')} onClick={() => setZoom(fitted)} />
        </div>
      </div>
      <div
        ref={panes}
        class="panes"
        tabIndex={0}
        role="group"
        aria-label={texts.say('comparison')}
        aria-describedby="compare-help"
      >
        {pair.map((tile) => (
          <Pane key={tile.id} tile={tile} zoom={zoom} onZoom={setZoom} onMissing={() => props.onMissing(tile.id)} />
        ))}
      </div>
    </section>
  );
}

function changeOf(key: string): ((zoom: Zoom, pane: Size) => Zoom) | undefined {
  switch (key) {
    case '+':
    case '=':
      return (zoom, pane) => zoomed(zoom, step.zoom, pane);
    case '-':
      return (zoom, pane) => zoomed(zoom, 1 / step.zoom, pane);
    case '0':
      return () => fitted;
    case 'ArrowLeft':
      return (zoom, pane) => panned(zoom, { x: step.pan, y: 0 }, pane);
    case 'ArrowRight':
      return (zoom, pane) => panned(zoom, { x: -step.pan, y: 0 }, pane);
    case 'ArrowUp':
      return (zoom, pane) => panned(zoom, { x: 0, y: step.pan }, pane);
    case 'ArrowDown':
      return (zoom, pane) => panned(zoom, { x: 0, y: -step.pan }, pane);
    default:
      return undefined;
  }
}

function Pane(props: {
  readonly tile: TileView;
  readonly zoom: Zoom;
  readonly onZoom: (change: (zoom: Zoom) => Zoom) => void;
  readonly onMissing: () => void;
}) {
  const texts = useGalleryTexts();
  const { tile, zoom, onZoom } = props;
  const { scale, x, y } = zoom;
  return (
    <figure>
      <div
        class="pane"
        onWheel={(event) => {
          event.preventDefault();
          const { currentTarget: pane, deltaY, ctrlKey } = event;
          // Two fingers on a touchpad come as small steps with the control key.
          const factor = Math.exp(-deltaY * (ctrlKey ? 0.01 : 0.002));
          onZoom((now) => zoomed(now, factor, sizeOf(pane), pointIn(pane, event)));
        }}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          const { currentTarget: pane, movementX, movementY } = event;
          if (event.buttons === 1) onZoom((now) => panned(now, { x: movementX, y: movementY }, sizeOf(pane)));
        }}
      >
        <img
          src={tile.picture}
          alt={promptWords(tile, texts)}
          draggable={false}
          style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
          onError={props.onMissing}
        />
      </div>
      <figcaption>
        <p class="prompt">{promptWords(tile, texts)}</p>
        <p class="facts">
          <span class="model">{tile.modelId}</span>
          {tile.price !== undefined && <span class="price">{tile.price}</span>}
        </p>
      </figcaption>
    </figure>
  );
}

function sizeOf(element: Element | null | undefined): Size {
  return { width: element?.clientWidth ?? 0, height: element?.clientHeight ?? 0 };
}

function pointIn(pane: Element, event: MouseEvent): Point {
  const { left, top, width, height } = pane.getBoundingClientRect();
  return { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
}
