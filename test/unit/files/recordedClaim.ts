import type { NameClaim } from '../../../src/files/sink';

/** As the ledger does it: records the name before it's taken, and returns it after a crash. */
export function recordedClaim(): NameClaim & { earlier?: string } {
  const claim: NameClaim & { earlier?: string } = {
    record: (uri) => {
      claim.earlier = uri;
      return true;
    },
  };
  return claim;
}
