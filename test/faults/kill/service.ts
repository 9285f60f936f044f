// The sandbox in a process of its own, which takes as many requests as come. The argument is its options as JSON.
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/server';

const options = JSON.parse(process.argv[2] ?? '{}') as SandboxOptions;
void startSandbox({ ...options, requestsPerMinute: 1e9 }).then(({ base, key }) => process.send?.({ base, key }));
// Whoever started it has gone, and so must it.
process.once('disconnect', () => process.exit());
