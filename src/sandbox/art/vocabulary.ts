import { type Colour, hex } from './colour';

/** The ground a picture stands on, from far to near. */
export const grounds = ['mountain', 'desert', 'city', 'forest', 'field', 'flower', 'sea', 'abstract'] as const;
export type Ground = (typeof grounds)[number];

export type Time = 'day' | 'dawn' | 'sunset' | 'night';
export type Weather = 'clear' | 'cloud' | 'rain' | 'snow' | 'mist';
export type Thing = 'sun' | 'moon' | 'stars' | 'birds' | 'boat' | 'house' | 'lighthouse' | 'balloon' | 'tree';

/** What a prompt asks for, as far as the artist understands it. */
export interface Wishes {
  /** In the order of `grounds`; empty when the prompt names none. */
  readonly grounds: readonly Ground[];
  readonly time?: Time;
  readonly weather?: Weather;
  readonly things: ReadonlySet<Thing>;
  /** In the order they are named. */
  readonly colours: readonly Colour[];
  /** Those of them that stand before a thing or a flower: a red boat. */
  readonly thingColours: readonly Colour[];
  /** Names of palettes the words lean to. */
  readonly moods: ReadonlySet<string>;
}

type Meaning = { ground?: Ground; time?: Time; weather?: Weather; thing?: Thing; colour?: string; mood?: string };

/** One meaning and the words that have it. */
const meanings: readonly (Meaning & { words: string })[] = [
  { words: 'mountain peak summit alps cliff hill range glacier fjord volcano canyon ridge', ground: 'mountain' },
  { words: 'desert dune sand sahara oasis mesa', ground: 'desert', mood: 'desert' },
  {
    words: 'city town skyline skyscraper street building downtown metropolis village harbour harbor roof tower',
    ground: 'city',
    mood: 'city',
  },
  { words: 'forest wood woodland tree pine fir jungle grove taiga', ground: 'forest', mood: 'forest' },
  {
    words: 'field meadow farm countryside hill prairie pasture grass valley vineyard',
    ground: 'field',
    mood: 'spring',
  },
  {
    words: 'flower garden bloom blossom rose tulip poppy daisy bouquet lotus petal sunflower orchid',
    ground: 'flower',
    mood: 'spring',
  },
  {
    words: 'sea ocean beach coast shore wave lake river bay island water harbour harbor surf fjord',
    ground: 'sea',
    mood: 'sea',
  },
  {
    words: 'abstract pattern geometric geometry shape texture bauhaus minimal gradient swirl fractal logo',
    ground: 'abstract',
    mood: 'abstract',
  },
  { words: 'sunset dusk evening twilight golden', time: 'sunset' },
  { words: 'sunrise dawn morning daybreak', time: 'dawn' },
  { words: 'night midnight nocturne starry dark', time: 'night' },
  { words: 'day noon midday sunny bright summer', time: 'day' },
  { words: 'rain rainy storm monsoon drizzle thunder', weather: 'rain', mood: 'rain' },
  { words: 'snow snowy winter blizzard frost ice icy', weather: 'snow', mood: 'winter' },
  { words: 'mist misty fog foggy haze hazy', weather: 'mist', mood: 'mist' },
  { words: 'cloud cloudy overcast sky', weather: 'cloud' },
  { words: 'autumn fall october harvest', mood: 'autumn' },
  { words: 'spring april may', mood: 'spring' },
  { words: 'neon cyberpunk club disco', mood: 'city', time: 'night' },
  { words: 'sun sunset sunrise sunny sunlight', thing: 'sun' },
  { words: 'moon moonlight moonlit lunar crescent', thing: 'moon', time: 'night' },
  { words: 'star starry stars galaxy cosmos milky space universe', thing: 'stars', time: 'night' },
  { words: 'bird gull seagull swallow crane geese flock', thing: 'birds' },
  { words: 'boat ship sail sailboat sailing yacht', thing: 'boat', ground: 'sea' },
  { words: 'house cabin cottage home hut barn farm', thing: 'house' },
  { words: 'lighthouse', thing: 'lighthouse', ground: 'sea' },
  { words: 'balloon airship', thing: 'balloon' },
  { words: 'tree oak', thing: 'tree' },
  { words: 'red crimson scarlet ruby', colour: '#d0322d' },
  { words: 'orange tangerine', colour: '#f07f1b' },
  { words: 'amber honey', colour: '#f2a413' },
  { words: 'yellow lemon', colour: '#f3cf2a' },
  { words: 'gold golden', colour: '#d9a441' },
  { words: 'green lime', colour: '#3f9b45' },
  { words: 'emerald jade', colour: '#14855f' },
  { words: 'olive moss', colour: '#7d7a2e' },
  { words: 'teal turquoise', colour: '#1b9a95' },
  { words: 'cyan aqua', colour: '#27b5cf' },
  { words: 'blue azure cobalt', colour: '#2765c4' },
  { words: 'navy', colour: '#1f2f6b' },
  { words: 'indigo', colour: '#4338a8' },
  { words: 'violet purple', colour: '#7a3fb5' },
  { words: 'lavender lilac', colour: '#a78bd6' },
  { words: 'magenta fuchsia', colour: '#c22f93' },
  { words: 'pink', colour: '#ee7fa8' },
  { words: 'coral peach salmon', colour: '#f4795f' },
  { words: 'brown sepia chocolate', colour: '#83502f' },
  { words: 'beige sand cream', colour: '#c9b18a' },
  { words: 'grey gray silver black white monochrome', colour: '#8a8d91' },
];

/** Reads a prompt, in any order of words and with their plurals. What it does not know it leaves to chance. */
export function wishesIn(prompt: string): Wishes {
  const found = wordsOf(prompt).flatMap((word) => meanings.filter(({ words }) => words.split(' ').includes(word)));
  const named = <T>(of: (meaning: Meaning) => T | undefined) => found.map(of).filter((value) => value !== undefined);
  const asked = new Set(named(({ ground }) => ground));
  const ofThing = (i: number) => coloured(found.slice(i + 1).find(({ colour }) => colour === undefined));
  const colours = (things: boolean) =>
    found.flatMap(({ colour }, i) => (colour !== undefined && ofThing(i) === things ? [colour] : []));
  return {
    grounds: grounds.filter((ground) => asked.has(ground)),
    time: named(({ time }) => time)[0],
    weather: named(({ weather }) => weather)[0],
    things: new Set(named(({ thing }) => thing)),
    colours: [...new Set(colours(false))].map(hex),
    thingColours: [...new Set(colours(true))].map(hex),
    moods: new Set(named(({ mood }) => mood)),
  };
}

/** Whether a colour named before it is its own, not that of the whole picture. */
function coloured(meaning: Meaning | undefined): boolean {
  const own: readonly (Thing | undefined)[] = ['boat', 'house', 'lighthouse', 'balloon'];
  return meaning?.ground === 'flower' || own.includes(meaning?.thing);
}

/** Lower-case words in the singular, as far as an `s` tells. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.map((word) => {
    if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
    if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
    return /(?:ch|sh|x|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  });
}
