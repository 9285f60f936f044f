/** The ledger's file in its folder. */
export const ledgerName = 'renders.db';

/** Why there is no ledger to write to. `newer`: read-only. `damaged`: set aside, never deleted. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  constructor(
    readonly code: 'unavailable' | 'newer' | 'damaged' | 'full' | 'altered',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
