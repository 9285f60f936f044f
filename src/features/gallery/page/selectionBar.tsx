import { Icon } from '../../../editor/page/icon';
import { useGalleryTexts } from './galleryTexts';
import { selectedTiles, type Action, type GalleryState } from './state';

/**
 * The state of the selection, and the button that compares it. Always there for screen readers, visible when it has
 * something to say.
 */
export function SelectionBar({
  state,
  dispatch,
}: {
  readonly state: GalleryState;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useGalleryTexts();
  const { length } = selectedTiles(state);
  const counted = length > 1 ? 'selectedSeveral' : length === 1 ? 'selectedOne' : undefined;
  const said = state.hint ?? counted;
  return (
    <div class={said ? 'selection' : 'selection silent'}>
      <p role="status">{said && texts.say(said, length)}</p>
      {length > 0 && (
        <div class="buttons">
          {length > 1 && (
            <button
              type="button"
              class="vscode-button"
              aria-keyshortcuts="c"
              onClick={() => dispatch({ type: 'compared' })}
            >
              <Icon name="split-horizontal" />
              {texts.say('compare')}
            </button>
          )}
          <button type="button" class="vscode-button secondary" onClick={() => dispatch({ type: 'unselected' })}>
            {texts.say('clearSelection')}
          </button>
        </div>
      )}
    </div>
  );
}
