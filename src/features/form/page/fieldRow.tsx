import { type Field, type FieldValue, issueText } from '../../../catalog/fields';
import { IconButton } from '../../../editor/page/controls';
import { Icon } from '../../../editor/page/icon';
import { ChoiceControl, ChoicesControl, choiceStyle, Tiles } from './choice';
import type { ControlProps } from './control';
import { ImageControl, type ImageProps } from './image';
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
import { isResettable, type ShownIssue } from './state';
import { type Texts, useTexts } from './texts';

/** One input of the model: label, help, control, hint, and error. */
export function FieldRow(props: {
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
export function Issue({ id, shown }: { readonly id: string; readonly shown: NonNullable<ShownIssue> }) {
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
export function yesOrNo(texts: Texts) {
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
