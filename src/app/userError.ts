/** What a person may do about a failure: the words of a button, and what it does. */
export interface Remedy {
  readonly title: string;
  run(): unknown;
}

/**
 * A failure already worded for a person, in the editor's language and fit for a notification: it names the thing and
 * the next step.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Offered beside the words, wherever they are told. */
  readonly remedy: Remedy | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly remedy?: Remedy }) {
    super(message, options);
    this.remedy = options?.remedy;
  }
}

/** What may be done about any failure; undefined when we know of nothing. */
export function remedyOf(error: unknown): Remedy | undefined {
  return error instanceof UserError ? error.remedy : undefined;
}
