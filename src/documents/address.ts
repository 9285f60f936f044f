import type { LinkKind } from './linkKind';
import type { Syntax } from './syntax';

/** The things that decide how an address is written: the language, and in a script whether it is an import. */
interface Notation {
  readonly kind: LinkKind;
  readonly syntax: Syntax;
}

/**
 * LaTeX, reStructuredText and the imports of scripts name files; everything else names addresses, with percent-encoding
 * and fragments.
 */
function namesFile({ kind, syntax }: Notation): boolean {
  return kind === 'import' || syntax === 'latex' || syntax === 'restructuredtext';
}

/** The path of an address, `/` between segments. Percent signs that encode nothing are kept. */
export function decodedPath(address: string, notation: Notation): string {
  if (notation.kind === 'import') return address.replace(/\?.*$/s, '');
  if (namesFile(notation)) return address;
  const path = address.replace(/[?#].*$/s, '');
  // Encoded backslashes too: browsers and Windows read them as slashes, and so must whoever checks where a path leads.
  return percentDecoded(path).replaceAll('\\', '/');
}

/** The part after the path in an address: query and fragment, '' when there are none. */
export function suffixOf(address: string, notation: Notation): string {
  if (notation.kind !== 'import' && namesFile(notation)) return '';
  return /[?#].*$/s.exec(address)?.[0] ?? '';
}

/**
 * A path as an address that stands for itself wherever an address may stand: in any quotes or none, between
 * parentheses, in a list of addresses. Letters of any script stay readable.
 */
export function encodedPath(path: string): string {
  const encoded = path.replace(loneSurrogate, '\ufffd').replace(mustBeEncoded, encodeURIComponentWhole);
  // `a:b.png` would be an address of the scheme `a`.
  return /^[^/]*:/.test(encoded) ? `./${encoded}` : encoded;
}

const loneSurrogate = /\p{Surrogate}/gu;
const mustBeEncoded = /[\s\p{Cc}\p{Cf}"#%&'()*,<=>?[\\\]^`{|}]/gu;

/** `encodeURIComponent` leaves five characters alone that mean something in quotes, parentheses and emphasis. */
function encodeURIComponentWhole(character: string): string {
  const encoded = encodeURIComponent(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  // Run by run, so that one that is no UTF-8 spoils only itself.
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      // Not UTF-8: the characters as they are.
      return run;
    }
  });
}
