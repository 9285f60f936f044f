import type { NameClaim } from '../../../src/files/sink';

/** What the ledger does: the name is recorded before it is taken, and given back after a crash. */
export function recordedClaim(): NameClaim & { earlier?: string } {
  const claim: NameClaim & { earlier?: string } = {
    record: (uri) => {
      claim.earlier = uri;
      return true;
    },
  };
  return claim;
}
