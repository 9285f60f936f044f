// The service in its own process, so that its work doesn't count as ours. The argument is its options as JSON.
import { startService, type ServiceOptions } from './service';

void startService(JSON.parse(process.argv[2] ?? '{}') as ServiceOptions).then(({ base }) => process.send?.(base));
// The parent process is gone.
process.once('disconnect', () => process.exit());
