/** Words around a prompt. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** A style, applied to a model: words around its prompt, and values of its other fields by name. */
export interface Styling<Value> extends Around {
  readonly fixed: ReadonlyMap<string, Value>;
}

/** The input that a style puts its words around. */
export const styledInput = 'prompt';

/** A prompt with a style’s words around it. */
export function styled({ before, after }: Around, prompt: string): string {
  return joined([before, prompt, after]);
}

/** The prompt that has a style’s words around it, without these; undefined if it hasn’t, or the style has none. */
export function unstyled(around: Around, prompt: string): string | undefined {
  const [before, after, all] = [around.before.trim(), around.after.trim(), prompt.trim()];
  if (before + after === '' || !all.startsWith(before) || !all.endsWith(after)) return undefined;
  const own = all.slice(before.length, Math.max(before.length, all.length - after.length)).trim();
  return own !== '' && spaced(styled(around, own)) === spaced(all) ? own : undefined;
}

/** What is sent for a field: the style’s value, or its words around a prompt that isn’t empty, or the person’s own. */
export function sentValue<Value>(style: Styling<Value> | undefined, name: string, own: Value): Value | string {
  const fixed = style?.fixed.get(name);
  if (fixed !== undefined) return fixed;
  const isStyled = style && name === styledInput && typeof own === 'string' && own.trim() !== '';
  return isStyled ? styled(style, own) : own;
}

/** Adds a space where two would touch. Checks only the parts, since the result can be very long. */
export function joined(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== '');
  return words.reduce((all, part, index) => {
    const touches = index > 0 && !/\s/.test((words[index - 1] ?? '').slice(-1)) && !/\s/.test(part.charAt(0));
    return touches ? `${all} ${part}` : all + part;
  }, '');
}

function spaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
