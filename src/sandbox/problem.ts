import { type Language, type Sentence, say, worded } from './language';

/** A problem with one field of `inputs`. */
export interface FieldProblem {
  readonly field: string;
  readonly message: Sentence;
}

/** An error response: its status, and JSON with a code and a message (specification: Errors). */
export class Problem extends Error {
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
  static invalid(details: readonly FieldProblem[]): Problem {
    return new Problem(400, 'INVALID_INPUT', details);
  }

  static notFound(sentence: Sentence): Problem {
    return new Problem(404, 'NOT_FOUND', sentence);
  }

  static noSuchPath(): Problem {
    return Problem.notFound(say('There is no such path.'));
  }

  static misdirected(): Problem {
    return new Problem(421, 'MISDIRECTED_REQUEST', say('The sandbox can be reached only by a local host name.'));
  }

  /** The body of the response, for a person who reads this language. */
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
