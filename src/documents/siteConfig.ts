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
  return stated.length > 1 ? undefined : literal(line.slice(key.length), true);
}

/** The same for a key in a script, anywhere but in a line comment. Only quoted values can be determined. */
export function scriptText(config: string, key: string, absent: string): string | undefined {
  const word = new RegExp(`(?<![\\w$])${key}(?![\\w$])`);
  const stated = config.split('\n').filter((line) => !/^\s*(?:\/\/|\*)/.test(line) && word.test(line));
  const [line] = stated;
  if (line === undefined) return absent;
  return stated.length > 1 ? undefined : literal(line.slice(line.search(word) + key.length), false);
}

/** Whether a line of the configuration begins with this key, in any case. */
export function statesTopLevel(config: string, key: string): boolean {
  return config.split('\n').some((line) => beginsWith(line, key));
}

function beginsWith(line: string, key: string): boolean {
  return line.slice(0, key.length).toLowerCase() === key.toLowerCase() && /^\s*[:=]/.test(line.slice(key.length));
}

/** The text after a key. Longer texts aren't paths. */
function literal(afterKey: string, isBareStated: boolean): string | undefined {
  const value = /^\s{0,8}['"]?\s{0,8}[:=]\s{0,80}(.{0,300})/.exec(afterKey)?.[1] ?? '';
  const quoted = /^(["'`])([^"'`\\$]*)\1/.exec(value)?.[2];
  if (quoted !== undefined || !isBareStated) return quoted;
  const bare = value.replace(/(?:^|\s)#.*/, '').trim();
  return bare === '' || /^[^\s[\]{}&*!|>%@"'`$,]+$/.test(bare) ? bare : undefined;
}
