/** How many characters a slug has at most. */
const longest = 40;
/** A prompt may be a book; its beginning names the file. */
const considered = 1000;

const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};

/** What makes an emoji of a character: none of it belongs to a word. */
const emojiMarks = /[\p{Variation_Selector}\p{Me}]/gu;

/**
 * The first words of a prompt as part of a file name: lower case, joined by `-`, at most 40 characters, cut between
 * words. Latin letters lose their accents; the letters of other scripts stay as they are. '' when there are no letters.
 */
export function slug(prompt: string): string {
  const words = plain(prompt.slice(0, considered)).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  let joined = '';
  for (const word of words) {
    const longer = joined === '' ? word : `${joined}-${word}`;
    if (longer.length > longest) return joined === '' ? cut(word) : joined;
    joined = longer;
  }
  return joined;
}

function cut(word: string): string {
  // Half of a surrogate pair is no letter.
  return word.slice(0, longest).replace(/\p{Cs}$/u, '');
}

/** Lower case, Latin letters without accents, and without the apostrophes inside words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => latin[letter] ?? letter)
    .replace(/['’]/g, '')
    .replace(emojiMarks, '')
    .normalize('NFC');
}
