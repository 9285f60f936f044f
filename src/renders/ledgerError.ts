/** The file of the first ledger in its folder. */
export const ledgerName = 'renders.db';

/**
 * Why there is no ledger to write to. `newer`: read-only. `damaged`: set aside, never deleted. `setAside`: another
 * window found it damaged and began the next. `gone`: its file was moved or deleted. `inUse`: locked by another
 * window, perhaps on another computer.
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  constructor(
    readonly code: 'unavailable' | 'newer' | 'damaged' | 'setAside' | 'gone' | 'full' | 'altered' | 'inUse',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
