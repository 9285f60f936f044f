/** The reason for a failure, in one line fit for a log: the message and those of its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : reasonOf(error.cause);
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

/** True when the error only says that somebody no longer wants the answer. Cancelled is a result, not a failure. */
export function isAbort(error: unknown): boolean {
  // The editor's own CancellationError goes by the name `Canceled`.
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}
