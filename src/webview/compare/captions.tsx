import type { ComparisonView, PictureView } from '../../pages/compareMessages';
import { useCompareTexts } from './compareTexts';
import { modeOf, sizesDiffer, type CompareState } from './state';

/** The captions of overlaid images, in order: name, size, bytes, and other facts. */
export function Captions({ state, comparison }: { readonly state: CompareState; readonly comparison: ComparisonView }) {
  const texts = useCompareTexts();
  // If each image has its own pane, its caption is there.
  const areApart = modeOf(state) === 'sideBySide';
  return (
    <>
      {!areApart && (
        <div class="captions">
          {comparison.pictures.map((picture, index) => (
            <Caption key={index} picture={picture} state={state} />
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

/** The caption of one image. */
export function Caption({ picture, state }: { readonly picture: PictureView; readonly state: CompareState }) {
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
    </div>
  );
}
