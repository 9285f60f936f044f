import type { Span } from '../documents/span';
import { objectIn, propertiesOf, textIn, textOf, type Findings } from './properties';
import type { Node, ObjectNode, Property } from './tree';

/** The values of inputs by name, each with its place. */
export type Inputs = ReadonlyMap<string, Property & { readonly value: Node }>;

/** What a style adds to what it is used for, with the styles it extends. */
export interface Style {
  /** Around each prompt: the words of the style it extends are the outer ones. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly inputs: Inputs;
  /** False where something in it is wrong: what uses it isn't rendered. */
  readonly isSound: boolean;
}

export const noStyle: Style = { before: [], after: [], inputs: new Map(), isSound: true };
const unsound: Style = { ...noStyle, isSound: false };

/** Longer chains of styles are taken for a circle. */
const longestChain = 64;

/** The styles of a file, each read once. */
export class Styles {
  private readonly known: ReadonlyMap<string, Property>;
  private readonly read = new Map<string, Style>();

  constructor(
    styles: ObjectNode | undefined,
    private readonly found: Findings,
  ) {
    this.known = new Map((styles?.properties ?? []).map((property) => [property.key.text, property]));
  }

  /** Where the name of each stands. */
  get places(): ReadonlyMap<string, Span> {
    return new Map([...this.known].map(([name, { key }]) => [name, key]));
  }

  /** Reads each of them, used or not, so that what is wrong in one is told. */
  readAll(): void {
    for (const name of this.known.keys()) this.named(name, []);
  }

  /** The style that `style` or `extends` states: by its name, or as it is. `null` is none. */
  of(property: Property | undefined, chain: readonly string[] = []): Style | undefined {
    const node = property?.value;
    if (!property || !node) return undefined;
    const name = textOf(node);
    if (name !== undefined && this.known.has(name)) return this.inChain(name, chain, node);
    if (name !== undefined) this.found.error(node, { code: 'unknownStyle', name });
    else if (node.kind === 'object') return this.stated(node, chain);
    else if (node.kind === 'scalar' && node.value === null) return noStyle;
    else this.found.error(node, { code: 'wrongType', name: property.key.text, expected: 'style' });
    return unsound;
  }

  private inChain(name: string, chain: readonly string[], place: Span): Style {
    const from = chain.indexOf(name);
    if (from < 0 && chain.length < longestChain) return this.named(name, chain);
    this.found.error(place, { code: 'circle', names: [...chain.slice(Math.max(0, from)), name] });
    return unsound;
  }

  private named(name: string, chain: readonly string[]): Style {
    const before = this.read.get(name);
    if (before) return before;
    const property = this.known.get(name);
    const node = objectIn(property, this.found);
    const style = node ? this.stated(node, [...chain, name]) : unsound;
    this.read.set(name, style);
    return style;
  }

  private stated(node: ObjectNode, chain: readonly string[]): Style {
    const errors = this.found.errors;
    const properties = propertiesOf(node, ['extends', 'before', 'after', 'inputs'], this.found);
    const base = this.of(properties.get('extends'), chain) ?? noStyle;
    const own = inputsIn(properties.get('inputs'), this.found);
    const [before, after] = ['before', 'after'].map((name) => textIn(properties.get(name), this.found)?.text ?? '');
    return {
      before: [...base.before, before ?? ''],
      after: [after ?? '', ...base.after],
      inputs: new Map([...base.inputs, ...own]),
      isSound: base.isSound && this.found.errors === errors,
    };
  }
}

/** What a property `inputs` states. */
export function inputsIn(property: Property | undefined, found: Findings): Inputs {
  const stated = objectIn(property, found)?.properties ?? [];
  return new Map(stated.flatMap(({ key, value }) => (value ? [[key.text, { key, value }] as const] : [])));
}

/** A prompt in the words of a style, with a space where two would touch. */
export function styled({ before, after }: Style, prompt: string): string {
  return [...before, prompt, ...after].reduce((all, words) => {
    if (all === '' || words === '') return all + words;
    return /\s$/.test(all) || /^\s/.test(words) ? all + words : `${all} ${words}`;
  }, '');
}
