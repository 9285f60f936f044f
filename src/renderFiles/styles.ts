import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { type Around, joined } from '../catalog/fields';
import type { Span, Written } from '../documents/scan';
import { type Findings, objectIn, propertiesOf, textIn, textOfNode } from './properties';
import type { InputPlace, NamedStyle } from './renderFile';
import { jsonOf, type JsonNode, type ObjectNode, type Property, readTree } from './tree';

/** The stated values of inputs, by name. */
export type StatedInputs = ReadonlyMap<string, InputPlace>;

/** A style's additions to renders, including those of the styles it extends, whose words are outside. */
export interface Style extends Around {
  readonly inputs: StatedInputs;
  /** False if any of it is wrong; whatever uses it isn't rendered. */
  readonly isSound: boolean;
}

export const noStyle: Style = { before: '', after: '', inputs: new Map(), isSound: true };
const unsound: Style = { ...noStyle, isSound: false };

/** Longer chains of styles count as a circle. */
const longestChain = 64;
/** No model has as many inputs, and each costs time for each entry that inherits it. */
const mostInputs = 200;

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

  /** Each with the span of its name. Call after `readAll`. */
  get all(): ReadonlyMap<string, NamedStyle> {
    return new Map(
      [...this.known].map(([name, { key }]) => {
        const { start, end } = key;
        return [name, { start, end, ...this.named(name, []) }];
      }),
    );
  }

  /** Reads every style, used or not, so that its problems are reported. */
  async readAll(turns: Yielder): Promise<void> {
    for (const name of this.known.keys()) {
      this.named(name, []);
      await turns.next();
    }
  }

  /** The style in `style` or `extends`: by name, or inline. `null` is none. */
  of(property: Property | undefined, chain: readonly string[] = []): Style | undefined {
    const node = property?.value;
    if (!property || !node) return undefined;
    const name = textOfNode(node);
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
    const { errors } = this.found;
    const properties = propertiesOf(node, ['extends', 'before', 'after', 'inputs'], this.found);
    const base = this.of(properties.get('extends'), chain) ?? noStyle;
    const before = textIn(properties.get('before'), this.found)?.text ?? '';
    const after = textIn(properties.get('after'), this.found)?.text ?? '';
    const inputs = joinedInputs(
      [base.inputs, inputsInProperty(properties.get('inputs'), this.found)],
      node,
      this.found,
    );
    return {
      before: joined([base.before, before]),
      after: joined([after, base.after]),
      inputs,
      isSound: base.isSound && this.found.errors === errors,
    };
  }
}

/** The inputs in a property `inputs`; none, and an error, if there are too many. */
export function inputsInProperty(property: Property | undefined, found: Findings): StatedInputs {
  const stated = objectIn(property, found)?.properties ?? [];
  if (property && stated.length > mostInputs) {
    found.error(property.key, { code: 'tooManyInputs', most: mostInputs });
    return new Map();
  }
  return new Map(stated.flatMap(({ key, value }) => (value ? [[key.text, placeOf(value)] as const] : [])));
}

function placeOf(node: JsonNode): InputPlace {
  const { start, end } = node;
  return {
    start,
    end,
    value: jsonOf(node),
    ...(node.kind === 'array' && {
      items: node.items.map((item) => ({ start: item.start, end: item.end, value: jsonOf(item) })),
    }),
  };
}

/** Inputs from several places, where later ones win; otherwise as `inputsInProperty`. */
export function joinedInputs(parts: readonly StatedInputs[], place: Span, found: Findings): StatedInputs {
  const inputs = new Map(parts.flatMap((part) => [...part]));
  if (inputs.size <= mostInputs) return inputs;
  found.error(place, { code: 'tooManyInputs', most: mostInputs });
  return new Map();
}

/** A place that names a style; the span excludes the quotes. */
export interface StyleName extends Written {
  /** True where the style is defined, false where it's used or extended. */
  readonly isDefinition: boolean;
}

/** All places in a render file that name a style. Takes turns with other work. */
export async function styleNames(text: string, clock: Clock): Promise<readonly StyleName[]> {
  const turns = new Yielder(clock);
  const { root } = await readTree(text, turns);
  const names: StyleName[] = [];
  const add = (style: JsonNode | undefined) => names.push(...usesIn(style));
  add(valueOf(root, 'style'));
  const styles = valueOf(root, 'styles');
  for (const { key, value } of styles?.kind === 'object' ? styles.properties : []) {
    names.push({ ...key, isDefinition: true });
    add(valueOf(value, 'extends'));
    await turns.next();
  }
  const renders = valueOf(root, 'renders');
  for (const entry of renders?.kind === 'array' ? renders.items : []) {
    add(valueOf(entry, 'style'));
    await turns.next();
  }
  return names;
}

/** A style's name, or an inline style that may extend another. */
function usesIn(style: JsonNode | undefined): StyleName[] {
  if (style?.kind === 'object') return usesIn(valueOf(style, 'extends'));
  const text = style && textOfNode(style);
  if (!style || text === undefined) return [];
  return [{ text, start: style.start + 1, end: Math.max(style.start + 1, style.end - 1), isDefinition: false }];
}

/** Of two properties with the same name, the last counts. */
function valueOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.properties.findLast(({ key }) => key.text === name)?.value : undefined;
}
