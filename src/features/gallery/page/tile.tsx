import { Component, type FunctionComponent } from 'preact';
import { type ActionView, ButtonBar, dragFile, IconButton } from '../../../editor/page/controls';
import { Icon, type IconName, iconNamed, Small } from '../../../editor/page/icon';
import type { Action } from './state';
import type { RelatedView, TileView } from './galleryMessages';
import { type GalleryTexts, useGalleryTexts } from './galleryView';

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
      {(tile.from ?? tile.to) && <Relatives {...props} />}
      <p class="prompt" title={promptWords(tile, texts)} aria-hidden="true">
        {promptWords(tile, texts)}
      </p>
      <p class="facts" aria-hidden="true">
        <span class="model">{tile.model}</span>
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

/** The images that it was made from, and those that were made from it: for pointers, a way to how it was made. */
function Relatives({ tile, width, dispatch }: Props) {
  const texts = useGalleryTexts();
  const { id, from = [], to = [] } = tile;
  return (
    <span
      class="relatives"
      aria-hidden="true"
      style={{ top: px(width) }}
      title={relativesWords(tile, texts).join('\n')}
      onClick={() => dispatch({ type: 'asked', action: 'howMade', id })}
    >
      {from.map(({ address }, index) => (
        <Small key={index} address={address} />
      ))}
      {to.length > 0 && (
        <span class="arrow">
          <Icon name="chevron-right" />
        </span>
      )}
      {to.map(({ address }, index) => (
        <Small key={index} address={address} />
      ))}
    </span>
  );
}

function relativesWords({ from, to }: TileView, texts: GalleryTexts): string[] {
  return [...(from ? [texts.say('madeFrom', namesOf(from))] : []), ...(to ? [texts.say('usedFor', namesOf(to))] : [])];
}

function namesOf(related: readonly RelatedView[]): string {
  return related
    .map(({ name }) => name)
    .filter(Boolean)
    .join(', ');
}

function px(length: number): string {
  return `${length}px`;
}

/** The data for the editor's context menu and its commands. */
function menuContext({ id, menu }: TileView): string {
  return JSON.stringify({ id, viewItem: ['render', ...menu].join(' '), preventDefaultContextMenuItems: true });
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
  if (tile.image !== undefined)
    return (
      <img
        src={tile.image}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={tile.file !== undefined}
        onDragStart={(event) => tile.file !== undefined && dragFile(event, tile.file)}
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
      return kind === 'image' ? 'file-media' : 'file';
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

/** The buttons of the hovered or focused tile. They're outside the list, since an option can't contain buttons. */
export function TileTools(props: {
  readonly tile: TileView;
  readonly box: Box;
  readonly isMissing: boolean;
  /** Undefined when it can't be selected. */
  readonly isSelected: boolean | undefined;
  readonly onToggle: () => void;
  readonly onAction: (action: string) => void;
}) {
  const texts = useGalleryTexts();
  const { tile, box, isMissing, isSelected } = props;
  const time = isMissing ? 'gone' : 'there';
  const possible = texts
    .actions(tile.actions)
    .filter(({ button }) => tile.stage !== 'saved' || button === undefined || button === time);
  const again = possible.find(({ id }) => id === 'renderAgain');
  // Its main action, and the link of an image; the editor's own menu has all of them.
  const [first, second] = possible.filter((action) => action !== again);
  const next = possible.find(({ id }) => id === 'copyLink') ?? second;
  const actions = [first, next].filter((action) => action !== undefined);
  return (
    <ButtonBar
      class="tools"
      aria-label={texts.say('actionsOf', promptWords(tile, texts))}
      data-id={tile.id}
      style={{
        transform: `translate(${box.left}px, ${box.top}px)`,
        height: `${box.width}px`,
        width: `${box.width}px`,
      }}
    >
      {isSelected !== undefined && (
        <span class={isSelected ? 'pick picked' : 'pick'}>
          <IconButton icon="check" label={texts.say(isSelected ? 'deselect' : 'select')} onClick={props.onToggle} />
        </span>
      )}
      <span class="acts">
        {actions.map((action) => (
          <IconButton
            key={action.id}
            icon={iconNamed(action.icon)}
            label={action.label}
            onClick={() => props.onAction(action.id)}
          />
        ))}
        <button
          type="button"
          class="vscode-action-button"
          title={texts.say('moreActions')}
          aria-label={texts.say('moreActions')}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openMenu(tile.id, currentTarget)}
        >
          <Icon name="ellipsis" />
        </button>
      </span>
      {again && <Again action={again} {...props} />}
    </ButtonBar>
  );
}

/** The narrowest tile whose *Render Again* has room for more than its price, px. */
const roomForWords = 200;

/** The one button that spends: the press is the confirmation, so the price is on it. */
function Again(props: {
  readonly action: ActionView;
  readonly tile: TileView;
  readonly box: Box;
  readonly onAction: (action: string) => void;
}) {
  const texts = useGalleryTexts();
  const { action, tile, box } = props;
  const label = texts.priced(action, tile.againCents);
  const price = tile.againCents === undefined ? undefined : texts.money(tile.againCents);
  const hasWords = box.width >= roomForWords;
  return (
    <span class="again">
      <button
        type="button"
        class="vscode-action-button"
        title={label}
        aria-label={label}
        onClick={() => props.onAction(action.id)}
      >
        <Icon name={iconNamed(action.icon)} />
        {hasWords && <span class="words">{action.label}</span>}
        {price !== undefined && <span class="amount">{hasWords ? `· ${price}` : price}</span>}
      </button>
    </span>
  );
}

/** Opens the tile's context menu, which the editor draws, below the button. */
function openMenu(id: string, button: HTMLElement): void {
  const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
  document
    .querySelector(`[role=option][data-id="${CSS.escape(id)}"]`)
    ?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX, clientY }));
}

/** The label of a tile for a screen reader: prompt, model, price, date, and position. */
export function tileLabel(tile: TileView, missing: boolean, texts: GalleryTexts): string {
  const parts = [
    promptWords(tile, texts),
    tile.model,
    tile.spokenPrice,
    texts.date(tile.at),
    missing ? texts.say('gone') : tile.status,
    ...relativesWords(tile, texts),
  ];
  return parts.filter(Boolean).join(', ');
}

/** The prompt, or its substitute. */
function promptWords({ prompt }: TileView, texts: GalleryTexts): string {
  return prompt || texts.say('withoutPrompt');
}
