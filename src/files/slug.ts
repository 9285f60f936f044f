/** The most characters in a slug. */
const longest = 40;
/** Only the beginning of a long prompt is used. */
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

/** The characters that turn another one into an emoji: none of them belongs to a word. */
const emojiMarks = /[\p{Variation_Selector}\p{Me}]/gu;

/**
 * The first words of a prompt for a file name: lower case, joined by `-`, at most 40 characters, cut between words.
 * Removes accents from Latin letters; keeps other scripts as they are. '' without any letters.
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
  // Drop half a surrogate pair at the cut.
  return word.slice(0, longest).replace(/\p{Cs}$/u, '');
}

/** Lower case, Latin letters without accents, and words without apostrophes. */
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
