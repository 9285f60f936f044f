import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { oneLine } from '../../../base/plain';
import {
  type Choice,
  type Field,
  type FieldValue,
  imageItems,
  isAmongChosen,
  maskedField,
  promptField,
  issueText,
} from '../../../catalog/fields';
import { isVariable } from '../../../compose/varying';
import { Select, useFirstFocus, IconButton } from '../../../editor/page/controls';
import { Icon } from '../../../editor/page/icon';
import { ChoiceControl, ChoicesControl, choiceStyle, MoreChoices, Ratio, ratioOf, Tiles, useOneRow } from './choice';
import { textOfValue, type ControlProps } from './control';
import type { VariantsView } from './formMessages';
import { type MaskedImage, ImageControl, type ImageProps } from './image';
import {
  type Action,
  arrangedFields,
  filteredFields,
  fixedOf,
  type FormState,
  isChanged,
  isFiltering,
  shownIssue,
  type ShownIssue,
  valueOf,
  isResettable,
} from './state';
import { type Texts, useTexts } from './texts';
import { takesMore, toggled, type VariedValue, variedValues } from './varying';
import {
  BooleanControl,
  ColorControl,
  hasSlider,
  JsonControl,
  LongTextControl,
  NumberControl,
  SeedControl,
  TextControl,
} from './inputs';

/** The model's inputs in the service's order, with many optional ones collapsed. */
export function Fields(props: {
  readonly state: FormState;
  readonly fields: readonly Field[];
  readonly dispatch: (action: Action) => void;
  /** In one column: what stands directly under the prompt. */
  readonly results: ComponentChildren;
}) {
  const { state, fields, dispatch, results } = props;
  const { main, more } = arrangedFields(fields);
  const place = useRef<HTMLDivElement>(null);
  const focus = state.focus;
  const first = promptField(fields) ?? fields[0];
  useFirstFocus(() => (first ? place.current?.querySelector(`#${idOf(fields.indexOf(first))}`) : undefined));
  useEffect(() => {
    if (!focus) return;
    const index = fields.findIndex((field) => field.name === focus.field);
    place.current?.querySelector<HTMLElement>(`#${idOf(index)}`)?.focus();
  }, [focus]);

  const prompt = promptField(fields);
  const promptId = prompt && idOf(fields.indexOf(prompt));
  const fixedRow = (field: Field, value: FieldValue) => (
    <FixedRow
      key={field.name}
      field={field}
      id={idOf(fields.indexOf(field))}
      value={value}
      style={state.style?.chosen?.label ?? ''}
      shown={shownIssue(state, field)}
    />
  );
  const variedRow = (field: Field) => (
    <VariedRow
      key={field.name}
      field={field}
      id={idOf(fields.indexOf(field))}
      value={valueOf(state, field.name)}
      variants={state.variants}
      shown={shownIssue(state, field)}
      onChange={(values) => dispatch({ type: 'varied', field: field.name, values })}
    />
  );
  const maskedBy = (field: Field): MaskedImage | undefined => {
    const masked = field.image?.mask && maskedField(fields, field);
    if (!masked) return undefined;
    return {
      label: masked.label,
      item: imageItems(valueOf(state, masked.name))[0],
      strokes: state.painting?.field === field.name ? state.painting.strokes : undefined,
      onPaint: (strokes) => dispatch({ type: 'painted', field, strokes }),
    };
  };
  const ownRow = (field: Field) => (
    <FieldRow
      key={field.name}
      field={field}
      id={idOf(fields.indexOf(field))}
      value={valueOf(state, field.name)}
      shown={shownIssue(state, field)}
      onChange={(value, typing) => dispatch({ type: 'edited', field: field.name, value, typing })}
      images={{
        urls: state.images,
        masked: maskedBy(field),
        onAsk: (ask) => dispatch({ type: 'asked', ask }),
        onRefuse: (problem) => dispatch({ type: 'imageRefused', field: field.name, problem }),
      }}
      onLeave={() => dispatch({ type: 'left', field: field.name })}
      onReset={() => dispatch({ type: 'fieldReset', field: field.name })}
    />
  );
  const row = (field: Field) => {
    const fixed = fixedOf(state, field.name);
    if (fixed !== undefined) return fixedRow(field, fixed);
    return state.varying && isVariable(field) ? variedRow(field) : ownRow(field);
  };
  const rowWithPrompts = (field: Field) => [
    row(field),
    field === prompt && <PromptTools key="tools" state={state} dispatch={dispatch} />,
    field === first && results,
  ];
  const isNarrowed = isFiltering(state);
  const shownFields = isNarrowed ? filteredFields(state) : main;
  return (
    <div
      class="fields"
      ref={place}
      onKeyDown={(event) => (event.target as Element).id === promptId && recallByKey(event, dispatch)}
    >
      {more.length > 0 && <FieldSearch state={state} dispatch={dispatch} />}
      {shownFields.map(rowWithPrompts)}
      {!shownFields.some((field) => field === first) && results}
      {more.length > 0 && !isNarrowed && (
        <details
          class="more"
          open={state.moreOpen}
          onToggle={(event) => dispatch({ type: 'moreToggled', open: event.currentTarget.open })}
        >
          <summary>
            <Icon name="chevron-right" />
            <MoreTitle count={more.length} changed={countChanged(more, state)} />
          </summary>
          {more.map(row)}
        </details>
      )}
    </div>
  );
}

function MoreTitle({ count, changed }: { readonly count: number; readonly changed: number }) {
  const texts = useTexts();
  return <span>{changed > 0 ? texts.say('moreOptionsChanged', count, changed) : texts.say('moreOptions', count)}</span>;
}

function countChanged(fields: readonly Field[], state: FormState): number {
  return fields.filter((field) => isChanged(field, valueOf(state, field.name))).length;
}

function idOf(index: number): string {
  return `field-${index}`;
}

/** Narrows a long list of fields to those with these words, or to the changed ones. */
function FieldSearch({ state, dispatch }: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  const { text = '', changed } = state.filter ?? {};
  return (
    <div class="field-search" role="search">
      <div class="box">
        <Icon name="search" />
        <input
          type="search"
          class="vscode-textfield"
          spellcheck={false}
          aria-label={texts.say('searchInputs')}
          placeholder={texts.say('searchInputs')}
          value={text}
          onInput={(event) => dispatch({ type: 'searched', text: event.currentTarget.value })}
        />
      </div>
      <button
        type="button"
        class="toggle"
        aria-pressed={changed !== undefined}
        onClick={() => dispatch({ type: 'changedToggled' })}
      >
        {texts.say('changedOnly')}
      </button>
      <p class="quiet none" role="status">
        {filteredFields(state).length === 0 && texts.say('noInputs')}
      </p>
    </div>
  );
}

/** In place of a field’s row: its options as check boxes, to select several. */
function VariedRow(props: {
  readonly field: Field;
  readonly id: string;
  /** The field’s own, while it isn’t varied. */
  readonly value: FieldValue;
  readonly variants: VariantsView | undefined;
  readonly shown: ShownIssue;
  readonly onChange: (values: readonly VariedValue[]) => void;
}) {
  const { field, id, shown, variants } = props;
  const texts = useTexts();
  const choices = field.kind === 'boolean' ? yesOrNo(texts) : (field.choices ?? []);
  const own = choices.filter(({ value }) => props.value !== '' && String(value) === textOfValue(props.value));
  const values = variedValues(variants, field.name) ?? own.map(({ value }) => value);
  const hasRoom = variants !== undefined && takesMore(variants, field.name);
  const parts = [field.help && `${id}-help`, shown && `${id}-issue`].filter(Boolean);
  const describedBy = parts.join(' ') || undefined;
  const { isLong, row, rest, keep } = useOneRow(choices, ({ value }) => values.includes(value));
  const press = (choice: Choice) => {
    keep(choice);
    props.onChange(pressed(choice.value, values, hasRoom, choices));
  };
  return (
    <div class="field varied">
      <span id={`${id}-label`} class="vscode-label">
        {field.label}
        {field.required && (
          <span class="required" aria-hidden="true">
            {texts.say('required')}
          </span>
        )}
      </span>
      {field.help && (
        <p id={`${id}-help`} class="help">
          {field.help}
        </p>
      )}
      <div class={isLong ? 'one-row' : undefined}>
        <div class="tiles" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
          {row.map((choice, index) => (
            <Option
              key={choice.value}
              id={index === 0 ? id : undefined}
              choice={choice}
              isChecked={values.includes(choice.value)}
              isStuck={isStuck(choice.value, values, hasRoom)}
              onChange={() => press(choice)}
            />
          ))}
        </div>
        <MoreChoices
          {...{ field, describedBy, rest }}
          chosen={-1}
          isStuck={values.length > 1 && !hasRoom}
          onChoose={press}
        />
      </div>
      {shown && <Issue id={`${id}-issue`} shown={shown} />}
    </div>
  );
}

function Option(props: {
  readonly id: string | undefined;
  readonly choice: Choice;
  readonly isChecked: boolean;
  /** It can’t be changed now. */
  readonly isStuck: boolean;
  readonly onChange: () => void;
}) {
  const { choice, isChecked, isStuck } = props;
  return (
    <label class={isStuck && !isChecked ? 'tile stuck' : 'tile'}>
      <input
        type="checkbox"
        id={props.id}
        checked={isChecked}
        // Not `disabled`: it keeps the focus.
        aria-disabled={isStuck}
        onClick={(event) => isStuck && event.preventDefault()}
        onChange={() => !isStuck && props.onChange()}
      />
      <Ratio ratio={ratioOf(choice)} />
      <span>{choice.label}</span>
    </label>
  );
}

/** The last one stays; others are refused where there’s no room for more of several. */
function isStuck(value: VariedValue, values: readonly VariedValue[], hasRoom: boolean): boolean {
  return values.includes(value) ? values.length === 1 : values.length > 1 && !hasRoom;
}

/** Without room for a second one, another takes the place of the only one. */
function pressed(value: VariedValue, values: readonly VariedValue[], hasRoom: boolean, choices: readonly Choice[]) {
  return hasRoom || values.length > 1 ? toggled(values, value, choices) : [value];
}

/** In place of a field’s row: the value that the chosen style has for it, which a user can’t change here. */
function FixedRow(props: {
  readonly field: Field;
  readonly id: string;
  readonly value: FieldValue;
  /** The style’s name. */
  readonly style: string;
  readonly shown: ShownIssue;
}) {
  const texts = useTexts();
  const { field, id, shown } = props;
  return (
    <div
      id={id}
      class="field fixed"
      // What leads to a field leads here.
      tabIndex={-1}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={shown && `${id}-issue`}
    >
      <span id={`${id}-label`} class="vscode-label">
        {field.label}
      </span>
      <p>{valueWords(field, props.value, texts)}</p>
      <p class="hint">
        <Icon name="lock" /> {texts.say('setByStyle', props.style)}
      </p>
      {shown && <Issue id={`${id}-issue`} shown={shown} />}
    </div>
  );
}

function valueWords(field: Field, value: FieldValue, texts: Texts): string {
  if (value === '') return texts.say('leftOut');
  if (typeof value === 'boolean') return texts.say(value ? 'yes' : 'no');
  if (field.kind === 'choices') {
    const chosen = field.choices?.filter((choice) => isAmongChosen(value, choice)) ?? [];
    return chosen.map(({ label }) => label).join(', ') || texts.say('leftOut');
  }
  return field.choices?.find((choice) => String(choice.value) === textOfValue(value))?.label ?? textOfValue(value);
}

type Style = NonNullable<FormState['style']>;

const wordsId = 'style-words';

/** Below the prompt: earlier prompts, and the style of the project with what it adds. Keeps its place without any. */
function PromptTools(props: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const { style } = props.state;
  const hasStyles = style !== undefined && style.options.length > 0;
  return (
    <div class="prompt-tools">
      <EarlierPrompts {...props} />
      {hasStyles && <StyleSelect style={style} onChoose={(id) => props.dispatch({ type: 'styled', id })} />}
      {style?.chosen && <StyleWords chosen={style.chosen} />}
    </div>
  );
}

function StyleSelect(props: { readonly style: Style; readonly onChoose: (id: string | undefined) => void }) {
  const texts = useTexts();
  const { options, chosen, wanted = chosen } = props.style;
  return (
    <div class="style">
      <span aria-hidden="true">{texts.say('style')}</span>
      <Select
        label={texts.say('style')}
        describedBy={chosen && wordsId}
        value={wanted?.id ?? ''}
        options={[['', texts.say('noStyle')], ...options.map(({ id, label }) => [id, label] as const)]}
        onChange={(id) => props.onChoose(id === '' ? undefined : id)}
      />
    </div>
  );
}

/** What is sent besides the user’s own values, and what isn’t. */
function StyleWords({ chosen }: { readonly chosen: NonNullable<Style['chosen']> }) {
  const texts = useTexts();
  const [before, after] = [shown(chosen.before), shown(chosen.after)];
  return (
    <p id={wordsId} class="hint words">
      {before + after !== '' && <span>{texts.say('styleSends', [before, '…', after].filter(Boolean).join(' '))}</span>}
      {chosen.leftOut.length > 0 && <span>{texts.say('styleLeavesOut', chosen.leftOut.join(', '))}</span>}
    </p>
  );
}

function shown(words: string): string {
  return oneLine(words, 400);
}

/** Opens the list of earlier prompts; nothing without any. */
function EarlierPrompts(props: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const texts = useTexts();
  if (props.state.prompts.length === 0) return null;
  return (
    <button
      type="button"
      class="link earlier"
      title={texts.say('earlierPromptsHelp')}
      onClick={() => props.dispatch({ type: 'asked', ask: { type: 'pickPrompt' } })}
    >
      {texts.say('earlierPrompts')}
    </button>
  );
}

/** Up and Down Arrow at the very start of a prompt bring back others; the caret stays there. */
function recallByKey(event: KeyboardEvent, dispatch: (action: Action) => void): void {
  const { target: box, key } = event;
  const isText = box instanceof HTMLTextAreaElement || box instanceof HTMLInputElement;
  const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !event.isComposing;
  if (!isText || !isPlain || box.selectionStart !== 0 || box.selectionEnd !== 0) return;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return;
  const before = box.value;
  dispatch({ type: 'recalled', way: key === 'ArrowUp' ? 'back' : 'forward' });
  if (box.value === before) return;
  event.preventDefault();
  box.setSelectionRange(0, 0);
}

/** One input of the model: label, help, control, hint, and error. */
function FieldRow(props: {
  readonly field: Field;
  /** Generated, since the field's name may be anything. */
  readonly id: string;
  readonly value: FieldValue;
  readonly shown: ShownIssue;
  readonly onChange: ControlProps['onChange'];
  readonly images: ImageProps;
  readonly onLeave: () => void;
  readonly onReset: () => void;
}) {
  const texts = useTexts();
  const { field, id, shown } = props;
  const canReset = isResettable(field, props.value);
  const hint = hintOf(field, texts);
  const parts = [field.help && `${id}-help`, hint && `${id}-hint`, shown && `${id}-issue`].filter(Boolean);
  const control: ControlProps = {
    field,
    value: props.value,
    id,
    labelId: `${id}-label`,
    describedBy: parts.length > 0 ? parts.join(' ') : undefined,
    invalid: shown !== undefined,
    onChange: props.onChange,
  };
  return (
    <div
      class={['field', isCheckBox(field) && 'check', isNarrow(field) && 'narrow', canReset && 'changed']
        .filter(Boolean)
        .join(' ')}
      onFocusOut={(event) =>
        !event.currentTarget.contains(event.relatedTarget as Node | null) && afterPress(props.onLeave)
      }
    >
      <Label field={field} id={id} />
      {field.help && (
        <p id={`${id}-help`} class="help">
          {field.help}
        </p>
      )}
      {field.kind === 'image' ? <ImageControl {...control} {...props.images} /> : <Control {...control} />}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {shown && <Issue id={`${id}-issue`} shown={shown} />}
      {canReset && (
        <span class="reset-one">
          <IconButton icon="discard" label={texts.say('resetOne', field.label)} onClick={props.onReset} />
        </span>
      )}
    </div>
  );
}

/** What’s wrong with a field. */
function Issue({ id, shown }: { readonly id: string; readonly shown: NonNullable<ShownIssue> }) {
  return (
    <p id={id} class="issue">
      <Icon name="error" />
      <span>{issueWords(shown, useTexts())}</span>
    </p>
  );
}

function issueWords(shown: NonNullable<ShownIssue>, texts: Texts): string {
  if ('problem' in shown) return shown.problem;
  return 'refused' in shown ? texts.say('serviceReported', shown.refused) : texts.say(...issueText(shown.issue, texts));
}

function Label({ field, id }: { readonly field: Field; readonly id: string }) {
  const texts = useTexts();
  if (isCheckBox(field)) return null;
  const words = (
    <>
      {field.label}
      {field.required && (
        // For sighted users only: the control itself is marked as required.
        <span class="required" aria-hidden="true">
          {texts.say('required')}
        </span>
      )}
    </>
  );
  // A group of options is named by its label, which can't be `for` a single element.
  return isTiles(field) ? (
    <span id={`${id}-label`} class="vscode-label">
      {words}
    </span>
  ) : (
    <label id={`${id}-label`} class="vscode-label" for={id}>
      {words}
    </label>
  );
}

function Control(props: ControlProps) {
  const texts = useTexts();
  switch (props.field.kind) {
    case 'text':
      return <TextControl {...props} />;
    case 'longText':
      return <LongTextControl {...props} />;
    case 'choice':
      return <ChoiceControl {...props} />;
    case 'choices':
      return <ChoicesControl {...props} />;
    case 'color':
      return <ColorControl {...props} />;
    case 'integer':
    case 'number':
      return <NumberControl {...props} />;
    case 'boolean':
      return isCheckBox(props.field) ? <BooleanControl {...props} /> : <Tiles {...props} choices={yesOrNo(texts)} />;
    case 'seed':
      return <SeedControl {...props} />;
    case 'image':
      return null;
    case 'json':
      return <JsonControl {...props} />;
  }
}

/** A required Boolean without a default needs an explicit answer: an unchecked box would look like a no. */
function isCheckBox(field: Field): boolean {
  return field.kind === 'boolean' && (!field.required || field.default !== undefined);
}

/** Its control is a single narrow box. */
function isNarrow(field: Field): boolean {
  return field.kind === 'seed' || ((field.kind === 'integer' || field.kind === 'number') && !hasSlider(field));
}

function isTiles(field: Field): boolean {
  const { kind } = field;
  return kind === 'boolean' || kind === 'choices' || (kind === 'choice' && choiceStyle(field) === 'tiles');
}

/** The options of a Boolean. */
function yesOrNo(texts: Texts) {
  return [
    { value: true, label: texts.say('yes') },
    { value: false, label: texts.say('no') },
  ];
}

/** Limits, step, and default in one line. */
function hintOf(field: Field, texts: Texts): string | undefined {
  const parts = [boundsOf(field, texts), ...imageBounds(field, texts), defaultOf(field, texts)].filter(
    (part) => part !== undefined,
  );
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

function boundsOf({ kind, minimum, maximum, step }: Field, texts: Texts): string | undefined {
  if (kind === 'seed') return undefined;
  // A list says how many of how many there are.
  if (kind === 'image') return (minimum ?? 0) > 1 ? texts.say('atLeast', minimum ?? 0) : undefined;
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? texts.say('between', minimum, maximum)
      : minimum !== undefined
        ? texts.say('atLeast', minimum)
        : maximum !== undefined && texts.say('atMost', maximum);
  if (!bounds) return undefined;
  return step !== undefined && step !== 1 ? `${bounds}, ${texts.say('inSteps', step)}` : bounds;
}

/** Formats, size, and pixels; the service checks those. */
function imageBounds({ image }: Field, texts: Texts): (string | undefined)[] {
  if (!image) return [];
  const pixels = (key: 'pixelsAtLeast' | 'pixelsAtMost', width: number | undefined, height: number | undefined) =>
    width === undefined && height === undefined ? undefined : texts.say(key, width ?? '…', height ?? '…');
  return [
    texts.formats(image.types),
    texts.say(image.isList ? 'upToEach' : 'upTo', texts.size(image.maxBytes)),
    pixels('pixelsAtLeast', image.minWidth, image.minHeight),
    pixels('pixelsAtMost', image.maxWidth, image.maxHeight),
    texts.say('imageDrop'),
    image.mask === 'unstated' ? texts.say('maskColorUnstated') : undefined,
  ];
}

/** Other controls have their default selected, or show it as a placeholder. An empty seed is drawn at random. */
function defaultOf({ kind, default: value }: Field, texts: Texts): string | undefined {
  return typeof value === 'number' && kind !== 'choice' && kind !== 'seed' ? texts.say('default', value) : undefined;
}

let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPressed = false), true);

/**
 * Defers a layout change until the pointer is released and its click handled: a click misses a row that moves during
 * the press.
 */
function afterPress(act: () => void): void {
  if (!isPressed) return act();
  addEventListener('pointerup', () => setTimeout(act), { once: true });
}
