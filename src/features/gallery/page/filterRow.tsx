import { useMemo } from 'preact/hooks';
import { tileSizes, type Filter, type TileSize, type TileView } from './galleryMessages';
import type { GalleryStrings } from './galleryStrings';
import { Icon, type IconName } from '../../../editor/page/icon';
import { IconButton } from '../../../editor/page/iconButton';
import { Select } from '../../../editor/page/select';
import { agentsOf, isNarrow, modelsOf, noFilter } from './filter';
import { useGalleryTexts } from './galleryTexts';
import type { Action } from './state';

const kinds = { all: 'allKinds', picture: 'pictures', text: 'texts', other: 'others' } as const;
const periods = { all: 'anyDate', today: 'today', week: 'lastWeek', month: 'lastMonth' } as const;

/** The filters, and the number of results that match them. */
export function FilterRow(props: {
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
  const started = useMemo(() => agentsOf(tiles), [tiles]);
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
      <p class="count" role="status">
        {shown !== undefined && (
          <>
            <span aria-hidden="true">{texts.say('count', shown, tiles.length)}</span>
            <span class="only-heard">{texts.say('countHeard', shown, tiles.length)}</span>
          </>
        )}
      </p>
      {props.size && <SizeButtons size={props.size} dispatch={props.dispatch} />}
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
