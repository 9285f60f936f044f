import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { Icon } from '../../../editor/page/icon';
import { narrowed, noFilter } from './filter';
import { FilterRow } from './filterRow';
import { GalleryTexts, GalleryTextsProvider, useGalleryTexts } from './galleryTexts';
import { Grid } from './grid';
import { SelectionBar } from './selectionBar';
import { emptiness, type Action, type GalleryState } from './state';

interface Props {
  readonly state: GalleryState;
  readonly dispatch: (action: Action) => void;
}

/** The whole gallery. Shows nothing before the texts have arrived. */
export function GalleryView(props: Props) {
  const given = props.state.texts;
  const texts = useMemo(() => given && new GalleryTexts(given.strings, given.locale, given.actions), [given]);
  if (!texts) return null;
  return (
    <GalleryTextsProvider value={texts}>
      <Content {...props} />
    </GalleryTextsProvider>
  );
}

function Content({ state, dispatch }: Props) {
  const texts = useGalleryTexts();
  const { tiles, filter } = state;
  const shown = useMemo(() => narrowed(tiles, filter, Date.now()), [tiles, filter]);
  const empty = emptiness(state, shown.length);
  const isLow = useLow();
  return (
    <main class={isLow ? 'gallery low' : 'gallery'}>
      <h1 class="only-heard">{texts.say('title')}</h1>
      {empty !== 'nothingYet' && (
        <FilterRow
          tiles={tiles}
          shown={state.loaded ? shown.length : undefined}
          older={state.older}
          filter={filter}
          size={isLow ? undefined : state.size}
          dispatch={dispatch}
        />
      )}
      {state.elsewhere !== '' && (
        <p class="elsewhere">
          {state.elsewhere}{' '}
          <button type="button" class="vscode-button secondary" onClick={() => dispatch({ type: 'askedForAll' })}>
            {texts.say('showAll')}
          </button>
        </p>
      )}
      {empty ? (
        <Empty kind={empty} dispatch={dispatch} />
      ) : (
        <Grid tiles={shown} size={isLow ? 'low' : state.size} state={state} dispatch={dispatch} />
      )}
      <SelectionBar state={state} dispatch={dispatch} />
    </main>
  );
}

function Empty(props: {
  readonly kind: 'loading' | 'nothingYet' | 'nothingMatches';
  readonly dispatch: Props['dispatch'];
}) {
  const texts = useGalleryTexts();
  const { kind, dispatch } = props;
  if (kind === 'loading') {
    return (
      <div class="message">
        <Icon name="loading" spin />
        <p>{texts.say('loading')}</p>
      </div>
    );
  }
  if (kind === 'nothingMatches') {
    return (
      <div class="message">
        <Icon name="search" />
        <h2>{texts.say('nothingMatches')}</h2>
        <button
          type="button"
          class="vscode-button secondary"
          onClick={() => dispatch({ type: 'filtered', filter: noFilter })}
        >
          {texts.say('clearFilters')}
        </button>
      </div>
    );
  }
  return (
    <div class="message">
      <Icon name="sparkle" />
      <h2>{texts.say('nothingYet')}</h2>
      <p>{texts.say('nothingYetHelp')}</p>
      <button type="button" class="vscode-button" onClick={() => dispatch({ type: 'askedForModel' })}>
        {texts.say('openModel')}
      </button>
    </div>
  );
}

/** Below this height only one row of tiles fits at the usual size, px. */
const low = 480;

/** True while the page is so low that everything should be smaller, as above a terminal. */
function useLow(): boolean {
  const [isLow, setLow] = useState(innerHeight < low);
  useLayoutEffect(() => {
    const measure = () => setLow(innerHeight < low);
    addEventListener('resize', measure);
    measure();
    return () => removeEventListener('resize', measure);
  }, []);
  return isLow;
}
