// Images of the same render file as inputs: `"image": "[fox]"` is the image of the entry with the file `fox` or
// `fox.png`, and of an entry with variables that of one render: `[fox-spring]`. A file that is called so is `./[fox]`.

import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { itemsOf } from '../base/givenImage';
import type { Json } from '../base/json';
import { isImageName } from '../catalog/fields';
import type { Span } from '../documents/scan';
import { folded } from '../files/names';
import { type KnownModel, placeIn } from './modelCheck';
import { fileIn } from './newRenderFile';
import { Findings } from './properties';
import type { AskedRender, Entry, EntryProblemCode, NoSource, RenderFile, Source } from './renderFile';
import { type ProjectImages, type State, stateFinder } from './states';
import { baseOf, targetPlaceOf } from './targets';

/** The name in a text that is exactly `[name]`; undefined for any other value. */
export function sourceNameIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? /^\[([^[\]]+)\]$/.exec(value)?.[1] : undefined;
}

/**
 * The names by which the inputs of an entry (by its index) can name the images of others, each with a file extension
 * only if it needs one.
 */
export function sourceNames(file: RenderFile, entry: number | undefined): readonly string[] {
  return new Names(file).others(entry);
}

/**
 * The file with the sources of its renders, and where its entries name what can't be one; such a render is left out,
 * like any with an error. Only inputs that take images name entries: by the fields of a known model; otherwise if they
 * are called so, or if there is an entry with that name. Takes turns with other work.
 */
export async function withSources(
  file: RenderFile,
  modelOf: (modelId: string) => KnownModel,
  images: ProjectImages,
  clock: Clock,
): Promise<RenderFile> {
  const turns = new Yielder(clock);
  const found = new SourceFindings();
  const names = new Names(file);
  const links = await linksIn(file, names, modelOf, found, turns);
  if (links.size === 0 && found.unsound.size === 0) return file;
  const ordered = inOrder(links, names, found);
  const stateIn = await stateFinder(file.renders, images, turns);
  const sourced = await sourcedIn(ordered, links, found.unsound, stateIn, turns);
  const rendersOf = ({ renders }: Entry) =>
    renders.filter((render) => !found.unsound.has(render)).map((render) => sourced.get(render) ?? render);
  const entries = file.entries.map((entry) => ({ ...entry, renders: rendersOf(entry) }));
  const problems = [...file.problems, ...found.problems];
  return { ...file, entries, renders: entries.flatMap(({ renders }) => renders), problems };
}

/** A place in a render's inputs that names another one of the file. */
interface Naming {
  readonly name: string;
  readonly place: Span;
}

interface Link extends Naming {
  readonly to: AskedRender;
}

/** The renders that each render names, by the text of its input. */
type Links = ReadonlyMap<AskedRender, ReadonlyMap<string, Link>>;

/** Collects problems, one for each name at a place, and the renders that have one. */
class SourceFindings extends Findings {
  readonly unsound = new Set<AskedRender>();
  private readonly recorded = new Set<string>();

  /** Makes the problem only if it's the first at its place: it can name every render. */
  fail(render: AskedRender, { name, place }: Naming, problem: () => EntryProblemCode): void {
    this.unsound.add(render);
    const id = `${place.start} ${name}`;
    if (!this.recorded.has(id)) this.error(place, problem());
    this.recorded.add(id);
  }
}

/** The renders of a file by their names. */
class Names {
  private readonly byBase = new Map<string, AskedRender[]>();
  private readonly found = new Map<string, readonly AskedRender[]>();
  private all: readonly { readonly entry: number; readonly name: string }[] | undefined;
  private readonly withErrors: ReadonlySet<string>;

  constructor(private readonly file: RenderFile) {
    const unsound = file.entries.filter(({ renders }) => renders.length === 0);
    this.withErrors = new Set(unsound.flatMap((entry) => (entry.file ? baseOf(entry.file.text) : [])));
    for (const render of file.renders) {
      const base = folded(baseOf(render.target));
      const sharing = this.byBase.get(base);
      if (sharing) sharing.push(render);
      else this.byBase.set(base, [render]);
    }
  }

  /** The shortest name of a render. */
  nameOf({ target }: AskedRender): string {
    const name = fileIn(this.file, target);
    return this.sharing(target).length === 1 ? baseOf(name) : name;
  }

  /** Those of all renders but an entry's own. */
  others(entry: number | undefined): readonly string[] {
    this.all ??= this.file.renders
      .map((render) => ({ entry: render.entry, name: this.nameOf(render) }))
      .filter(({ name }) => sourceNameIn(`[${name}]`) !== undefined);
    return this.all.filter((one) => one.entry !== entry).map(({ name }) => name);
  }

  /** The renders that a name may stand for: those with exactly that file, else those with another file extension. */
  of(name: string): readonly AskedRender[] {
    const found = this.found.get(name) ?? this.namedBy(name);
    this.found.set(name, found);
    return found;
  }

  /** True if an entry with that file has an error of its own, which is why no render has the name. */
  hasErrors(name: string): boolean {
    return this.withErrors.has(baseOf(name));
  }

  private namedBy(name: string): readonly AskedRender[] {
    const place = targetPlaceOf(this.file.path, this.file.folder, name);
    if (!('target' in place)) return [];
    const { target } = place;
    const sharing = this.sharing(target);
    const exact = sharing.filter((render) => folded(render.target) === folded(target));
    if (exact.length > 0) return exact;
    // A result may have any file extension if its entry states none.
    return baseOf(target) === target ? sharing : sharing.filter((render) => baseOf(render.target) === render.target);
  }

  private sharing(target: string): readonly AskedRender[] {
    return this.byBase.get(folded(baseOf(target))) ?? [];
  }
}

async function linksIn(
  file: RenderFile,
  names: Names,
  modelOf: (modelId: string) => KnownModel,
  found: SourceFindings,
  turns: Yielder,
): Promise<Links> {
  const links = new Map<AskedRender, Map<string, Link>>();
  for (const entry of file.entries)
    for (const render of entry.renders) {
      await turns.next();
      const own = new Map<string, Link>();
      for (const { text, name, place, isImage } of namingsIn(entry, render, modelOf(render.modelId))) {
        const [to, ...others] = names.of(name);
        const why = noSourceFor(name, to, others, names, modelOf);
        if (to && why === undefined) own.set(text, { name, place, to });
        if (why === undefined || !(to || isImage)) continue;
        const several = () => names.of(name).map(({ target }) => fileIn(file, target));
        const known = () => (why === 'unknown' ? names.others(entry.index) : why === 'several' ? several() : []);
        found.fail(render, { name, place }, () => ({ code: 'badSource', name, why, known: known() }));
      }
      if (own.size > 0) links.set(render, own);
    }
  return links;
}

function* namingsIn(
  entry: Entry,
  { inputs }: AskedRender,
  model: KnownModel,
): Generator<Naming & { readonly text: string; readonly isImage: boolean }> {
  for (const [input, value] of Object.entries(inputs)) {
    const isImage = takesImages(input, model);
    if (isImage === false) continue;
    for (const [index, text] of itemsOf(value).entries()) {
      const name = sourceNameIn(text);
      if (name === undefined) continue;
      yield { text: `[${name}]`, name, place: placeIn(entry, input, index), isImage: isImage === true };
    }
  }
}

/** Undefined if that can't be known. */
function takesImages(input: string, model: KnownModel): boolean | undefined {
  // No prompt names an entry, whatever it says.
  if (input === 'prompt') return false;
  if (model !== undefined)
    return typeof model === 'object' && model.fields.some(({ name, kind }) => name === input && kind === 'image');
  return isImageName(input.replace(/s$/i, '')) || undefined;
}

function noSourceFor(
  name: string,
  to: AskedRender | undefined,
  others: readonly AskedRender[],
  names: Names,
  modelOf: (modelId: string) => KnownModel,
): NoSource | undefined {
  if (!to) return names.hasErrors(name) ? 'errors' : 'unknown';
  if (others.length > 0) return 'several';
  return modelOf(to.modelId) === 'noImages' ? 'noImage' : undefined;
}

/**
 * The renders that name others or are named, each after those that it names. Reports circles, which have no such order,
 * and renders whose sources have errors.
 */
function inOrder(links: Links, names: Names, found: SourceFindings): readonly AskedRender[] {
  const linksOf = (render: AskedRender) => [...(links.get(render)?.values() ?? [])];
  const path = new Map<AskedRender, Link[]>();
  const ordered = new Set<AskedRender>();
  const leave = (render: AskedRender) => {
    const broken = linksOf(render).find(({ to }) => found.unsound.has(to));
    if (broken && !found.unsound.has(render))
      found.fail(render, broken, () => ({ code: 'badSource', name: broken.name, why: 'errors', known: [] }));
    path.delete(render);
    ordered.add(render);
  };
  // A chain may be as long as the file, and so many calls within calls don't fit on the stack.
  const visit = (start: AskedRender) => {
    const open = [start];
    path.set(start, linksOf(start));
    for (let render = open.at(-1); render; render = open.at(-1)) {
      const to = path.get(render)?.shift()?.to;
      if (!to) leave(open.pop() ?? render);
      else if (path.has(to) && !found.unsound.has(render))
        failCircle(open.slice(open.indexOf(to)), links, names, found);
      else if (!path.has(to) && !ordered.has(to)) {
        open.push(to);
        path.set(to, linksOf(to));
      }
    }
  };
  for (const render of links.keys()) if (!ordered.has(render)) visit(render);
  return [...ordered];
}

/** No sentence has more names of a circle. */
const mostInCircle = 16;

/** Reports a circle where each of its renders names the next one. */
function failCircle(circle: readonly AskedRender[], links: Links, names: Names, found: SourceFindings): void {
  for (const [index, render] of circle.entries()) {
    // Each of many circles may have most of the file in it.
    if (found.unsound.has(render)) continue;
    const next = circle[(index + 1) % circle.length];
    const link = [...(links.get(render)?.values() ?? [])].find(({ to }) => to === next);
    const round = Array.from(
      { length: Math.min(mostInCircle, circle.length + 1) },
      (_, step) => circle[(index + step) % circle.length] ?? render,
    );
    if (link) found.fail(render, link, () => ({ code: 'sourceCircle', names: round.map((one) => names.nameOf(one)) }));
  }
}

/** These renders with their sources, except those with an error. */
async function sourcedIn(
  ordered: readonly AskedRender[],
  links: Links,
  unsound: ReadonlySet<AskedRender>,
  stateIn: (render: AskedRender) => Promise<State>,
  turns: Yielder,
): Promise<ReadonlyMap<AskedRender, AskedRender>> {
  const sourced = new Map<AskedRender, AskedRender>();
  const files = new Map<AskedRender, string | undefined>();
  for (const render of ordered) {
    if (unsound.has(render)) continue;
    const own = [...(links.get(render) ?? [])];
    const sources = new Map(
      own.map(([text, { name, to }]): [string, Source] => [text, { name, target: to.target, file: files.get(to) }]),
    );
    const made = sources.size > 0 ? { ...render, sources } : render;
    sourced.set(render, made);
    // Which file is the image of a render may depend on its own sources.
    const state = await stateIn(made);
    files.set(render, 'file' in state ? state.file : undefined);
    await turns.next();
  }
  return sourced;
}
