/** A user's way out of a failure: a button's label and its action. */
export interface Remedy {
  readonly title: string;
  run(): unknown;
}

/**
 * A failure worded for a user, in the editor's language and fit for a notification: it names the problem and the next
 * step.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Offered along with the message. */
  readonly remedy: Remedy | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly remedy?: Remedy }) {
    super(message, options);
    this.remedy = options?.remedy;
  }
}
