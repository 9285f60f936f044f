// The program behind `npm run sandbox`.
import { sandboxCommand } from './command';

void sandboxCommand(process.argv.slice(2)).then((code) => (process.exitCode = code));
