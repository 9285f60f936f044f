/** An order that wasn't recorded or was taken back at once: nothing was sent or charged. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  constructor(
    readonly code: 'notConnected' | 'otherAccount' | 'notRecorded' | 'imageGone',
    cause?: unknown,
  ) {
    super(`The render wasn’t recorded (${code}), so it wasn’t sent`, { cause });
  }
}
