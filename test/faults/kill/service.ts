// The sandbox in a separate process, without a request limit. The argument is its options as JSON.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../src/base/clock';
import { Account } from '../../../src/sandbox/account';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/server';
import { canaryKey } from '../../canary';

const options = JSON.parse(process.argv[2] ?? '{}') as SandboxOptions;
giveKey(options);
void startSandbox({ ...options, requestsPerMinute: 1e9 }).then(({ base, key }) => process.send?.({ base, key }));
// The parent process is gone.
process.once('disconnect', () => process.exit());

/** Gives the account the key that is later searched for in everything we leave behind. */
function giveKey({ folder, balanceCents = 2500 }: SandboxOptions): void {
  new Account(folder, { balanceCents }, systemClock).close();
  const file = new DatabaseSync(join(folder, 'account.sqlite'));
  file.prepare('UPDATE keys SET key = ?').run(canaryKey);
  file.close();
}
