/** A problem with one field of `inputs`. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

interface ProblemFacts {
  readonly details?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response: its status, and JSON with a code and a message (specification: Errors). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly details: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, facts: ProblemFacts = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = facts.details;
    this.headers = facts.headers ?? {};
  }

  /** A 400 whose details name the fields. */
  static invalid(details: readonly FieldProblem[]): Problem {
    const message = details.map(({ field, message }) => `${field}: ${message}`).join(' ');
    return new Problem(400, 'INVALID_INPUT', message, { details });
  }

  static notFound(what: string): Problem {
    return new Problem(404, 'NOT_FOUND', `There is no ${what}.`);
  }

  static misdirected(): Problem {
    return new Problem(421, 'MISDIRECTED_REQUEST', 'The sandbox can be reached only by a local host name.');
  }

  toJSON(): object {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) };
  }
}
