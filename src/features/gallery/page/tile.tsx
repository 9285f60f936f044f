import { Component, type FunctionComponent } from 'preact';
import type { TileView } from './galleryMessages';
import { Icon, type IconName } from '../../../editor/page/icon';
import { nameOf } from './filter';
import { useGalleryTexts } from './galleryTexts';
import type { Action } from './state';
import { promptWords, tileLabel } from './tileLabel';

/** A component that re-renders only when its props change: for the many tiles that don't while scrolling. */
function memo<Props extends object>(Shown: FunctionComponent<Props>) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before: object = this.props;
      return Object.entries(next).some(([name, value]) => Reflect.get(before, name) !== value);
    }

    override render() {
      return <Shown {...this.props} />;
    }
  };
}

/** The position of a tile in the view, px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Props extends Box {
  readonly tile: TileView;
  /** Its index among all tiles. */
  readonly index: number;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isMissing: boolean;
  readonly dispatch: (action: Action) => void;
}

/**
 * One result: its image, the beginning of its text, or its state. A single label describes it all to screen readers.
 */
export const Tile = memo((props: Props) => {
  const texts = useGalleryTexts();
  const { tile, left, top, width, height, isMissing } = props;
  return (
    <div
      role="option"
      class={`result ${tile.stage}`}
      style={{ transform: `translate(${left}px, ${top}px)`, width: px(width), height: px(height) }}
      tabIndex={props.isCurrent ? 0 : -1}
      aria-selected={props.isSelected}
      aria-posinset={props.index + 1}
      aria-setsize={props.count}
      data-id={tile.id}
      data-vscode-context={menuContext(tile)}
    >
      <span class="only-heard">{tileLabel(tile, isMissing, texts)}</span>
      <div class="face" aria-hidden="true" style={{ height: px(width) }}>
        <Face {...props} />
      </div>
      <p class="prompt" title={promptWords(tile, texts)} aria-hidden="true">
        {promptWords(tile, texts)}
      </p>
      <p class="facts" aria-hidden="true">
        <span class="model">{nameOf(tile.modelId)}</span>
        {tile.price !== undefined && <span class="price">{tile.price}</span>}
      </p>
      {props.isSelected && (
        <span class="mark">
          <Icon name="check" />
        </span>
      )}
    </div>
  );
});

function px(length: number): string {
  return `${length}px`;
}

/** The data for the editor's context menu and its commands. */
function menuContext({ id, menu }: TileView): string {
  return JSON.stringify({ id, webviewSection: ['render', ...menu].join(' '), preventDefaultContextMenuItems: true });
}

function Face({ tile, isMissing, dispatch }: Props) {
  const texts = useGalleryTexts();
  if (isMissing) {
    const [again] = texts.actions(tile.actions.filter((id) => id === 'downloadAgain'));
    return (
      <div class="card">
        <Icon name="file-media" />
        <p>{texts.say('gone')}</p>
        {/* For pointers: the keyboard has Enter and the toolbar's button, since an option can't contain buttons. */}
        {again && (
          <span class="link" onClick={() => dispatch({ type: 'asked', action: again.id, id: tile.id })}>
            {again.label}
          </span>
        )}
      </div>
    );
  }
  if (tile.picture !== undefined)
    return (
      <img
        src={tile.picture}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget }) => isLarge(currentTarget) && dispatch({ type: 'shownLarge', id: tile.id })}
        onError={() => dispatch({ type: 'missed', id: tile.id })}
      />
    );
  if (tile.stage === 'saved' && tile.text !== undefined) return <p class="answer">{tile.text}</p>;
  return (
    <div class="card">
      <Icon name={iconOf(tile)} spin={tile.stage === 'active'} />
      <p>{(tile.stage === 'saved' && tile.fileName) || tile.status}</p>
      {tile.story !== undefined && <p class="story">{tile.story}</p>}
    </div>
  );
}

/** A side in pixels that takes noticeably longer to show than a thumbnail. */
const largeSide = 600;

function isLarge({ naturalWidth, naturalHeight }: HTMLImageElement): boolean {
  return Math.max(naturalWidth, naturalHeight) >= largeSide;
}

function iconOf({ stage, kind }: TileView): IconName {
  switch (stage) {
    case 'active':
      return 'loading';
    case 'saved':
      return kind === 'picture' ? 'file-media' : 'file';
    case 'notSaved':
      return 'warning';
    case 'notSent':
      return 'circle';
    case 'unknown':
      return 'question';
    case 'failed':
      return 'error';
  }
}
