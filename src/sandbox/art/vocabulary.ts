import { type Color, hex } from './color';
import type { Subject } from './subjects';

/** The ground of an image, far to near. */
const grounds = ['mountain', 'desert', 'city', 'forest', 'field', 'flower', 'sea', 'abstract'] as const;
export type Ground = (typeof grounds)[number];

export type Time = 'day' | 'dawn' | 'sunset' | 'night';
export type Weather = 'cloud' | 'rain' | 'snow' | 'mist';
export type Thing =
  'sun' | 'moon' | 'stars' | 'birds' | 'boat' | 'house' | 'village' | 'pier' | 'lighthouse' | 'balloon' | 'tree';

interface PromptSubject {
  readonly subject: Subject;
  readonly color?: Color;
}

/** What a prompt asks for, as far as the artist understands it. */
export interface PromptContent {
  /** In the order of `grounds`; empty if the prompt names none. */
  readonly grounds: readonly Ground[];
  readonly time?: Time;
  readonly weather?: Weather;
  readonly things: ReadonlySet<Thing>;
  /** In the order of the prompt. */
  readonly colors: readonly Color[];
  /** The colors that belong to a thing or a flower, as in a red boat. */
  readonly thingColors: readonly Color[];
  /** The subjects of the image in the order of the prompt, at most three. */
  readonly subjects: readonly PromptSubject[];
  /** Names of palettes that the words suggest. */
  readonly moods: ReadonlySet<string>;
}

interface Meaning {
  readonly words: string;
  readonly ground?: Ground;
  readonly time?: Time;
  readonly weather?: Weather;
  readonly thing?: Thing;
  readonly subject?: Subject;
  readonly color?: string;
  readonly mood?: string;
  /** The word has this meaning only in the singular, or only in the plural. */
  readonly number?: 'one' | 'many';
  /** The word means several, whatever its form. */
  readonly several?: boolean;
}

/** A meaning, with its words in the languages of the interface. */
const meanings: readonly Meaning[] = [
  {
    words:
      'mountain peak summit alps cliff hill range glacier fjord volcano canyon ridge berg berge gipfel' +
      ' alpen hügel vulkan gletscher montaña pico cumbre colina volcán montagne sommet colline falaise 山 丘' +
      ' 火山',
    ground: 'mountain',
  },
  {
    words: 'desert dune sand sahara oasis mesa wüste düne dünen desierto duna désert 砂漠 砂丘',
    ground: 'desert',
    mood: 'desert',
  },
  {
    words:
      'city skyline skyscraper street building downtown metropolis tower stadt straße turm ciudad calle torre' +
      ' ville rue 街 都市 塔',
    ground: 'city',
    mood: 'city',
  },
  {
    words:
      'forest wood woodland tree pine fir jungle grove taiga wald wälder tanne baum bäume bosque selva' +
      ' árbol forêt bois arbre 森 林 木',
    ground: 'forest',
    mood: 'forest',
  },
  {
    words:
      'field meadow farm countryside hill prairie pasture grass valley vineyard feld felder wiese acker tal' +
      ' campo prado pradera valle champ pré vallée 野原 草原 畑 谷',
    ground: 'field',
    mood: 'spring',
  },
  {
    words:
      'flower garden bloom blossom rose tulip poppy daisy bouquet lotus petal sunflower orchid blume blumen' +
      ' garten blüte flor flores jardín tulipán fleur jardin tulipe 花 庭 薔薇 桜',
    ground: 'flower',
    mood: 'spring',
  },
  {
    words:
      'sea ocean beach coast shore wave lake pond reed river bay island water harbour harbor surf fjord meer' +
      ' ozean strand küste ufer welle wellen teich schilf fluss hafen insel wasser mar océano playa costa ola' +
      ' lago estanque río isla puerto agua mer océan plage vague lac étang roseau roseaux rivière île port eau' +
      ' 海 浜 波 湖 池 葦 川 島 港',
    ground: 'sea',
    mood: 'sea',
  },
  {
    words:
      'abstract pattern geometric geometry shape texture bauhaus minimal gradient swirl fractal logo' +
      ' abstrakt muster abstracto abstracta abstrait abstraite motif 抽象 模様',
    ground: 'abstract',
    mood: 'abstract',
  },
  {
    words:
      'sunset dusk evening twilight golden sonnenuntergang abend abends atardecer ocaso tarde soir' +
      ' crépuscule 夕方 夕焼け 夕日',
    time: 'sunset',
  },
  {
    words: 'sunrise dawn morning daybreak sonnenaufgang morgen amanecer alba aube aurore matin 朝 夜明け',
    time: 'dawn',
  },
  {
    words: 'night midnight nocturne starry dark nacht nachts mitternacht noche medianoche nuit minuit 夜',
    time: 'night',
  },
  {
    words:
      'day noon midday sunny bright summer mittag sonnig sommer día mediodía soleado verano midi ensoleillé' +
      ' été 昼 夏',
    time: 'day',
  },
  {
    words:
      'rain rainy storm monsoon drizzle thunder regen sturm gewitter lluvia tormenta pluie orage tempête 雨' + ' 嵐',
    weather: 'rain',
    mood: 'rain',
  },
  {
    words:
      'snow snowy winter blizzard frost ice icy schnee verschneit eis nieve nevado invierno hielo neige' +
      ' enneigé hiver 雪 冬 氷',
    weather: 'snow',
    mood: 'winter',
  },
  {
    words: 'mist misty fog foggy haze hazy nebel neblig dunst niebla bruma brume brouillard 霧',
    weather: 'mist',
    mood: 'mist',
  },
  { words: 'cloud cloudy overcast sky wolke wolken himmel nube cielo nuage ciel 雲 空', weather: 'cloud' },
  { words: 'autumn fall october harvest herbst otoño automne 秋', mood: 'autumn' },
  { words: 'spring april may frühling primavera printemps 春', mood: 'spring' },
  { words: 'neon cyberpunk club disco', mood: 'city', time: 'night' },
  {
    words: 'sun sunset sunrise sunny sunlight sonne sonnenuntergang sonnenaufgang sol soleil 太陽 夕日',
    thing: 'sun',
  },
  { words: 'moon moonlight moonlit lunar crescent mond mondlicht luna lune 月', thing: 'moon', time: 'night' },
  {
    words:
      'star starry stars galaxy cosmos milky space universe stern sterne sternenhimmel estrella estrellado' +
      ' étoile étoilé 星',
    thing: 'stars',
    time: 'night',
  },
  { words: 'gull seagull swallow geese flock vögel möwe möwen gaviota mouette 鳥の群れ', thing: 'birds' },
  { words: 'bird pájaro oiseau', thing: 'birds', number: 'many' },
  {
    words:
      'boat ship ferry sail sailboat sailing yacht harbour harbor boot schiff fähre segelboot hafen barco velero' +
      ' puerto bateau navire voilier port 船 舟 港',
    thing: 'boat',
    ground: 'sea',
  },
  {
    words: 'house cabin cottage home hut barn farm roof haus häuser hütte dach casa cabaña maison cabane toit 家 小屋',
    thing: 'house',
  },
  { words: 'village town dorf dörfer pueblo aldea village bourg 村 町', thing: 'village', ground: 'field' },
  { words: 'harbour harbor hafen puerto port 港', thing: 'village' },
  {
    words:
      'pier jetty dock wharf harbour harbor steg anleger kai hafen muelle embarcadero puerto jetée quai' +
      ' embarcadère port 桟橋 港',
    thing: 'pier',
    ground: 'sea',
  },
  { words: 'lighthouse leuchtturm faro phare 灯台', thing: 'lighthouse', ground: 'sea' },
  { words: 'balloon airship ballon heißluftballon globo montgolfière 気球', thing: 'balloon' },
  { words: 'tree oak baum bäume eiche árbol roble arbre chêne 木', thing: 'tree' },
  { words: 'fox vixen fuchs füchse zorro renard キツネ きつね 狐', subject: 'fox' },
  {
    words: 'cat kitten kitty tabby katze katzen kätzchen kater gato gata gatito chat chatte chaton ネコ ねこ 猫',
    subject: 'cat',
  },
  {
    words:
      'bird sparrow robin finch parrot owl vogel spatz eule papagei pájaro gorrión búho loro oiseau' +
      ' moineau hibou perroquet 鳥',
    subject: 'bird',
    number: 'one',
  },
  {
    words: 'heron egret stork crane reiher storch garza cigüeña héron cigogne サギ 鷺',
    subject: 'heron',
    ground: 'sea',
  },
  {
    words: 'fish goldfish fishbowl aquarium fisch fische goldfisch pez peces poisson 魚 金魚',
    subject: 'fish',
  },
  {
    words:
      'cup mug teacup coffee espresso cappuccino tea cocoa tasse becher kaffee tee taza café té tasse thé' +
      ' カップ コーヒー 茶碗 お茶',
    subject: 'cup',
  },
  {
    words:
      'person man woman boy girl child hiker traveler traveller astronaut knight wizard princess' +
      ' mensch mann frau junge mädchen kind persona hombre mujer niño niña personne homme femme' +
      ' garçon fille enfant 人 男 女 少年 少女 子供',
    subject: 'person',
  },
  {
    words: 'people men women children menschen männer frauen kinder leute gente gens enfants 人々',
    subject: 'person',
    several: true,
  },
  {
    words: 'portrait headshot avatar porträt gesicht retrato cara rostro visage 肖像 顔',
    subject: 'portrait',
  },
  { words: 'car automobile taxi convertible auto autos coche carro voiture クルマ 車 自動車', subject: 'car' },
  { words: 'robot android droid roboter ロボット', subject: 'robot' },
  {
    words: 'flower tulip daisy sunflower poppy orchid blume sonnenblume flor girasol fleur tournesol 花',
    subject: 'flower',
    number: 'one',
  },
  { words: 'red crimson scarlet ruby rot rote roter rotes roten rojo roja rouge 赤 赤い', color: '#d0322d' },
  { words: 'orange tangerine orangefarben naranja オレンジ', color: '#f07f1b' },
  { words: 'amber honey bernstein ámbar ambre 琥珀', color: '#f2a413' },
  { words: 'yellow lemon gelb gelbe gelber gelbes gelben amarillo amarilla jaune 黄色 黄色い', color: '#f3cf2a' },
  { words: 'gold golden goldene goldener dorado dorada doré dorée 金色', color: '#d9a441' },
  { words: 'green lime grün grüne grüner grünes grünen verde vert verte 緑', color: '#3f9b45' },
  { words: 'emerald jade smaragd esmeralda émeraude', color: '#14855f' },
  { words: 'olive moss oliv oliva', color: '#7d7a2e' },
  { words: 'teal turquoise türkis turquesa', color: '#1b9a95' },
  { words: 'cyan aqua', color: '#27b5cf' },
  { words: 'blue azure cobalt blau blaue blauer blaues blauen azul bleu bleue 青 青い', color: '#2765c4' },
  { words: 'navy', color: '#1f2f6b' },
  { words: 'indigo', color: '#4338a8' },
  { words: 'violet purple violett lila morado morada violeta violette 紫', color: '#7a3fb5' },
  { words: 'lavender lilac lavendel lavanda lavande', color: '#a78bd6' },
  { words: 'magenta fuchsia', color: '#c22f93' },
  { words: 'pink rosa ピンク', color: '#ee7fa8' },
  { words: 'coral peach salmon koralle pfirsich', color: '#f4795f' },
  {
    words: 'brown sepia chocolate braun braune brauner braunes marrón marron brun brune 茶色',
    color: '#83502f',
  },
  { words: 'beige sand cream crema crème', color: '#c9b18a' },
  {
    words: 'grey gray silver monochrome grau graue grauer graues gris plateado argenté 灰色 銀色',
    color: '#8a8d91',
  },
  {
    words: 'black schwarz schwarze schwarzer schwarzes schwarzen negro negra noir noire 黒 黒い',
    color: '#2c2b33',
  },
  { words: 'white weiß weiße weißer weißes weißen blanco blanca blanc blanche 白 白い', color: '#f2efe8' },
];

/** Longer words first, for those that begin alike. */
const unspaced = meanings
  .flatMap(({ words }) => words.split(' '))
  .filter((word) => /[^\p{Script=Latin}]/u.test(word))
  .sort((one, other) => other.length - one.length);
const wordPattern = new RegExp(`${unspaced.join('|')}|\\p{Script=Latin}+`, 'gu');

/** A meaning that a prompt names, and whether it means several. */
interface Named extends Meaning {
  readonly word: string;
  /** The word's position in the prompt. */
  readonly place: number;
  readonly isSeveral: boolean;
}

/** More would hide each other. */
const mostSubjects = 3;

/** Reads a prompt, with its words in any order and in singular or plural. Leaves the unknown to chance. */
export function readPrompt(prompt: string): PromptContent {
  const found = promptWordsOf(prompt).flatMap(meaningsOf);
  const named = <T>(of: (meaning: Meaning) => T | undefined) => found.map(of).filter((value) => value !== undefined);
  const asked = new Set(named(({ ground }) => ground));
  const colors = (things: boolean) =>
    found.flatMap((each) =>
      each.color !== undefined && isColored(ownerOf(found, each)) === things ? [each.color] : [],
    );
  return {
    grounds: grounds.filter((ground) => asked.has(ground)),
    time: named(({ time }) => time)[0],
    weather: named(({ weather }) => weather)[0],
    things: new Set(named(({ thing }) => thing)),
    colors: [...new Set(colors(false))].map(hex),
    thingColors: [...new Set(colors(true))].map(hex),
    subjects: subjectsIn(found),
    moods: new Set(named(({ mood }) => mood)),
  };
}

/** A cup of coffee is one cup, and a portrait of a woman one picture of her. */
function subjectsIn(found: readonly Named[]): PromptSubject[] {
  const wished = new Map<string, PromptSubject[]>();
  const isPortrait = found.some(({ subject }) => subject === 'portrait');
  for (const { subject, word, place, isSeveral } of found) {
    if (!subject || (isPortrait && subject === 'person')) continue;
    const color = found.find((each) => each.color !== undefined && ownerOf(found, each)?.place === place)?.color;
    const isNamed = [...wished.values()].flat().some((other) => other.subject === subject);
    if (isNamed && color === undefined) continue;
    const one = { subject, color: color === undefined ? undefined : hex(color) };
    wished.set(`${word} ${color}`, isSeveral ? [one, one] : [one]);
  }
  return [...wished.values()].flat().slice(0, mostSubjects);
}

/** Assigns a color to the word right after or right before it, else to the next thing or the last. */
function ownerOf(found: readonly Named[], { place }: Named): Named | undefined {
  const things = found.filter(({ color }) => color === undefined);
  const after = things.find((thing) => thing.place > place);
  const before = things.findLast((thing) => thing.place < place);
  const nearest = after?.place !== place + 1 && before?.place === place - 1 ? before : (after ?? before);
  // A word may have several meanings: a tulip is also a garden.
  return things.find((thing) => thing.place === nearest?.place && thing.subject !== undefined) ?? nearest;
}

/** Whether it has a color of its own, apart from that of the entire image. */
function isColored(meaning: Meaning | undefined): boolean {
  const own: readonly (Thing | undefined)[] = ['boat', 'house', 'village', 'lighthouse', 'balloon'];
  return meaning?.subject !== undefined || meaning?.ground === 'flower' || own.includes(meaning?.thing);
}

function meaningsOf(word: string, place: number): Named[] {
  const one = singular(word);
  return meanings.flatMap((meaning) => {
    const words = meaning.words.split(' ');
    if (!words.includes(one) && !words.includes(word)) return [];
    const isSeveral = meaning.several ?? !words.includes(word);
    return meaning.number === undefined || (meaning.number === 'many') === isSeveral
      ? [{ ...meaning, word, place, isSeveral }]
      : [];
  });
}

/** Prompts separate words with spaces, except in Japanese. */
function promptWordsOf(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(wordPattern) ?? [];
}

/** As far as an `s` reveals. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
