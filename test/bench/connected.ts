import { join } from 'node:path';
import { connectTo } from '../editor/connectTo';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../editor/workbench';
import { benchKey, type BenchService } from './service';
import { watch } from './watch';

type Options = Omit<WorkbenchOptions, 'version'>;
type Prepare = (storage: string) => Promise<unknown>;

/**
 * A real editor with the extension connected to the service, in a watched page. `prepare` fills the extension's storage
 * first.
 */
export async function openConnected({ base }: BenchService, options: Options, prepare?: Prepare): Promise<Workbench> {
  const workbench = await openWatched(options, prepare);
  await connectTo(workbench, { base, key: benchKey });
  await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: '€1,000.00' }).waitFor();
  return workbench;
}

/** A real editor with the extension on the sandbox, in a watched page. */
export async function openWatched(options: Options, prepare?: Prepare): Promise<Workbench> {
  const workbench = await openWorkbench({ version: 'latest', ...options });
  await prepare?.(join(workbench.profile.userData, 'User', 'globalStorage', 'model-catalog.model-catalog'));
  await watch(workbench.page);
  await workbench.open();
  // Visible once the extension and its keyboard shortcuts are active.
  await workbench.statusBarItem('modelCatalog.balance').waitFor();
  return workbench;
}
