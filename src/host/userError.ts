/** A failure already worded for a person, in the editor's language and fit for a notification: it names the thing and the next step. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
