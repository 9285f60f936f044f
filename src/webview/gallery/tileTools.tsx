import type { TileView } from '../../pages/galleryMessages';
import { iconNamed } from '../icon';
import { ButtonBar } from '../buttonBar';
import { IconButton } from '../iconButton';
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
  // The context menu has all of them.
  const actions = texts
    .actions(tile.actions)
    .filter(({ button }) => tile.stage !== 'saved' || button === undefined || button === time);
  return (
    <ButtonBar
      class="tools"
      aria-label={texts.say('actionsOf', promptWords(tile, texts))}
      data-id={tile.id}
      style={{
        transform: `translate(${box.left}px, ${box.top + box.width}px) translateY(-100%)`,
        width: `${box.width}px`,
      }}
    >
      {isSelected !== undefined && (
        <IconButton
          icon={isSelected ? 'close' : 'check'}
          label={texts.say(isSelected ? 'deselect' : 'select')}
          onClick={props.onToggle}
        />
      )}
      {actions.map((action) => (
        <IconButton
          key={action.id}
          icon={iconNamed(action.icon)}
          label={action.label}
          onClick={() => props.onAction(action.id)}
        />
      ))}
    </ButtonBar>
  );
}
