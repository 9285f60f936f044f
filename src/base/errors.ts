/** The reason for a failure in one line for the log: its message and those of its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : reasonOf(error.cause);
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

/** True when the error only means that the result is no longer wanted: a cancellation is an outcome, not a failure. */
export function isAbort(error: unknown): boolean {
  // The editor's own CancellationError has the name `Canceled`.
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}
