/** The system's name for what went wrong ('ENOENT', 'ESRCH' …), if the error carries one. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
