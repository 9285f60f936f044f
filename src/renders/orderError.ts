/** An order that wasn't recorded or was taken back at once: nothing was sent or charged. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  constructor(
    readonly code: 'notConnected' | 'otherAccount' | 'notRecorded',
    cause?: unknown,
  ) {
    super(`The order was not recorded (${code}), so it was not sent`, { cause });
  }
}
