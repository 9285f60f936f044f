import { useId } from 'preact/hooks';
import type { PictureView } from './compareMessages';
import { Icon } from '../../../editor/page/icon';
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
      {choosesKept(state) && (
        <Keep title={title} isKept={state.selected.has(index)} onToggle={() => dispatch({ type: 'toggled', index })} />
      )}
      <p class="facts">{facts.join(' · ')}</p>
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
