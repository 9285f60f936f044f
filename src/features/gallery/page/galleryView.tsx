import { createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { ActionWords, IconButton, Select } from '../../../editor/page/controls';
import { Icon, type IconName } from '../../../editor/page/icon';
import { type Filter, type GalleryStrings, type TileSize, tileSizes, type TileView } from './galleryMessages';
import { Grid } from './grid';
import {
  type Action,
  agentsOfTiles,
  emptiness,
  type GalleryState,
  isNarrow,
  modelsOf,
  narrowed,
  noFilter,
  selectedTiles,
} from './state';

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

const kinds = { all: 'allKinds', image: 'images', text: 'texts', other: 'others' } as const;
const periods = { all: 'anyDate', today: 'today', week: 'lastWeek', month: 'lastMonth' } as const;

/** The filters, and the number of results that match them. */
function FilterRow(props: {
  readonly tiles: readonly TileView[];
  /** Undefined until all are there. */
  readonly shown: number | undefined;
  readonly older: number;
  readonly filter: Filter;
  /** Undefined where it can't be changed. */
  readonly size: TileSize | undefined;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useGalleryTexts();
  const { tiles, shown, older, filter } = props;
  const models = useMemo(() => modelsOf(tiles), [tiles]);
  const narrow = (part: Partial<Filter>) => props.dispatch({ type: 'filtered', filter: { ...filter, ...part } });
  // A selected model stays an option, even without results.
  const known = filter.modelId === '' || models.some(({ id }) => id === filter.modelId);
  const all = known ? models : [...models, { id: filter.modelId, label: filter.modelId }];
  const started = useMemo(() => agentsOfTiles(tiles), [tiles]);
  const agents = filter.agent === '' || started.includes(filter.agent) ? started : [...started, filter.agent];
  return (
    <div class="filters" role="search" aria-label={texts.say('filters')}>
      <div class="text">
        <Icon name="search" />
        <input
          type="search"
          class="vscode-textfield"
          aria-label={texts.say('filterText')}
          placeholder={texts.say('filterText')}
          value={filter.text}
          onInput={(event) => narrow({ text: event.currentTarget.value })}
        />
      </div>
      <Select
        label={texts.say('filterModel')}
        value={filter.modelId}
        options={[['', texts.say('allModels')], ...all.map(({ id, label }) => [id, label] as const)]}
        onChange={(modelId) => narrow({ modelId })}
      />
      {agents.length > 0 && (
        <Select
          label={texts.say('filterAgent')}
          value={filter.agent}
          options={[['', texts.say('anyone')], ...agents.map((name) => [name, `“${name}”`] as const)]}
          onChange={(agent) => narrow({ agent })}
        />
      )}
      <Select
        label={texts.say('filterKind')}
        value={filter.kind}
        options={optionsOf(kinds, (key) => texts.say(key))}
        onChange={(kind) => narrow({ kind })}
      />
      <Select
        label={texts.say('filterDate')}
        value={filter.period}
        options={optionsOf(periods, (key) => texts.say(key))}
        onChange={(period) => narrow({ period })}
      />
      {isNarrow(filter) && (
        <IconButton
          icon="clear-all"
          label={texts.say('clearFilters')}
          onClick={() => props.dispatch({ type: 'filtered', filter: noFilter })}
        />
      )}
      <div class="end">
        <p class="count" role="status">
          {shown !== undefined && (
            <>
              <span aria-hidden="true">{texts.say('count', shown, tiles.length)}</span>
              <span class="only-heard">{texts.say('countHeard', shown, tiles.length)}</span>
            </>
          )}
        </p>
        {props.size && <SizeButtons size={props.size} dispatch={props.dispatch} />}
      </div>
      {older > 0 && (
        <button
          type="button"
          class="vscode-button secondary"
          aria-label={texts.say('olderHeard', older)}
          onClick={() => props.dispatch({ type: 'askedForOlder' })}
        >
          {texts.say('showOlder')}
        </button>
      )}
    </div>
  );
}

function SizeButtons({ size, dispatch }: { readonly size: TileSize; readonly dispatch: (action: Action) => void }) {
  const texts = useGalleryTexts();
  const at = tileSizes.indexOf(size);
  const button = (icon: IconName, label: string, to: TileSize | undefined) => (
    <IconButton icon={icon} label={label} disabled={!to} onClick={() => to && dispatch({ type: 'sized', size: to })} />
  );
  return (
    <span class="sizes">
      {button('zoom-out', texts.say('smallerImages'), tileSizes[at - 1])}
      {button('zoom-in', texts.say('largerImages'), tileSizes[at + 1])}
    </span>
  );
}

function optionsOf<Value extends string>(
  table: Readonly<Record<Value, keyof GalleryStrings>>,
  say: (key: keyof GalleryStrings) => string,
): readonly (readonly [Value, string])[] {
  return (Object.keys(table) as Value[]).map((value) => [value, say(table[value])] as const);
}

/**
 * The state of the selection, and the button that compares it. Always there for screen readers, visible when it has
 * something to say.
 */
function SelectionBar({
  state,
  dispatch,
}: {
  readonly state: GalleryState;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useGalleryTexts();
  const { length } = selectedTiles(state);
  const counted = length > 1 ? 'selectedSeveral' : length === 1 ? 'selectedOne' : undefined;
  const hint = state.hint ?? counted;
  return (
    <div class={hint ? 'selection' : 'selection silent'}>
      <p role="status">{hint && texts.say(hint, length)}</p>
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
          <button
            type="button"
            class="vscode-button secondary"
            onClick={() => dispatch({ type: 'removed', ids: selectedTiles(state).map(({ id }) => id) })}
          >
            <Icon name="trash" />
            {texts.say('moveToTrash')}
          </button>
          <button type="button" class="vscode-button secondary" onClick={() => dispatch({ type: 'unselected' })}>
            {texts.say('clearSelection')}
          </button>
        </div>
      )}
    </div>
  );
}

/** The gallery's texts in the editor's language. */
export class GalleryTexts extends ActionWords<keyof GalleryStrings> {
  private dates: Intl.DateTimeFormat | undefined;

  /** Day and time of a moment, ms since 1970. */
  date(ms: number): string {
    this.dates ??= new Intl.DateTimeFormat(this.language, { dateStyle: 'medium', timeStyle: 'short' });
    return this.dates.format(ms);
  }
}

const context = createContext<GalleryTexts | undefined>(undefined);

/** Provides the texts to everything below. */
const GalleryTextsProvider = context.Provider;

/** The texts of the gallery; it isn't shown before they arrive. */
export function useGalleryTexts(): GalleryTexts {
  const texts = useContext(context);
  if (!texts) throw new Error('The gallery was shown before its texts arrived');
  return texts;
}
