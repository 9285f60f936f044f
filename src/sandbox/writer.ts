import { Dice, hash, type Time, wishesIn } from './art/artist';

interface Lines {
  readonly first: readonly [string, ...string[]];
  readonly second: readonly [string, ...string[]];
  readonly third: readonly [string, ...string[]];
}

/** Lines of five, seven, and five syllables, by topic. */
const verses: Readonly<Record<string, Lines>> = {
  sea: {
    first: ['Salt wind on the pier', 'The tide comes back in', 'A gull over waves', 'Far out, a lone sail'],
    second: [
      'the long swell lifts and lets go',
      'each wave writes and wipes its name',
      'an old boat leans on its rope',
      'the horizon keeps its word',
    ],
    third: ['the shore says nothing', 'and the sand forgets', 'evening folds its nets', 'light walks on water'],
  },
  mountain: {
    first: ['Stone above the clouds', 'The ridge holds its breath', 'First snow on the peak', 'A path of loose stones'],
    second: [
      'a hawk draws one slow circle',
      'the valley fills up with blue',
      'even the echo climbs down',
      'thin air and a steady step',
    ],
    third: ['the summit can wait', 'and the day looks back', 'silence has edges', 'my shadow rests first'],
  },
  forest: {
    first: ['Under the tall pines', 'Moss on fallen oak', 'Green light, then a bird', 'Needles on the path'],
    second: [
      'the wind reads from an old book',
      'a branch bends and is let go',
      'each trunk keeps its ring of years',
      'something small runs and stands still',
    ],
    third: ['the ferns bow their heads', 'and the owl looks up', 'dusk comes from below', 'the roots hold hands there'],
  },
  city: {
    first: ['Windows come alight', 'The last tram goes by', 'Neon in the rain', 'Footsteps on wet stone'],
    second: [
      'a hundred small yellow squares',
      'somebody laughs two floors up',
      'the crossing counts down to green',
      'steam leans out of a doorway',
    ],
    third: ['the street turns a page', 'and a key finds home', 'night has many doors', 'the roofs share one moon'],
  },
  flower: {
    first: ['One bud opens late', 'Bees in the warm grass', 'The garden wakes up', 'Petals on the step'],
    second: [
      'a red that no one ordered',
      'the whole hill leans to the sun',
      'nobody told them to bloom',
      'rain has left a bead on each',
    ],
    third: ['spring signs with a bee', 'and the gate stands wide', 'the scent stays till noon', 'color has no haste'],
  },
  night: {
    first: ['The moon clears the roof', 'Stars over the fields', 'The lamp burns down low', 'Deep blue, then a bark'],
    second: [
      'and lays a white cloth on things',
      'an old light that still gets here',
      'the dark moves a little close',
      'the whole sky turns on one pin',
    ],
    third: ['the clock walks alone', 'sleep comes on bare feet', 'and the well looks up', 'no one counts to ten'],
  },
  work: {
    first: ['The cursor blinks on', 'One test still in red', 'Tea cools by the keys', 'The build bar stands still'],
    second: [
      'between two lines lies the thought',
      'a name is found and all fits',
      'somewhere a bracket is missed',
      'the diff grows short and then clear',
    ],
    third: [
      'the fan hums its part',
      'and the light turns green',
      'save, and look outside',
      'small words, and they run',
    ],
  },
};

/** A haiku about what the prompt names; deterministic. */
export function haiku(prompt: string, seed: number): string {
  const dice = new Dice(hash(`${prompt.trim().toLowerCase()}/${seed}`));
  const { first, second, third } = versesFor(prompt, dice);
  return `${dice.pick(first)},\n${dice.pick(second)} –\n${dice.pick(third)}.`;
}

function versesFor(prompt: string, dice: Dice): Lines {
  const { grounds, time } = wishesIn(prompt);
  const subject =
    grounds.find((ground) => ground in verses) ??
    (/\b(code|test|bug|build|deploy|program\w*|keyboard)\b/i.test(prompt) ? 'work' : undefined);
  const chosen =
    subject ?? (time === 'night' ? 'night' : dice.pick(['sea', 'mountain', 'forest', 'flower', 'night'] as const));
  return verses[chosen] ?? (verses.sea as Lines);
}

/** Asks for fewer words, in a language of the interface. */
const brief = /short|brief|concise|kürz|kurz|knapp|court|bref|brièv|concis|cort|brev|短|簡潔/i;

/**
 * The sentences that say the most about the text, in their original order; deterministic. An instruction to be brief
 * leaves at most half of them, or the beginning of a single one.
 */
export function summary(text: string, most: number, asList: boolean, instructions = ''): string {
  const sentences = sentencesOf(text);
  const isBrief = brief.test(instructions);
  if (isBrief && sentences.length === 1) return text.trim().replace(/,[^,]*$/, '.');
  const count = isBrief ? Math.min(most, Math.floor(sentences.length / 2)) : most;
  const weight = wordWeights(text);
  const scored = sentences.map((sentence, place) => ({ sentence, place, score: scoreOf(sentence, place, weight) }));
  const kept = scored.sort((a, b) => b.score - a.score || a.place - b.place).slice(0, count);
  const chosen = kept.sort((a, b) => a.place - b.place).map(({ sentence }) => sentence);
  return asList ? chosen.map((sentence) => `- ${sentence}`).join('\n') : chosen.join(' ');
}

function sentencesOf(text: string): string[] {
  const parts = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text.replace(/\s*\n\s*/g, '\n'))];
  const sentences = parts.map(({ segment }) => segment.trim()).filter((sentence) => /\p{L}/u.test(sentence));
  return sentences.length > 0 ? sentences : [text.trim()];
}

const common = new Set(
  'the a an and or but if then of to in on at by for from with as is are was were be been it its this that these those he she they we you i not no so than too very can will would should could has have had do does did'.split(
    ' ',
  ),
);

function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 && !common.has(word));
}

/** How often each meaningful word occurs. */
function wordWeights(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of contentWords(text)) weights.set(word, (weights.get(word) ?? 0) + 1);
  return weights;
}

/** The mean weight of its words. The first sentence often states the topic. */
function scoreOf(sentence: string, place: number, weights: ReadonlyMap<string, number>): number {
  const words = contentWords(sentence);
  const sum = words.reduce((total, word) => total + (weights.get(word) ?? 0), 0);
  return (sum / Math.max(4, words.length)) * (place === 0 ? 1.3 : 1);
}

const light: Readonly<Record<Time, string>> = {
  day: 'in clear daylight',
  dawn: 'in the first light of the morning',
  sunset: 'under a glowing evening sky',
  night: 'at night',
};

/** One sentence for people who can't see the image, at most `limit` characters, cut between words. */
export function altText(description: string, medium: string, limit: number): string {
  const { time, weather } = wishesIn(description);
  const subject = description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!?…]+$/, '');
  const named =
    time === undefined || /\b(sunset|dusk|night|dawn|sunrise|morning|evening|day)\b/i.test(subject)
      ? ''
      : ` ${light[time]}`;
  const air = weather === 'mist' && !/\b(mist|fog)/i.test(subject) ? ', softened by mist' : '';
  const article = /^[aeiou]/i.test(medium) ? 'An' : 'A';
  return shortened(`${article} ${medium} of ${uncapitalised(subject)}${named}${air}.`, limit);
}

/** Proper names keep their capital; only an initial article or preposition loses it. */
function uncapitalised(text: string): string {
  return text.replace(/^(A|An|The|Two|Three|Many|Some|In|On|At)\b/, (word) => word.toLowerCase());
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > limit / 2 ? cut.slice(0, end) : cut).replace(/[\s,;–-]+$/, '')}…`;
}
