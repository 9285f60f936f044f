import type { Clock } from '../base/clock';
import { Turns } from '../base/turns';
import type { Written } from '../documents/span';
import { textOf } from './properties';
import { readTree, type Node } from './tree';

/** A place that names a style; the span excludes the quotes. */
export interface StyleName extends Written {
  /** True where the style is defined, false where it's used or extended. */
  readonly isDefinition: boolean;
}

/** All places in a render file that name a style. Takes turns with other work. */
export async function styleNames(text: string, clock: Clock): Promise<readonly StyleName[]> {
  const turns = new Turns(clock);
  const { root } = await readTree(text, turns);
  const names: StyleName[] = [];
  const add = (style: Node | undefined) => names.push(...usesIn(style));
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
function usesIn(style: Node | undefined): StyleName[] {
  if (style?.kind === 'object') return usesIn(valueOf(style, 'extends'));
  const text = style && textOf(style);
  if (!style || text === undefined) return [];
  return [{ text, start: style.start + 1, end: Math.max(style.start + 1, style.end - 1), isDefinition: false }];
}

/** Of two properties with the same name, the last counts. */
function valueOf(node: Node | undefined, name: string): Node | undefined {
  return node?.kind === 'object' ? node.properties.findLast(({ key }) => key.text === name)?.value : undefined;
}
