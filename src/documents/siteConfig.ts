/** The longest configuration file that is read, in bytes. */
export const longestConfig = 64 * 1024;

/**
 * The text of a configuration's top-level key, in YAML or TOML: `absent` if the key is missing; undefined if its value
 * can't be determined, such as a list, a reference, or several values.
 */
export function topLevelText(config: string, key: string, absent: string): string | undefined {
  const stated = config.split('\n').filter((line) => beginsWith(line, key));
  const [line] = stated;
  if (line === undefined) return absent;
  return stated.length > 1 ? undefined : literal(line.slice(key.length));
}

/** The same for a key of any table in TOML. */
export function tableText(config: string, key: string, absent: string): string | undefined {
  return topLevelText(config.replace(/^[ \t]{1,16}/gm, ''), key, absent);
}

/**
 * The same for a key in a script, anywhere but in a line comment. Only quoted values can be determined, and constants
 * of the same script.
 */
export function scriptText(config: string, key: string, absent: string): string | undefined {
  const code = config.split('\n').filter((line) => !/^\s*(?:\/\/|\*)/.test(line));
  const word = wordOf(key);
  const named = code.filter((line) => word.test(line));
  if (named.length === 0) return absent;
  const after = named.map((line) => line.slice(line.search(word) + key.length));
  const properties = after.filter((text) => /^\s{0,8}['"]?\s{0,8}:/.test(text));
  // Without a property, a constant with its name is what `{ key }` states.
  const stated = (properties.length > 0 ? properties : after).flatMap((text) => statedAfter(text) ?? []);
  const values = new Set(stated.map((value) => quotedIn(value) ?? constant(code, value)));
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

/** The value of a constant that a script states once, quoted. */
function constant(code: readonly string[], value: string): string | undefined {
  const name = /^([A-Za-z_$][\w$]{0,80})\s{0,8}(?:[,;}]|$)/.exec(value)?.[1];
  if (name === undefined) return undefined;
  const word = wordOf(name);
  const stated = code.flatMap((line) => {
    const isConstant = /^\s{0,80}(?:export\s{1,8})?const\s/.test(line) && word.test(line);
    return isConstant ? (statedAfter(line.slice(line.search(word) + name.length)) ?? []) : [];
  });
  return stated.length === 1 ? quotedIn(stated[0] ?? '') : undefined;
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
}

/** Whether a line of the configuration begins with this key, in any case. */
export function statesTopLevel(config: string, key: string): boolean {
  return config.split('\n').some((line) => beginsWith(line, key));
}

function beginsWith(line: string, key: string): boolean {
  return line.slice(0, key.length).toLowerCase() === key.toLowerCase() && /^\s*[:=]/.test(line.slice(key.length));
}

/** The text after a key. Longer texts aren't paths. */
function literal(afterKey: string): string | undefined {
  const value = statedAfter(afterKey) ?? '';
  const quoted = quotedIn(value);
  if (quoted !== undefined) return quoted;
  const bare = value.replace(/(?:^|\s)#.*/, '').trim();
  return bare === '' || /^[^\s[\]{}&*!|>%@"'`$,]+$/.test(bare) ? bare : undefined;
}

function statedAfter(afterKey: string): string | undefined {
  return /^\s{0,8}['"]?\s{0,8}[:=](?!=)\s{0,80}(.{0,300})/.exec(afterKey)?.[1];
}

function quotedIn(value: string): string | undefined {
  return /^(["'`])([^"'`\\$]*)\1/.exec(value)?.[2];
}
