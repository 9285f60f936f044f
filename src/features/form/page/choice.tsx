import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Choice, chosenValue, type Field, isAmongChosen } from '../../../catalog/fields';
import { Icon } from '../../../editor/page/icon';
import { type ControlProps, placeholderOf, shared, textOfValue } from './control';
import { useTexts } from './texts';

/** The control for a field's options, by their number and length. */
export function choiceStyle(field: Field): 'tiles' | 'select' | 'combobox' {
  const choices = field.choices ?? [];
  if (choices.length > 15) return 'combobox';
  if (!field.required && field.default === undefined) return 'select';
  if (choices.every((choice) => ratioOf(choice) !== undefined)) return 'tiles';
  return choices.length <= 4 && choices.every((choice) => choice.label.length <= 14) ? 'tiles' : 'select';
}

/** One of several options. */
export function ChoiceControl(props: ControlProps) {
  switch (choiceStyle(props.field)) {
    case 'combobox':
      return <Combobox {...props} />;
    case 'select':
      return <Select {...props} />;
    case 'tiles':
      return <RowOfTiles {...props} {...inOneRow(props.field.choices ?? [])} />;
  }
}

/** The aspect ratios that people choose most, from wide to tall. */
const usualRatios = ['1:1', '3:2', '4:3', '16:9', '2:3', '3:4', '9:16'];
/** As many as fit into a row, with room for one more: a list of one would take as much. */
const mostInRow = 7;

/** Options as one row of buttons: of many aspect ratios, the usual ones, and others to fill it; a list has the rest. */
export function inOneRow(choices: readonly Choice[]): {
  readonly choices: readonly Choice[];
  readonly rest: readonly Choice[];
} {
  if (choices.length <= mostInRow + 1) return { choices, rest: [] };
  const usual = usualRatios.flatMap((ratio) => choices.find(({ value }) => value === ratio) ?? []);
  const others = choices.filter((choice) => !usual.includes(choice));
  const row = [...usual, ...others.slice(0, mostInRow - usual.length)];
  return { choices: row, rest: others.filter((choice) => !row.includes(choice)) };
}

function RowOfTiles(props: ControlProps & ReturnType<typeof inOneRow>) {
  const { field, describedBy, rest } = props;
  if (rest.length === 0) return <Tiles {...props} />;
  const chosen = rest.findIndex((choice) => isChosen(choice, props));
  const onChoose = (choice: Choice) => props.onChange(choice.value);
  return (
    <div class="one-row">
      <Tiles {...props} />
      <MoreChoices {...{ field, describedBy, rest, chosen, onChoose }} />
    </div>
  );
}

/** The options that aren't in the row. */
export function MoreChoices(props: {
  readonly field: Field;
  readonly describedBy: string | undefined;
  readonly rest: readonly Choice[];
  /** Which of them is shown in place of "More…"; -1 for none. */
  readonly chosen: number;
  /** None can be chosen now. */
  readonly isStuck?: boolean;
  readonly onChoose: (choice: Choice) => void;
}) {
  const texts = useTexts();
  const { rest, chosen, isStuck = false } = props;
  if (rest.length === 0) return null;
  return (
    <div class={`vscode-select${chosen < 0 ? '' : ' chosen'}`}>
      <select
        aria-label={texts.say('moreChoices', props.field.label)}
        aria-describedby={props.describedBy}
        value={String(chosen)}
        onChange={(event) => {
          const choice = rest[Number(event.currentTarget.value)];
          if (choice) props.onChoose(choice);
        }}
      >
        {chosen < 0 && <option value="-1">{texts.say('more')}</option>}
        {rest.map((choice, index) => (
          // Not the list: it keeps the focus.
          <option value={String(index)} disabled={isStuck}>
            {choice.label}
          </option>
        ))}
      </select>
      <span class="chevron-icon">
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}

/**
 * One row for a choice of several: the usual options, and those of the others that are chosen, or were pressed since
 * the page opened, so that none goes away under the pointer.
 */
export function useOneRow(choices: readonly Choice[], isIn: (choice: Choice) => boolean) {
  const [kept, setKept] = useState<readonly Choice['value'][]>([]);
  const { choices: usual, rest } = inOneRow(choices);
  const isShown = (choice: Choice) => isIn(choice) || kept.includes(choice.value);
  return {
    /** More than fit into a row, so they stand closer. */
    isLong: rest.length > 0,
    row: [...usual, ...rest.filter(isShown)],
    rest: rest.filter((choice) => !isShown(choice)),
    keep: ({ value }: Choice) => setKept([...kept.filter((one) => one !== value), value]),
  };
}

function Select(props: ControlProps) {
  const texts = useTexts();
  const choices = props.field.choices ?? [];
  const chosen = choices.findIndex((choice) => isChosen(choice, props));
  return (
    <div class="vscode-select">
      <select
        {...shared(props)}
        value={String(chosen)}
        onChange={(event) => props.onChange(choices[Number(event.currentTarget.value)]?.value ?? '')}
      >
        {(chosen < 0 || !props.field.required) && props.field.default === undefined && (
          <option value="-1">{props.field.required ? '' : texts.say('leftOut')}</option>
        )}
        {choices.map((choice, index) => (
          <option value={String(index)}>{choice.label}</option>
        ))}
      </select>
      <span class="chevron-icon">
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}

/** A few short options as radio buttons, with aspect ratios drawn. The group's label names them all. */
export function Tiles(props: ControlProps & { readonly choices: readonly Choice[] }) {
  const chosen = props.choices.findIndex((choice) => isChosen(choice, props));
  return (
    <div
      class="tiles"
      role="radiogroup"
      aria-labelledby={props.labelId}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid}
      aria-required={props.field.required}
    >
      {props.choices.map((choice, index) => (
        <label class="tile">
          <input
            type="radio"
            // A click on the label, and focusing the field, go to the first or selected one.
            id={index === Math.max(0, chosen) ? props.id : undefined}
            name={props.id}
            checked={index === chosen}
            onChange={() => props.onChange(choice.value)}
          />
          <Ratio ratio={ratioOf(choice)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}

/** Several of the options, as check boxes that look like those. The group's label names them all. */
export function ChoicesControl(props: ControlProps) {
  const { field, describedBy, value } = props;
  const choices = field.choices ?? [];
  const { isLong, row, rest, keep } = useOneRow(choices, (choice) => isAmongChosen(value, choice));
  const toggle = (toggled: Choice) => {
    keep(toggled);
    const chosen = choices.filter((choice) => isAmongChosen(value, choice) !== (choice === toggled));
    props.onChange(chosenValue(field, new Set(chosen.map((choice) => choice.value))));
  };
  return (
    <div class={isLong ? 'one-row' : undefined}>
      <div class="tiles" role="group" aria-labelledby={props.labelId} aria-describedby={describedBy}>
        {row.map((choice, index) => (
          <label key={choice.value} class="tile">
            <input
              type="checkbox"
              id={index === 0 ? props.id : undefined}
              checked={isAmongChosen(value, choice)}
              aria-invalid={props.invalid}
              onChange={() => toggle(choice)}
            />
            <Ratio ratio={ratioOf(choice)} />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      <MoreChoices {...{ field, describedBy, rest }} chosen={-1} onChoose={toggle} />
    </div>
  );
}

function isChosen(choice: Choice, { value }: ControlProps): boolean {
  return choice.value === value || (value !== '' && String(choice.value) === textOfValue(value));
}

interface Proportion {
  readonly width: number;
  readonly height: number;
}

/** "16:9" as a proportion; undefined for anything else. */
export function ratioOf(choice: Choice): Proportion | undefined {
  const match = /^(\d{1,3}):(\d{1,3})$/.exec(String(choice.value));
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** A proportion, drawn. */
export function Ratio({ ratio }: { readonly ratio: Proportion | undefined }) {
  if (!ratio) return null;
  const scale = 14 / Math.max(ratio.width, ratio.height);
  const [width, height] = [ratio.width * scale, ratio.height * scale];
  return (
    <svg class="ratio" viewBox="0 0 16 16" aria-hidden="true">
      <rect x={8 - width / 2} y={8 - height / 2} width={width} height={height} rx="1" />
    </svg>
  );
}

/** The most options drawn: typing narrows them down. */
const mostShown = 100;

/**
 * One of many options: a text box that filters a list below it (the ARIA pattern "combobox with list autocomplete").
 */
function Combobox(props: ControlProps) {
  const texts = useTexts();
  const choices = props.field.choices ?? [];
  const chosen = choices.find((choice) => String(choice.value) === textOfValue(props.value));
  const [filter, setFilter] = useState<string>();
  const [active, setActive] = useState(-1);
  const matches = useMemo(() => matching(choices, filter ?? ''), [choices, filter]);
  const shown = matches.slice(0, mostShown);
  const open = filter !== undefined;
  const list = useRef<HTMLUListElement>(null);

  const close = () => {
    setFilter(undefined);
    setActive(-1);
  };
  const choose = (choice: Choice | undefined) => {
    if (choice) props.onChange(choice.value);
    close();
  };
  /** `first`: the option to highlight while none is chosen. */
  const begin = (first: number) => {
    setFilter('');
    setActive(chosen ? choices.indexOf(chosen) : first);
  };
  /** What is highlighted is ordered with the rest; nothing is while a text matches no option. */
  const onOrder = (event: KeyboardEvent) => {
    if (!open || event.key !== 'Enter') return;
    if (filter !== '' && !shown[active]) event.stopPropagation();
    else choose(shown[active]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return onOrder(event);
    if (!open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) begin(0);
    else if (open && event.key === 'Escape') close();
    else if (open && event.key === 'Enter') choose(shown[active]);
    else if (open && moves[event.key]) setActive(moves[event.key]?.(active, shown.length) ?? active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(() => {
    // The whole list scrolls into view, above the bar.
    if (open) list.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, open]);

  return (
    <div class="combobox">
      <input
        {...shared(props)}
        type="text"
        role="combobox"
        class="vscode-textfield"
        autocomplete="off"
        spellcheck={false}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${props.id}-list`}
        aria-activedescendant={open && shown[active] ? `${props.id}-${active}` : undefined}
        value={filter ?? chosen?.label ?? textOfValue(props.value)}
        placeholder={open ? texts.say('filterChoices') : (placeholderOf(props.field) ?? texts.say('leftOut'))}
        onInput={(event) => {
          setFilter(event.currentTarget.value);
          setActive(0);
        }}
        onClick={() => !open && begin(-1)}
        onBlur={() => choose(filter ? labeled(choices, filter) : undefined)}
        onKeyDown={onKeyDown}
      />
      {!open && !props.field.required && textOfValue(props.value) !== '' && props.field.default === undefined && (
        <button
          type="button"
          class="vscode-action-button clear"
          aria-label={texts.say('clear', props.field.label)}
          title={texts.say('clear', props.field.label)}
          onClick={() => props.onChange('')}
        >
          <Icon name="close" />
        </button>
      )}
      <span class="chevron-icon">
        <Icon name="chevron-down" />
      </span>
      <ul id={`${props.id}-list`} ref={list} role="listbox" aria-labelledby={props.labelId} hidden={!open}>
        {open &&
          shown.map((choice, index) => (
            <li
              id={`${props.id}-${index}`}
              role="option"
              aria-selected={index === active}
              // The text box keeps the focus: losing it closes the list before the click arrives.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              <span>{choice.label}</span>
              {choice === chosen && <Icon name="check" />}
            </li>
          ))}
      </ul>
      {open && shown.length < choices.length && (
        <p class="matches" role="status">
          {shown.length === 0 ? texts.say('noChoice') : texts.say('choicesShown', shown.length, choices.length)}
        </p>
      )}
    </div>
  );
}

const moves: Readonly<Record<string, (active: number, count: number) => number>> = {
  ArrowDown: (active, count) => Math.min(active + 1, count - 1),
  ArrowUp: (active) => Math.max(active - 1, 0),
  PageDown: (active, count) => Math.min(active + 10, count - 1),
  PageUp: (active) => Math.max(active - 10, 0),
};

/** Options whose label contains every typed word, in any order and case. */
export function matching(choices: readonly Choice[], filter: string): readonly Choice[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter((choice) => {
    const label = choice.label.toLowerCase();
    return words.every((word) => label.includes(word));
  });
}

/** The only option with this label, in any case. */
function labeled(choices: readonly Choice[], text: string): Choice | undefined {
  const same = choices.filter(({ label }) => label.toLowerCase() === text.trim().toLowerCase());
  return same.length === 1 ? same[0] : undefined;
}
