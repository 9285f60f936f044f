import {
  sentValue,
  type Styling,
  checkField,
  type Field,
  type FieldIssue,
  type FieldValue,
  imageItems,
  initialValues,
  maskedField,
  promptField,
} from '../../../catalog/fields';
import { placeholderOf, textOfValue } from './control';
import type { FormRequest } from '../../../editor/formRequests';
import type {
  ExampleView,
  FormStrings,
  ModelView,
  QuoteView,
  ResultView,
  StyleView,
  TargetView,
  ToForm,
  VariantsView,
} from './formMessages';
import type { PageTexts } from '../../../editor/page/controls';
import type { Painting, Strokes } from './maskStrokes';
import { withVaried, type VariedValue } from './varying';

type Message<Type extends ToForm['type']> = Extract<ToForm, { type: Type }>;
export type Values = ReadonlyMap<string, FieldValue>;

type WithoutNumber<T> = T extends unknown ? Omit<T, 'request'> : never;
/** A request without its number. */
export type Ask = WithoutNumber<Exclude<FormRequest, { type: 'render' }>>;

/** Everything the form shows; immutable. */
export interface FormState {
  readonly texts?: PageTexts<FormStrings>;
  readonly model?: ModelView;
  /** Why there is no form. */
  readonly unavailable?: string;
  /** Counts the values: a price belongs to one revision of them. */
  readonly revision: number;
  /** Undefined until the host sends them. */
  readonly values?: Values;
  /** Fields the user has left or changed: only these show errors … */
  readonly touched: ReadonlySet<string>;
  /** … until Render was pressed: then all do. */
  readonly attempted: boolean;
  /** The service's rejections by field, each until its field changes. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why an image given to a field can't be used, until the field changes; a new object each time. */
  readonly imageProblems: ReadonlyMap<string, { readonly problem: string }>;
  /** URLs of given images, by hash. */
  readonly images: ReadonlyMap<string, string>;
  readonly quote?: Pick<Message<'quote'>, 'revision' | 'intent' | 'count' | 'quote'>;
  /** How many images a press can order, and how many it does; `isPending` until the host confirms what is varied. */
  readonly variants?: VariantsView & { readonly isPending?: boolean };
  /** Several values of inputs can be selected. */
  readonly varying: boolean;
  /** The style of the project that the values are sent with; `wanted` until the host says what that one adds. */
  readonly style?: StyleView & { readonly wanted?: { readonly id: string | undefined } };
  /** The intent of the last press on Render. */
  readonly usedIntent?: string;
  /** The revision of the values that were ordered last. */
  readonly orderedRevision?: number;
  readonly balanceCents?: number;
  readonly sandbox: boolean;
  /** The service isn't responding. */
  readonly offline: boolean;
  /** How long the service asks for a pause, ms from the host's message; a new object each time. */
  readonly wait?: { readonly ms: number };
  readonly target?: TargetView;
  /** The earlier prompts of this project, the latest first. */
  readonly prompts: readonly string[];
  /** What an empty form offers to start with. */
  readonly examples: readonly ExampleView[];
  /** The earlier prompt that was brought back last, and the text it replaced. */
  readonly recalled?: { readonly prompt: string; readonly from: string };
  /** Newest first. */
  readonly results: readonly ResultView[];
  /** The selected result; undefined for the newest. */
  readonly chosen?: string;
  /** Of the images of one press, those to keep. */
  readonly keeps: ReadonlySet<string>;
  /** Counts the requests. */
  readonly request: number;
  /** The number of the pending render request. */
  readonly ordering?: number;
  /** A message about the last request that failed. */
  readonly problem?: string;
  /** The label of the action that may fix it. */
  readonly remedy?: string;
  readonly moreOpen: boolean;
  /** Narrows a long list of fields; undefined for all of them. */
  readonly filter?: FieldFilter;
  /** The values before all were reset or replaced, until the next change. */
  readonly before?: Values;
  /** What was painted of a mask last. */
  readonly painting?: Painting | undefined;
  /** The field to focus; a new object each time. */
  readonly focus?: { readonly field: string };
}

/** Which fields of a long list are shown. */
export interface FieldFilter {
  /** Words that a field's texts contain. */
  readonly text: string;
  /** The fields that were changed when only those were asked for: a row stays while its value is edited. */
  readonly changed?: ReadonlySet<string>;
}

export const emptyState: FormState = {
  revision: 0,
  touched: new Set(),
  attempted: false,
  refused: new Map(),
  imageProblems: new Map(),
  images: new Map(),
  varying: false,
  sandbox: false,
  offline: false,
  prompts: [],
  examples: [],
  results: [],
  keeps: new Set(),
  request: 0,
  moreOpen: false,
};

export type Action =
  | { readonly type: 'received'; readonly message: ToForm }
  | { readonly type: 'edited'; readonly field: string; readonly value: FieldValue; readonly typing?: boolean }
  /** `field`: of the mask. */
  | { readonly type: 'painted'; readonly field: Field; readonly strokes: Strokes }
  | { readonly type: 'imageRefused'; readonly field: string; readonly problem: string }
  /** Brings back an earlier prompt, or the one after it. */
  | { readonly type: 'recalled'; readonly way: 'back' | 'forward' }
  | { readonly type: 'exampleUsed'; readonly prompt: string }
  | { readonly type: 'left'; readonly field: string }
  | { readonly type: 'fieldReset'; readonly field: string }
  | { readonly type: 'searched'; readonly text: string }
  | { readonly type: 'changedToggled' }
  | { readonly type: 'reset' }
  | { readonly type: 'undo' }
  | { readonly type: 'counted'; readonly count: number }
  | { readonly type: 'varyingStarted' }
  | { readonly type: 'varied'; readonly field: string; readonly values: readonly VariedValue[] }
  | { readonly type: 'styled'; readonly id: string | undefined }
  | { readonly type: 'renderPressed' }
  | { readonly type: 'asked'; readonly ask: Ask }
  | { readonly type: 'chosen'; readonly id: string }
  | { readonly type: 'keepToggled'; readonly id: string }
  | { readonly type: 'moreToggled'; readonly open: boolean };

/** The next state; the same object when nothing changes. */
export function reduce(state: FormState, action: Action): FormState {
  return withFreshPainting(reduced(state, action));
}

/** What was painted over another image, or over another mask, isn't shown again. */
function withFreshPainting(state: FormState): FormState {
  const { painting, model, values } = state;
  if (!painting || !model || !values) return state;
  const mask = model.fields.find(({ name }) => name === painting.field);
  return mask && paintedOver(state, mask) === painting.of ? state : { ...state, painting: undefined };
}

/** The image and the mask that a mask is painted over. */
function paintedOver(state: FormState, mask: Field): string {
  const masked = maskedField(state.model?.fields ?? [], mask);
  const items = [masked, mask].map((field) => field && imageItems(valueOf(state, field.name))[0]);
  return JSON.stringify(items.map((item) => (typeof item === 'object' ? item.sha256 : item)));
}

function reduced(state: FormState, action: Action): FormState {
  switch (action.type) {
    case 'received':
      return received(state, action.message);
    case 'edited':
      return edited(state, action.field, action.value);
    case 'painted':
      return {
        ...state,
        painting: { field: action.field.name, of: paintedOver(state, action.field), strokes: action.strokes },
      };
    case 'imageRefused':
      return imageRefused(state, action);
    case 'recalled':
      return recalled(state, action.way);
    case 'exampleUsed':
      return exampleUsed(state, action.prompt);
    case 'left':
      return left(state, action.field);
    case 'fieldReset':
      return fieldReset(state, action.field);
    case 'searched':
      return { ...state, filter: { ...state.filter, text: action.text } };
    case 'changedToggled':
      return { ...state, filter: { text: state.filter?.text ?? '', changed: toggled(state) } };
    case 'reset':
      return replaced(unvaried(state), new Map(initialValues(state.model?.fields ?? [])), state.values);
    case 'undo':
      return state.before ? replaced(state, state.before, undefined) : state;
    case 'counted':
      return counted(state, action.count);
    case 'varyingStarted':
      return unvaried({ ...state, varying: true });
    case 'varied':
      return varied(state, action.field, action.values);
    case 'styled':
      return { ...state, style: state.style && { ...state.style, wanted: { id: action.id } } };
    case 'renderPressed':
      return renderPressed(state);
    case 'asked':
      return { ...state, request: state.request + 1, problem: undefined, target: aimed(state.target, action.ask) };
    case 'chosen':
      return { ...state, chosen: action.id };
    case 'keepToggled':
      return { ...state, keeps: toggledIn(state.keeps, action.id) };
    case 'moreToggled':
      return action.open === state.moreOpen ? state : { ...state, moreOpen: action.open };
  }
}

function received(state: FormState, message: ToForm): FormState {
  switch (message.type) {
    case 'strings':
      return { ...state, texts: message };
    case 'model':
      return { ...state, model: message.model, unavailable: undefined };
    case 'unavailable':
      return { ...state, unavailable: message.problem };
    case 'draft':
      return drafted(state, message);
    case 'imageProblem':
      return imageRefused(state, message);
    case 'quote':
      return { ...state, quote: message };
    case 'variants':
      return { ...state, variants: message.variants, varying: isVarying(state, message.variants) };
    case 'style':
      return styled(state, message.style);
    case 'account':
      return accounted(state, message);
    case 'target':
      return { ...state, target: message.target };
    case 'prompts':
      return { ...state, prompts: message.prompts, examples: message.examples };
    case 'results':
      return withResults(state, message.results);
    case 'problems':
      return message.revision === state.revision ? refused(state, message) : state;
    case 'answer':
      return answered(state, message);
  }
}

/** The choice shows at once, until the host confirms it. */
function aimed(target: TargetView | undefined, ask: Ask): TargetView | undefined {
  if (ask.type !== 'insertLink' || !target?.link) return target;
  return { ...target, link: { ...target.link, insert: ask.insert } };
}

function counted(state: FormState, count: number): FormState {
  return { ...state, varying: false, variants: state.variants && { ...state.variants, count, varied: [] } };
}

/** After a reload of the page, what is varied says so. */
function isVarying({ varying }: FormState, { canVary, varied }: VariantsView): boolean {
  return varied.length > 0 || (canVary && varying);
}

function unvaried(state: FormState): FormState {
  return state.varying ? { ...counted(state, 1), varying: true } : state;
}

/** The first of the values becomes the field's own, so that it stays when nothing is varied any more. */
function varied(state: FormState, field: string, values: readonly VariedValue[]): FormState {
  const [first] = values;
  if (!state.variants || first === undefined) return state;
  const variants = { ...withVaried(state.variants, field, values), isPending: true };
  return { ...edited(state, field, first), variants };
}

/** What the service rejected was sent with another style. */
function styled(state: FormState, style: StyleView): FormState {
  const isOther = style.version !== (state.style?.version ?? 0);
  return { ...state, style, refused: isOther ? new Map() : state.refused };
}

function accounted(state: FormState, { balanceCents, sandbox, waitMs, offline }: Message<'account'>): FormState {
  return { ...state, balanceCents, sandbox, offline, wait: waitMs === undefined ? undefined : { ms: waitMs } };
}

/**
 * A draft from the host wins over edits it hasn't seen, and loses to newer ones. One about a single field joins both.
 */
function drafted(state: FormState, draft: Message<'draft'>): FormState {
  const values = new Map(draft.values);
  const before = draft.before && new Map(draft.before);
  const images = new Map([...state.images, ...(draft.images ?? []).map(({ sha256, url }) => [sha256, url] as const)]);
  if (state.values && draft.field !== undefined && draft.revision <= state.revision)
    return edited({ ...state, images }, draft.field, values.get(draft.field) ?? '');
  if (state.values && draft.revision < state.revision) return state;
  return {
    ...state,
    revision: draft.revision,
    values,
    touched: new Set(),
    attempted: false,
    refused: new Map(),
    imageProblems: new Map(),
    images,
    before,
  };
}

/** True if the action led to values that the host hasn't seen. */
export function isEdit(before: FormState, { revision }: FormState, action: Action): boolean {
  const message = action.type === 'received' ? action.message : undefined;
  return revision !== before.revision && !(message?.type === 'draft' && message.revision === revision);
}

function imageRefused(state: FormState, { field, problem }: { readonly field: string; readonly problem: string }) {
  return { ...state, imageProblems: new Map(state.imageProblems).set(field, { problem }) };
}

function edited(state: FormState, field: string, value: FieldValue): FormState {
  if (valueOf(state, field) === value) return state;
  const values = new Map(state.values).set(field, value);
  const refused = new Map(state.refused);
  refused.delete(field);
  const imageProblems = new Map(state.imageProblems);
  imageProblems.delete(field);
  return {
    ...state,
    values,
    refused,
    imageProblems,
    revision: state.revision + 1,
    before: undefined,
    problem: undefined,
  };
}

/** What was typed or changed stays: only an empty or unchanged prompt gives way, and comes back. */
function recalled(state: FormState, way: 'back' | 'forward'): FormState {
  const field = promptField(state.model?.fields ?? []);
  const now = field && valueOf(state, field.name);
  if (!field || typeof now !== 'string') return state;
  const place = state.prompts.indexOf(now);
  const last = state.recalled?.prompt === now ? state.recalled : undefined;
  const from = last?.from ?? now;
  const next = way === 'back' ? state.prompts[place + 1] : (state.prompts[place - 1] ?? from);
  const gives = way === 'back' ? now === '' || place >= 0 : last !== undefined;
  if (!gives || next === undefined || next === now) return state;
  return { ...edited(state, field.name, next), recalled: { prompt: next, from } };
}

/** The prompt, with the focus on it; what it replaces can be brought back. */
function exampleUsed(state: FormState, prompt: string): FormState {
  const field = promptField(state.model?.fields ?? []);
  if (!field || valueOf(state, field.name) === prompt) return state;
  return focused(replaced(state, new Map(state.values).set(field.name, prompt), state.values), field.name);
}

/** An empty field isn't an error yet: the focus may only have passed through. */
function left(state: FormState, field: string): FormState {
  if (state.touched.has(field) || valueOf(state, field) === '') return state;
  return { ...state, touched: new Set(state.touched).add(field) };
}

/** The field's default again, which shows no error of the value before. */
function fieldReset(state: FormState, name: string): FormState {
  const value = new Map(initialValues(state.model?.fields ?? [])).get(name) ?? '';
  const touched = new Set(state.touched);
  touched.delete(name);
  return { ...edited(state, name, value), touched };
}

function toggled(state: FormState): ReadonlySet<string> | undefined {
  if (state.filter?.changed) return undefined;
  const changed = state.model?.fields.filter((field) => isChanged(field, valueOf(state, field.name))) ?? [];
  return new Set(changed.map(({ name }) => name));
}

function replaced(state: FormState, values: Values, before: Values | undefined): FormState {
  const fresh = {
    touched: new Set<string>(),
    attempted: false,
    refused: new Map<string, string>(),
    imageProblems: new Map(),
    problem: undefined,
  };
  return { ...state, ...fresh, values, before, revision: state.revision + 1 };
}

/** Selects a render that was just started. */
function withResults(state: FormState, results: readonly ResultView[]): FormState {
  const started = results[0] !== undefined && state.results[0]?.id !== results[0].id;
  const gone = results.every((result) => result.id !== state.chosen);
  const variants = new Set(variantsOf(results).map(({ id }) => id));
  const keeps = new Set([...state.keeps].filter((id) => variants.has(id)));
  return { ...state, results, keeps, chosen: started || gone ? undefined : state.chosen };
}

function toggledIn(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The results of one press of several, in their order; empty for none. */
export function variantsOf(results: readonly ResultView[]): readonly ResultView[] {
  const variants = results.filter(({ variant }) => variant !== undefined);
  return variants.length > 1 ? variants.sort((a, b) => (a.variant?.number ?? 0) - (b.variant?.number ?? 0)) : [];
}

/** Those whose image can be kept or trashed; none while one is in progress. */
export function keepable(variants: readonly ResultView[]): readonly ResultView[] {
  if (variants.some(({ stage }) => stage === 'active')) return [];
  return variants.filter(({ file }) => file !== undefined);
}

function refused(state: FormState, message: Message<'problems'>): FormState {
  const refused = new Map(message.problems.map((problem) => [problem.field, problem.message]));
  const first = state.model?.fields.find((field) => refused.has(field.name))?.name;
  const next = { ...state, refused };
  return message.focus && first !== undefined ? focused(next, first) : next;
}

function answered(state: FormState, message: Message<'answer'>): FormState {
  const ordering = message.request === state.ordering ? undefined : state.ordering;
  // A press on the last price that came to nothing can be repeated.
  const usedIntent = state.quote?.quote.status === 'asking' ? undefined : state.usedIntent;
  return { ...state, ordering, usedIntent, problem: message.problem, remedy: message.remedy };
}

function renderPressed(state: FormState): FormState {
  const readiness = readinessOf(state);
  if (canPress(readiness, state)) {
    const request = state.request + 1;
    return {
      ...state,
      request,
      ordering: request,
      usedIntent: state.quote?.intent,
      orderedRevision: state.revision,
      attempted: true,
      problem: undefined,
    };
  }
  if (readiness.kind !== 'invalid') return state;
  const first = readiness.fields[0]?.name;
  const next = { ...state, attempted: true };
  return first === undefined ? next : focused(next, first);
}

function focused(state: FormState, field: string): FormState {
  const hidden =
    state.model !== undefined && arrangedFields(state.model.fields).more.some((more) => more.name === field);
  const isFiltered = filteredFields(state).every(({ name }) => name !== field);
  return {
    ...state,
    focus: { field },
    moreOpen: state.moreOpen || hidden,
    filter: isFiltered ? undefined : state.filter,
  };
}

/** The value for the field's control; `''` if omitted. */
export function valueOf(state: FormState, field: string): FieldValue {
  return state.values?.get(field) ?? '';
}

/** The value that is sent for the field. */
function sentOf(state: FormState, field: string): FieldValue {
  return sentValue(stylingOf(state), field, valueOf(state, field));
}

/** The value that the style has for the field, instead of the user's; undefined for none. */
export function fixedOf(state: FormState, field: string): FieldValue | undefined {
  return stylingOf(state)?.fixed.get(field);
}

function stylingOf({ style }: FormState): Styling<FieldValue> | undefined {
  return style?.chosen && { ...style.chosen, fixed: new Map(style.chosen.fixed) };
}

/** How many images a press on Render orders. */
export function variantCount({ variants }: { readonly variants?: VariantsView }): number {
  return variants?.count ?? 1;
}

/** Whether Render can be pressed, and if not, why. */
export type Readiness =
  /** `costCents` undefined: the service states no price. */
  | { readonly kind: 'ready'; readonly costCents: number | undefined }
  | { readonly kind: 'invalid'; readonly fields: readonly Field[]; readonly missing: boolean }
  /** Includes the last price while there is one: a press orders if the fresh one is no higher. */
  | { readonly kind: 'asking'; readonly lastCents?: number }
  | { readonly kind: 'held' }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'tooLittle'; readonly costCents: number; readonly balanceCents: number }
  | { readonly kind: 'starting'; readonly costCents: number | undefined };

/** A price never applies to values other than the current ones. */
export function readinessOf(state: FormState): Readiness {
  if (state.ordering !== undefined) return { kind: 'starting', costCents: priceOf(state) };
  const fields = wrongFields(state);
  if (fields.length > 0) return { kind: 'invalid', fields, missing: fields.every((field) => isMissing(state, field)) };
  const quote = state.quote;
  if (state.style?.wanted || state.variants?.isPending) return { kind: 'asking' };
  if (quote === undefined || quote.intent === state.usedIntent) return { kind: 'asking' };
  if (quote.count !== variantCount(state)) return { kind: 'asking' };
  if (quote.revision !== state.revision) return { kind: 'asking', lastCents: priceOf(state) };
  return readinessAt(quote.quote, state.balanceCents);
}

/** True when a press orders, at once or when the fresh price arrives. */
export function canPress(readiness: Readiness, { balanceCents }: FormState): boolean {
  if (readiness.kind !== 'asking') return readiness.kind === 'ready';
  return readiness.lastCents !== undefined && (balanceCents ?? Infinity) >= readiness.lastCents;
}

function readinessAt(quote: QuoteView, balanceCents: number | undefined): Readiness {
  switch (quote.status) {
    case 'none':
      return { kind: 'asking' };
    case 'asking':
      return { kind: 'asking', lastCents: quote.lastCents };
    case 'held':
      return { kind: 'held' };
    case 'failed':
      return { kind: 'failed', problem: quote.problem };
    case 'notStated':
      return { kind: 'ready', costCents: undefined };
    case 'priced':
      return balanceCents !== undefined && balanceCents < quote.costCents
        ? { kind: 'tooLittle', costCents: quote.costCents, balanceCents }
        : { kind: 'ready', costCents: quote.costCents };
  }
}

/** The current price, or the last one. */
function priceOf({ quote }: FormState): number | undefined {
  if (quote?.quote.status === 'priced') return quote.quote.costCents;
  return quote?.quote.status === 'asking' ? quote.quote.lastCents : undefined;
}

function wrongFields(state: FormState): readonly Field[] {
  return (state.model?.fields ?? []).filter(
    (field) => state.refused.has(field.name) || checkField(field, sentOf(state, field.name)) !== undefined,
  );
}

function isMissing(state: FormState, field: Field): boolean {
  return checkField(field, sentOf(state, field.name))?.code === 'required';
}

/** The error at a field; none before the user has been there. */
export type ShownIssue =
  { readonly issue: FieldIssue } | { readonly refused: string } | { readonly problem: string } | undefined;

export function shownIssue(state: FormState, field: Field): ShownIssue {
  const refused = state.refused.get(field.name);
  if (refused !== undefined) return { refused };
  const problem = state.imageProblems.get(field.name);
  if (problem) return problem;
  const issue = checkField(field, sentOf(state, field.name));
  // More typing can complete a value, but not shorten it.
  const isShown = state.attempted || state.touched.has(field.name) || issue?.code === 'tooLong';
  return isShown && issue ? { issue } : undefined;
}

/** More optional fields than this are collapsed. */
const openOptional = 8;
/** Fewer than this aren't worth collapsing. */
const leastFolded = 3;

/** The fields in the service's order: visible ones, and those behind "More options". */
export function arrangedFields(fields: readonly Field[]): {
  readonly main: readonly Field[];
  readonly more: readonly Field[];
} {
  const optional = fields.filter((field) => !field.required);
  const more = optional.slice(openOptional);
  if (more.length < leastFolded) return { main: fields, more: [] };
  const folded = new Set(more);
  return { main: fields.filter((field) => !folded.has(field)), more };
}

/** The fields that the filter leaves, in the service's order. */
export function filteredFields({ model, filter }: FormState): readonly Field[] {
  const fields = model?.fields ?? [];
  if (!filter) return fields;
  const words = filter.text.toLowerCase().split(/\s+/);
  return fields.filter(({ name, label, help = '' }) => {
    const text = `${label}\n${name}\n${help}`.toLowerCase();
    return (!filter.changed || filter.changed.has(name)) && words.every((word) => text.includes(word));
  });
}

/** True when the filter leaves some fields out. */
export function isFiltering({ filter }: FormState): boolean {
  return filter !== undefined && (filter.text.trim() !== '' || filter.changed !== undefined);
}

/** True when resetting the field would change it: a required one without a default has nothing to go back to. */
export function isResettable(field: Field, value: FieldValue): boolean {
  return isChanged(field, value) && (!field.required || field.default !== undefined);
}

/** True when the value differs from the model's default. */
export function isChanged(field: Field, value: FieldValue): boolean {
  if (field.kind === 'choices') return textOfValue(value) !== (placeholderOf(field) ?? '');
  if (value === '' || typeof value === 'object') return value !== '';
  return String(value) !== placeholderOf(field);
}
