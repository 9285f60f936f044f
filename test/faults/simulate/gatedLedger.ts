import type { Ledger } from '../../../src/renders/ledger';
import { LedgerError } from '../../../src/renders/ledgerError';
import type { RenderRecord } from '../../../src/renders/record';
import type { Gate } from './gate';

/** Called for every committed change. */
export type LedgerWatch = (gate: Gate, before: RenderRecord | undefined, after: RenderRecord) => void;

const writes: ReadonlySet<string | symbol> = new Set(['plan', 'takeUp', 'change', 'lease', 'renew', 'release']);

/**
 * The real ledger, with its writes gated: the process may end before or after one, and the disk may be full. Commits
 * stay.
 */
export function gatedLedger(ledger: Ledger, gate: Gate, watch: LedgerWatch): Ledger {
  const gated: Ledger = new Proxy(ledger, {
    get: (target, name) => {
      if (name === 'get') gate.mayLook();
      const value: unknown = Reflect.get(target, name, target);
      if (!writes.has(name)) return value;
      return (...args: unknown[]) => write(String(name), args, value as (...args: unknown[]) => unknown);
    },
  });
  const write = (name: string, args: unknown[], method: (...args: unknown[]) => unknown) =>
    gate.effect(`ledger ${name}`, () => {
      if (gate.faults.strikes('ledgerFull', gate.nameOf(`ledger ${name} full`), 0.02))
        throw new LedgerError('full', 'database or disk is full');
      const outcome = method.apply(gated, args);
      if (name === 'takeUp') watch(gate, undefined, outcome as RenderRecord);
      if (name === 'plan')
        for (const record of (outcome ?? []) as readonly RenderRecord[]) watch(gate, undefined, record);
      if (name === 'change' && outcome !== undefined) watch(gate, args[0] as RenderRecord, outcome as RenderRecord);
      return outcome;
    });
  return gated;
}
