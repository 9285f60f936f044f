import { isSide, type Fit, type FitMode } from '../files/fit/fit';
import type { Findings } from './properties';
import type { Node, Property } from './tree';

/** What a file or an entry states about the size of its images. */
export interface StatedFit {
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

function valueOf(node: Node | undefined): unknown {
  return node?.kind === 'scalar' ? node.value : undefined;
}
