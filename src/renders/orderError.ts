import type { Field, FieldIssue } from '../catalog/fields';

/** An order that wasn't recorded or was taken back at once: nothing was sent or charged. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  constructor(
    readonly code: 'notConnected' | 'otherAccount' | 'notRecorded' | 'imageGone' | 'modelGone',
    cause?: unknown,
  ) {
    super(`The render wasn’t recorded (${code}), so it wasn’t sent`, { cause });
  }
}

/** An input that its field doesn't take, so that no price was requested: nothing was sent or charged. */
export class InputError extends Error {
  override readonly name = 'InputError';
  constructor(
    readonly field: Field,
    readonly issue: FieldIssue,
  ) {
    super(`The input ${field.name} isn’t what its field takes (${issue.code}), so no price was requested`);
  }
}
