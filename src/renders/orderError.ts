/** An order that was not recorded, or was taken back at once, so nothing was sent and nothing charged. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  constructor(
    readonly code: 'notConnected' | 'otherAccount' | 'notRecorded',
    cause?: unknown,
  ) {
    super(`The order was not recorded (${code}), so it was not sent`, { cause });
  }
}
