import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import type { JsonObject } from '../base/json';
import { styled, styledInput } from '../catalog/fields';
import type { Span, Written } from '../documents/scan';
import { type Fit, type FitMode, isSide } from '../files/fit/fit';
import {
  choicesOf,
  combinationCount,
  filledInputs,
  filledName,
  namesIn,
  type Variable,
  variablesIn,
  wordsOfValue,
} from './matrix';
import { Findings, itemsIn, objectIn, propertiesOf, textIn } from './properties';
import {
  type AskedRender,
  type Entry,
  type EntryProblem,
  longestRenderFile,
  mostRenders,
  type NamedStyle,
  type RenderFile,
} from './renderFile';
import { type StatedInputs, inputsInProperty, joinedInputs, noStyle, type Style, Styles } from './styles';
import { fitAt, targetPlaceOf, TakenTargets } from './targets';
import { type JsonNode, type Property, readTree } from './tree';

/** The values that all entries of a file share. */
interface Shared {
  readonly path: string;
  readonly folder: string;
  readonly model: Written | undefined;
  readonly inputs: StatedInputs;
  readonly style: Style;
  readonly fit: StatedFit;
  readonly styles: Styles;
  /** False if any of it is wrong; then nothing in the file is rendered. */
  readonly isSound: boolean;
}

type WithoutRenders = Omit<Entry, 'renders'>;

/** An entry as written, before its variables are replaced. */
interface Stated extends WithoutRenders {
  readonly inputs: JsonObject;
  readonly fit: Fit | undefined;
  readonly variables: readonly Variable[];
  /** The maximum number of characters in its inputs for one render. */
  readonly weight: number;
  readonly isSound: boolean;
}

/** The most characters in the inputs of all renders of a file. */
const mostText = 20_000_000;

/**
 * Reads a render file, taking turns with other work. `path` is relative to its workspace folder. Always resolves, with
 * everything readable and the problems of the rest.
 */
export async function readRenderFile(text: string, path: string, clock: Clock): Promise<RenderFile> {
  if (text.length > longestRenderFile) return tooLarge(text.length, path);
  const turns = new Yielder(clock);
  const { root, problems } = await readTree(text, turns);
  const found = new Findings();
  const properties = headOf(root, found);
  const shared = await sharedOf(properties, path, found, turns);
  const stated: Stated[] = [];
  for (const [index, node] of itemsIn(properties.get('renders'), found).entries()) {
    stated.push(statedEntry(node, index, shared, found));
    await turns.next();
  }
  const asked = await expanded(stated, shared, found, turns);
  const entries = stated.map((entry) => ({ ...shown(entry), renders: asked.get(entry.index) ?? [] }));
  return {
    path,
    folder: shared.folder,
    entries,
    renders: entries.flatMap(({ renders }) => renders),
    problems: [...problems, ...found.problems],
    model: shared.model,
    styles: shared.styles.all,
    rendersKey: properties.get('renders')?.key,
    isBroken: problems.length > 0,
  };
}

function tooLarge(length: number, path: string): RenderFile {
  const problem: EntryProblem = {
    code: 'fileTooLarge',
    severity: 'error',
    length,
    most: longestRenderFile,
    start: 0,
    end: 1,
  };
  const nothing = {
    folder: '',
    entries: [],
    renders: [],
    model: undefined,
    styles: new Map<string, NamedStyle>(),
    rendersKey: undefined,
  };
  return { path, ...nothing, problems: [problem], isBroken: true };
}

const fitNames = ['width', 'height', 'fit'];
const headNames = ['$schema', 'folder', 'model', 'inputs', 'style', ...fitNames, 'styles', 'renders'];
const entryNames = ['file', 'model', 'inputs', 'style', ...fitNames, 'for'];

function headOf(root: JsonNode | undefined, found: Findings): ReadonlyMap<string, Property> {
  if (root?.kind === 'object') return propertiesOf(root, headNames, found);
  if (root) found.error(root, { code: 'wrongType', name: '', expected: 'object' });
  return new Map();
}

async function sharedOf(
  properties: ReadonlyMap<string, Property>,
  path: string,
  found: Findings,
  turns: Yielder,
): Promise<Shared> {
  const before = found.errors;
  const folder = textIn(properties.get('folder'), found)?.text ?? '';
  const model = textIn(properties.get('model'), found);
  const inputs = inputsInProperty(properties.get('inputs'), found);
  const fit = fitIn(properties, found);
  const isSound = found.errors === before;
  const styles = new Styles(objectIn(properties.get('styles'), found), found);
  await styles.readAll(turns);
  const style = styles.of(properties.get('style')) ?? noStyle;
  return { path, folder, model, inputs, style, fit, styles, isSound };
}

function statedEntry(node: JsonNode, index: number, shared: Shared, found: Findings): Stated {
  const before = found.errors;
  if (node.kind !== 'object') found.error(node, { code: 'wrongType', name: 'renders', expected: 'object' });
  const properties = node.kind === 'object' ? propertiesOf(node, entryNames, found) : new Map<string, Property>();
  const file = textIn(properties.get('file'), found);
  const model = textIn(properties.get('model'), found) ?? shared.model;
  const style = shared.styles.of(properties.get('style')) ?? shared.style;
  const own = inputsInProperty(properties.get('inputs'), found);
  const inputs = joinedInputs([shared.inputs, style.inputs, own], file ?? node, found);
  const fit = fitOf(fitIn(properties, found), shared.fit);
  const variables = variablesIn(properties.get('for'), found);
  const span = { start: node.start, end: node.end };
  if (node.kind === 'object' && !properties.get('file')?.value)
    found.error(span, { code: 'missingProperty', name: 'file' });
  if (node.kind === 'object' && !model) found.error(span, { code: 'missingProperty', name: 'model' });
  if (file) checkVariables(file, variables, found);
  if (!inputs.has(styledInput) && style.before + style.after !== '')
    found.warning(file ?? span, { code: 'styleWithoutPrompt' });
  return {
    index,
    span,
    file,
    model,
    inputPlaces: inputs,
    inputs: saidInputs(inputs, style),
    fit,
    variables,
    weight: weightOf(inputs, style, variables),
    isSound: shared.isSound && style.isSound && found.errors === before,
  };
}

/** Checks that the name contains each variable with several values; otherwise several renders would share a file. */
function checkVariables(file: Written, variables: readonly Variable[], found: Findings): void {
  const used = new Set(namesIn(file.text));
  const known = new Set(variables.map(({ name }) => name));
  for (const variable of used) if (!known.has(variable)) found.error(file, { code: 'unknownVariable', variable });
  for (const { name, place, values } of variables)
    if (values.length > 1 && !used.has(name)) found.error(place, { code: 'variableNotInFile', variable: name });
}

/** The inputs with the style applied; `null` omits a shared input. */
function saidInputs(inputs: StatedInputs, style: Style): JsonObject {
  const stated = [...inputs].filter(([, { value }]) => value !== null);
  return Object.fromEntries(
    stated.map(([name, { value }]) => [
      name,
      name === styledInput && typeof value === 'string' ? styled(style, value) : value,
    ]),
  );
}

/** An upper bound that is fast to compute: replacing many variables with long values could give a very long text. */
function weightOf(inputs: StatedInputs, { before, after }: Style, variables: readonly Variable[]): number {
  const stated = [...inputs].reduce((sum, [name, { start, end }]) => sum + name.length + end - start, 0);
  const length = stated + before.length + after.length;
  const longest = variables.reduce((most, { values }) => Math.max(most, longestOf(values)), 0);
  // The shortest variable has three characters.
  return length + (length / 3) * longest;
}

function longestOf(values: Variable['values']): number {
  return values.reduce((most, value) => Math.max(most, wordsOfValue(value).length), 0);
}

/** The renders of each entry by its index, once they're counted. */
async function expanded(
  stated: readonly Stated[],
  shared: Shared,
  found: Findings,
  turns: Yielder,
): Promise<ReadonlyMap<number, readonly AskedRender[]>> {
  const asked = new Map<number, AskedRender[]>();
  const places = new Places(shared, found);
  for (const entry of withinLimits(stated, found)) {
    const renders: AskedRender[] = [];
    for (const choice of choicesOf(entry.variables)) {
      renders.push({
        renderFile: shared.path,
        entry: entry.index,
        values: new Map([...choice].map(([name, value]) => [name, value.name])),
        target: places.of(entry, filledName(entry.file.text, choice)),
        modelId: entry.model.text,
        inputs: filledInputs(entry.inputs, choice),
        ...(entry.fit && { fit: entry.fit }),
      });
      await turns.next();
    }
    asked.set(entry.index, renders);
  }
  for (const index of places.unsound) asked.delete(index);
  return asked;
}

/** The sound entries within the limit on renders; reports the first one over it. */
function withinLimits(stated: readonly Stated[], found: Findings): Sound[] {
  const sound = stated.filter(isSound);
  const all = sound.reduce((sum, { variables }) => sum + combinationCount(variables), 0);
  let [renders, text, isTold] = [0, 0, false];
  return sound.filter((entry) => {
    const count = combinationCount(entry.variables);
    const isTooMany = renders + count > mostRenders;
    if (!isTooMany && text + count * entry.weight <= mostText) {
      renders += count;
      text += count * entry.weight;
      return true;
    }
    const place = entry.variables[0]?.place ?? entry.file;
    if (count > mostRenders) found.error(place, { code: 'tooManyRenders', count, most: mostRenders });
    else if (!isTold && isTooMany) found.error(place, { code: 'tooManyRenders', count: all, most: mostRenders });
    else if (!isTooMany) found.error(place, { code: 'tooMuchText' });
    isTold ||= isTooMany && count <= mostRenders;
    return false;
  });
}

/** An entry that can be rendered. */
type Sound = Stated & { readonly file: Written; readonly model: Written };

function isSound(entry: Stated): entry is Sound {
  return entry.isSound && entry.file !== undefined && entry.model !== undefined;
}

/** The targets of a file's renders, and their problems. */
class Places {
  readonly unsound = new Set<number>();
  private readonly taken = new TakenTargets<Sound>();

  constructor(
    private readonly shared: Shared,
    private readonly found: Findings,
  ) {}

  /** The target of a render; '' if it isn't possible. */
  of(entry: Sound, file: string): string {
    const place = targetPlaceOf(this.shared.path, this.shared.folder, file);
    if ('code' in place) {
      if (!this.unsound.has(entry.index)) this.found.error(entry.file, { code: place.code, file });
      this.unsound.add(entry.index);
      return '';
    }
    if (entry.fit && !fitAt(place.target, entry.fit)) {
      if (!this.unsound.has(entry.index)) this.found.error(entry.file, { code: 'notFitted', file });
      this.unsound.add(entry.index);
    }
    const other = this.taken.take(place.target, entry);
    if (other) this.shareTarget(entry, other, place.target);
    return place.target;
  }

  private shareTarget(entry: Sound, other: Sound, target: string): void {
    if (!this.unsound.has(entry.index) || !this.unsound.has(other.index)) {
      this.found.error(entry.file, { code: 'sameTarget', file: target, other: spanOf(other.file) });
      if (other !== entry)
        this.found.error(other.file, { code: 'sameTarget', file: target, other: spanOf(entry.file) });
    }
    this.unsound.add(entry.index).add(other.index);
  }
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

function shown({ index, span, file, model, inputPlaces }: Stated): WithoutRenders {
  return { index, span, file, model, inputPlaces };
}

/** What a file or an entry states about the size of its images. */
interface StatedFit {
  /** Stated as one: an entry with a width of its own doesn't get the height that all share. */
  readonly size: Pick<Fit, 'width' | 'height'> | undefined;
  /** `null`: images are saved as they come. */
  readonly mode: FitMode | null | undefined;
}

/** The properties `width`, `height`, and `fit`; reports other values than they take. */
export function fitIn(properties: ReadonlyMap<string, Property>, found: Findings): StatedFit {
  const [width, height] = ['width', 'height'].map((name) => sideIn(properties.get(name), found));
  const size = width === undefined && height === undefined ? undefined : { width, height };
  return { size, mode: modeIn(properties.get('fit'), found) };
}

/** What an entry's images are fitted to: what it states wins. Undefined if neither a size nor a mode is stated. */
export function fitOf(own: StatedFit, shared: StatedFit): Fit | undefined {
  const size = own.size ?? shared.size;
  const mode = own.mode === undefined ? shared.mode : own.mode;
  if (mode === null || (!size && mode === undefined)) return undefined;
  return { ...size, mode: mode ?? 'cover' };
}

function sideIn(property: Property | undefined, found: Findings): number | undefined {
  const value = valueOf(property?.value);
  if (!property?.value || (typeof value === 'number' && isSide(value))) return value as number | undefined;
  found.error(property.value, { code: 'wrongType', name: property.key.text, expected: 'side' });
  return undefined;
}

function modeIn(property: Property | undefined, found: Findings): FitMode | null | undefined {
  const value = valueOf(property?.value);
  if (!property?.value || value === 'cover' || value === 'contain' || value === null) return value as FitMode | null;
  found.error(property.value, { code: 'wrongType', name: property.key.text, expected: 'fit' });
  return undefined;
}

function valueOf(node: JsonNode | undefined): unknown {
  return node?.kind === 'scalar' ? node.value : undefined;
}
