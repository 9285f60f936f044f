import type { TileView } from './galleryMessages';
import { Icon, iconNamed } from '../../../editor/page/icon';
import { ButtonBar } from '../../../editor/page/buttonBar';
import { IconButton } from '../../../editor/page/iconButton';
import { useGalleryTexts } from './galleryTexts';
import type { Box } from './tile';
import { promptWords } from './tileLabel';

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
  // Its main action, and the link of an image; the editor's own menu has all of them.
  const [first, second] = possible;
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
    </ButtonBar>
  );
}

/** Opens the tile's context menu, which the editor draws, below the button. */
function openMenu(id: string, button: HTMLElement): void {
  const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
  document
    .querySelector(`[role=option][data-id="${CSS.escape(id)}"]`)
    ?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX, clientY }));
}
