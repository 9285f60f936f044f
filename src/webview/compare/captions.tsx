import type { PictureView } from '../../pages/compareMessages';
import { Icon } from '../icon';
import type { ComparedProps, CompareProps } from './compareProps';
import { useCompareTexts } from './compareTexts';
import { choosesKept, modeOf, sizesDiffer } from './state';

/** The captions of overlaid images, in order: name, size, bytes, and other facts. */
export function Captions({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  // If each image has its own pane, its caption is there.
  const areApart = modeOf(state) === 'sideBySide';
  return (
    <>
      {!areApart && (
        <div class="captions">
          {comparison.pictures.map((picture, index) => (
            <Caption key={index} picture={picture} index={index} state={state} dispatch={dispatch} />
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
export function Caption({
  picture,
  index,
  state,
  dispatch,
}: CompareProps & { readonly picture: PictureView; readonly index: number }) {
  const texts = useCompareTexts();
  const { title, detail, address, bytes } = picture;
  const size = address === undefined ? undefined : state.sizes.get(address);
  const facts = [
    size && texts.say('pixels', size.width, size.height),
    bytes !== undefined && texts.size(bytes),
    detail,
  ].filter(Boolean);
  return (
    <div class="caption">
      <p class="name" title={title}>
        {title}
      </p>
      <p class="facts">{facts.join(' · ')}</p>
      {choosesKept(state) && (
        <button
          type="button"
          class="mode keep"
          aria-pressed={state.selected.has(index)}
          aria-label={texts.say('keepOne', title)}
          onClick={() => dispatch({ type: 'toggled', index })}
        >
          {state.selected.has(index) && <Icon name="check" />}
          {texts.say('keep')}
        </button>
      )}
    </div>
  );
}
