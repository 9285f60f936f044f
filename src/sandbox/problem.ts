import de from './languages/de.json';
import es from './languages/es.json';
import fr from './languages/fr.json';
import ja from './languages/ja.json';

/** A problem with one field of `inputs`. */
export interface FieldProblem {
  readonly field: string;
  readonly message: Sentence;
}

/** An error response: its status, and JSON with a code and a message (specification: Errors). */
export class ProblemDetails extends Error {
  override readonly name = 'Problem';

  /** `what` is a sentence, or names the fields that are to blame. */
  constructor(
    readonly status: number,
    readonly code: string,
    private readonly what: Sentence | readonly FieldProblem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(messageOf(what, 'en'));
  }

  /** A 400 whose details name the fields. */
  static invalid(details: readonly FieldProblem[]): ProblemDetails {
    return new ProblemDetails(400, 'INVALID_INPUT', details);
  }

  static notFound(sentence: Sentence): ProblemDetails {
    return new ProblemDetails(404, 'NOT_FOUND', sentence);
  }

  static noSuchPath(): ProblemDetails {
    return ProblemDetails.notFound(say('There is no such path.'));
  }

  static misdirected(): ProblemDetails {
    return new ProblemDetails(421, 'MISDIRECTED_REQUEST', say('The sandbox can be reached only by a local host name.'));
  }

  /** The body of the response, for a user who reads this language. */
  in(language: Language): object {
    const { code, what } = this;
    const details = isDetails(what)
      ? what.map(({ field, message }) => ({ field, message: worded(message, language) }))
      : undefined;
    return { code, message: messageOf(what, language), ...(details && { details }) };
  }
}

function messageOf(what: Sentence | readonly FieldProblem[], language: Language): string {
  if (!isDetails(what)) return worded(what, language);
  return what
    .map(({ field, message }) => worded(say('{0}: {1}', field, worded(message, language)), language))
    .join(' ');
}

function isDetails(what: Sentence | readonly FieldProblem[]): what is readonly FieldProblem[] {
  return Array.isArray(what);
}

/** The sandbox's texts in other languages, by their English. A new language is a file, and its name here. */
export const translations = { de, es, fr, ja } satisfies Record<string, Readonly<Record<string, string>>>;

/** A language the sandbox answers in. */
export type Language = 'en' | keyof typeof translations;

/** What a sentence mentions. Numbers are written as the language does. */
type Mentioned = string | number;

/** A sentence that is put into the caller's language when it's sent. */
export interface Sentence {
  /** With `{0}`, `{1}`, … for what it mentions. */
  readonly english: string;
  readonly mentioned: readonly Mentioned[];
}

/** Marks a sentence for translators: the text is its key in `languages`. */
export function say(english: string, ...mentioned: readonly Mentioned[]): Sentence {
  return { english, mentioned };
}

/** The sentence in a language. */
export function worded({ english, mentioned }: Sentence, language: Language): string {
  const written = mentioned.map((each) => (typeof each === 'number' ? numberIn(each, language) : each));
  return localized(english, language).replace(/\{(\d+)\}/g, (_, place) => written[Number(place)] ?? '');
}

/** The text in a language; as it is, if that has no translation of it. */
export function localized(english: string, language: Language): string {
  const texts: Readonly<Record<string, string>> = language === 'en' ? {} : translations[language];
  return Object.hasOwn(texts, english) ? (texts[english] ?? english) : english;
}

/** The language of ours that an Accept-Language header prefers; English if it names none of them. */
export function languageOf(header: string | undefined): Language {
  const preferred = (header ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', quality] = range.split(/;\s*q=/i);
      return { language: tag.trim().split('-', 1)[0]?.toLowerCase() ?? '', quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return preferred.map(({ language }) => language).find(isOurs) ?? 'en';
}

function isOurs(language: string): language is Language {
  return language === 'en' || Object.hasOwn(translations, language);
}

function numberIn(number: number, language: Language): string {
  return number.toLocaleString(language, { maximumFractionDigits: 20 });
}
