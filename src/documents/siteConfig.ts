/** The longest configuration file that is read, bytes. Longer ones aren't read. */
export const longestConfig = 64 * 1024;

/**
 * The text that a configuration states for a key at the beginning of a line, as the top level of YAML and TOML has it:
 * `absent` when the key is not there; undefined when it is and what it says cannot be told: a list, a reference,
 * several of them.
 */
export function topLevelText(config: string, key: string, absent: string): string | undefined {
  const stated = config.split('\n').filter((line) => beginsWith(line, key));
  const [line] = stated;
  if (line === undefined) return absent;
  return stated.length > 1 ? undefined : literal(line.slice(key.length), true);
}

/**
 * Likewise for a key of a script, wherever it stands but in a comment of one line: only what is written in quotes can
 * be told.
 */
export function scriptText(config: string, key: string, absent: string): string | undefined {
  const word = new RegExp(`(?<![\\w$])${key}(?![\\w$])`);
  const stated = config.split('\n').filter((line) => !/^\s*(?:\/\/|\*)/.test(line) && word.test(line));
  const [line] = stated;
  if (line === undefined) return absent;
  return stated.length > 1 ? undefined : literal(line.slice(line.search(word) + key.length), false);
}

/** True when a line of the configuration begins with this key, whatever its case. */
export function statesTopLevel(config: string, key: string): boolean {
  return config.split('\n').some((line) => beginsWith(line, key));
}

function beginsWith(line: string, key: string): boolean {
  return line.slice(0, key.length).toLowerCase() === key.toLowerCase() && /^\s*[:=]/.test(line.slice(key.length));
}

/** The text after a key. Longer texts are no paths. */
function literal(afterKey: string, isBareTold: boolean): string | undefined {
  const value = /^\s{0,8}['"]?\s{0,8}[:=]\s{0,80}(.{0,300})/.exec(afterKey)?.[1] ?? '';
  const quoted = /^(["'`])([^"'`\\$]*)\1/.exec(value)?.[2];
  if (quoted !== undefined || !isBareTold) return quoted;
  const bare = value.replace(/(?:^|\s)#.*/, '').trim();
  return bare === '' || /^[^\s[\]{}&*!|>%@"'`$,]+$/.test(bare) ? bare : undefined;
}
