import type { Span } from '../documents/scan';
import { type EntryProblem, type EntryProblemCode, type ExpectedType, mostProblems } from './renderFile';
import type { JsonNode, ObjectNode, Property } from './tree';

/** Collects problems; keeps only the first ones if there are very many. */
export class Findings {
  readonly problems: EntryProblem[] = [];
  private count = 0;

  /** The number of errors so far. */
  get errors(): number {
    return this.count;
  }

  error(place: Span, problem: EntryProblemCode): void {
    this.count += 1;
    this.add('error', place, problem);
  }

  warning(place: Span, problem: EntryProblemCode): void {
    this.add('warning', place, problem);
  }

  private add(severity: EntryProblem['severity'], { start, end }: Span, problem: EntryProblemCode): void {
    if (this.problems.length < mostProblems) this.problems.push({ ...problem, severity, start, end });
  }
}

/** The properties of an object by name; the last of several with the same name. Reports unknown names. */
export function propertiesOf(
  node: ObjectNode,
  known: readonly string[],
  found: Findings,
): ReadonlyMap<string, Property> {
  for (const { key } of node.properties)
    if (!known.includes(key.text)) found.warning(key, { code: 'unknownProperty', name: key.text });
  return new Map(node.properties.map((property) => [property.key.text, property]));
}

/** A property's value if it has the expected type; reports any other. */
export function objectIn(property: Property | undefined, found: Findings): ObjectNode | undefined {
  return ofKind(property, found, 'object', ({ kind }) => kind === 'object') as ObjectNode | undefined;
}

/** As `objectIn`, for the items of a list; empty without a list. */
export function itemsIn(property: Property | undefined, found: Findings): readonly JsonNode[] {
  const node = ofKind(property, found, 'array', ({ kind }) => kind === 'array');
  return node?.kind === 'array' ? node.items : [];
}

/** As `objectIn`, for a text; its span excludes the quotes. */
export function textIn(
  property: Property | undefined,
  found: Findings,
): (Span & { readonly text: string }) | undefined {
  const node = ofKind(property, found, 'text', (value) => textOfNode(value) !== undefined);
  const text = node && textOfNode(node);
  return node && text !== undefined
    ? { start: node.start + 1, end: Math.max(node.start + 1, node.end - 1), text }
    : undefined;
}

export function textOfNode(node: JsonNode): string | undefined {
  return node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

function ofKind(
  property: Property | undefined,
  found: Findings,
  expected: ExpectedType,
  is: (node: JsonNode) => boolean,
): JsonNode | undefined {
  if (!property?.value) return undefined;
  if (is(property.value)) return property.value;
  found.error(property.value, { code: 'wrongType', name: property.key.text, expected });
  return undefined;
}
