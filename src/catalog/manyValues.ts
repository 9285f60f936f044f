/**
 * Whether a JSON text may have more values than `most`, without parsing it: each but the first follows a comma, a
 * bracket, or a brace. What texts in it contain doesn't count.
 */
export function hasMoreValues(text: string, most: number): boolean {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if ((code === comma || code === bracket || code === brace) && ++values > most) return true;
  }
  return false;
}

const [quote, comma, bracket, brace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

/** The offset of the quote that ends a text; that of the end if none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
