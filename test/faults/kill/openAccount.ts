import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { removeFolder } from '../../removeFolder';
import { AccountFile } from './account';
import { startService, type Service } from './programs';
import { Project } from './project';

/** A sandbox in a separate process, and its account file; both are removed after the test. */
export async function openAccount(t: TestContext): Promise<{ service: Service; account: AccountFile }> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-account-'));
  const service = await startService({ folder, latencyMs: 10, balanceCents: 1e9 });
  const account = new AccountFile(folder);
  t.after(async () => {
    account.close();
    await service.stop();
    await removeFolder(folder);
  });
  return { service, account };
}

/** A project with its own account, for one test. */
export async function openProject(t: TestContext): Promise<Project> {
  const { service, account } = await openAccount(t);
  const project = await Project.create(service, account);
  t.after(() => project.remove());
  return project;
}
