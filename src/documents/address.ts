import type { LinkKind } from './linkKind';
import type { Syntax } from './syntax';

/** The facts that decide how an address is written: the language, and in a script whether it's an import. */
interface Notation {
  readonly kind: LinkKind;
  readonly syntax: Syntax;
}

const files: ReadonlySet<Syntax> = new Set(['latex', 'typst', 'restructuredtext']);

/**
 * LaTeX, Typst, reStructuredText, Obsidian's embeds, and script imports name files. Everything else holds URLs, with
 * percent-encoding and fragments.
 */
function namesFile({ kind, syntax }: Notation): boolean {
  return kind === 'import' || kind === 'embed' || files.has(syntax);
}

/** The path of an address, `/` between segments. Percent signs that encode nothing are kept. */
export function decodedPath(address: string, notation: Notation): string {
  if (notation.kind === 'import') return address.replace(/\?.*$/s, '');
  if (namesFile(notation)) return address;
  const path = address.replace(/[?#].*$/s, '');
  // Encoded backslashes too: browsers and Windows read them as slashes, and so must any check of where a path leads.
  return percentDecoded(path).replaceAll('\\', '/');
}

/** Query and fragment: the part of an address after the path, '' if there is none. */
export function suffixOf(address: string, notation: Notation): string {
  if (notation.kind !== 'import' && namesFile(notation)) return '';
  return /[?#].*$/s.exec(address)?.[0] ?? '';
}

/**
 * A path as an address that works unquoted, in any quotes, in parentheses, and in a list of addresses. Letters of any
 * script stay readable.
 */
export function encodedPath(path: string): string {
  const encoded = path.replace(loneSurrogate, '\ufffd').replace(mustBeEncoded, encodeURIComponentWhole);
  // `a:b.png` would be an address with the scheme `a`.
  return /^[^/]*:/.test(encoded) ? `./${encoded}` : encoded;
}

const loneSurrogate = /\p{Surrogate}/gu;
const mustBeEncoded = /[\s\p{Cc}\p{Cf}"#%&'()*,<=>?[\\\]^`{|}]/gu;

/** `encodeURIComponent` leaves five characters that have a meaning in quotes, parentheses, or emphasis. */
function encodeURIComponentWhole(character: string): string {
  const encoded = encodeURIComponent(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  // Decodes each run on its own, so that an invalid one spoils only itself.
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      // Not UTF-8: stays as written.
      return run;
    }
  });
}
