// The service in a process of its own, so that its work is not counted as ours. The argument is its options as JSON.
import { startService, type ServiceOptions } from './service';

void startService(JSON.parse(process.argv[2] ?? '{}') as ServiceOptions).then(({ base }) => process.send?.(base));
// Whoever started it has gone, and so must it.
process.once('disconnect', () => process.exit());
