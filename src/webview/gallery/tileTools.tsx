import type { IconName } from '../icon';
import type { TileAction, TileView } from '../../form/galleryMessages';
import type { GalleryStrings } from '../../form/galleryStrings';
import { IconButton } from '../iconButton';
import { useGalleryTexts } from './galleryTexts';
import type { Box } from './tile';
import { promptWords } from './tileLabel';

const faces: Readonly<Record<TileAction, { readonly icon: IconName; readonly text: keyof GalleryStrings }>> = {
  openResult: { icon: 'go-to-file', text: 'open' },
  revealResult: { icon: 'folder-opened', text: 'reveal' },
  saveAs: { icon: 'save-as', text: 'saveAs' },
  copyPrompt: { icon: 'copy', text: 'copyPrompt' },
  copyPath: { icon: 'link', text: 'copyPath' },
  copyLink: { icon: 'file-media', text: 'copyLink' },
  openInForm: { icon: 'edit', text: 'openInForm' },
  renderAgain: { icon: 'sync', text: 'renderAgain' },
  downloadAgain: { icon: 'cloud-download', text: 'downloadAgain' },
  sendPlanned: { icon: 'play', text: 'sendPlanned' },
  discardPlanned: { icon: 'discard', text: 'discardPlanned' },
  compareWithService: { icon: 'search', text: 'compareWithService' },
  reviewStaged: { icon: 'split-horizontal', text: 'reviewStaged' },
};

/** What has no button where the file is there, and where it is gone; the context menu offers all of it. */
const seldom: Readonly<Record<'there' | 'gone', ReadonlySet<TileAction>>> = {
  there: new Set(['copyLink', 'downloadAgain', 'saveAs']),
  gone: new Set(['openResult', 'revealResult', 'copyPath', 'copyLink']),
};

/** The buttons of the tile that is pointed at or has the focus. They stand beside the list, not in it: an option holds no buttons. */
export function TileTools(props: {
  readonly tile: TileView;
  readonly box: Box;
  readonly isMissing: boolean;
  /** Undefined where there is nothing to select. */
  readonly isSelected: boolean | undefined;
  readonly onToggle: () => void;
  readonly onAction: (action: TileAction) => void;
}) {
  const texts = useGalleryTexts();
  const { tile, box, isMissing, isSelected } = props;
  const left = tile.stage === 'saved' ? seldom[isMissing ? 'gone' : 'there'] : undefined;
  const actions = tile.actions.filter((action) => left?.has(action) !== true);
  return (
    <div
      class="tools"
      role="group"
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
          key={action}
          icon={faces[action].icon}
          label={texts.say(faces[action].text)}
          onClick={() => props.onAction(action)}
        />
      ))}
    </div>
  );
}
