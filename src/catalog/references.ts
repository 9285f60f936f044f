import { isObject } from '../base/json';
import type { Shape } from './shape';

/** Limits of values and depth: a schema may refer to itself, in more ways each time. */
const most = 20_000;
const deepest = 24;

/**
 * Resolves the references of a JSON Schema (`{"$ref": "#/$defs/Size"}`), in which several fields may share a
 * definition. `#` is any object around it, the nearest first. A reference that leads nowhere, or elsewhere, stays as it
 * is.
 */
export function withReferences(answer: Shape): Shape {
  return refers(answer, { left: most }, 0) ? (resolved(answer, [], { left: most }, 0) as Shape) : answer;
}

/** True if there is anything to resolve. */
function refers(value: unknown, budget: { left: number }, depth: number): boolean {
  budget.left -= 1;
  if (budget.left < 0 || depth > deepest || typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some((inner) => refers(inner, budget, depth + 1));
}

function resolved(value: unknown, around: readonly Shape[], budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0 || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => resolved(entry, around, budget, depth + 1));
  if (!isObject(value)) return value;
  const roots = [value, ...around];
  const { $ref: reference, ...own } = value;
  const meant = typeof reference === 'string' ? meantBy(reference, roots) : undefined;
  const whole = meant ? { ...meant, ...own } : value;
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => [name, resolved(inner, roots, budget, depth + 1)]),
  );
}

/** The object below the nearest root that has it; `/` and `~` are written as JSON Pointers do. */
function meantBy(reference: string, roots: readonly Shape[]): Shape | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (const root of roots) {
    const found = names.reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      root,
    );
    if (isObject(found)) return found;
  }
  return undefined;
}
