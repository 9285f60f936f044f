import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { AccountFile, sha256 } from '../faults/kill/account';
import { delivered } from '../faults/kill/delivered';
import { startService, type Service } from '../faults/kill/programs';
import { connectTo, enterKey } from './connectTo';
import { Gate, type Exchange } from './gate';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

let workbench: Workbench;
let service: Service;
let account: AccountFile;
let gate: Gate;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-catalog-crash-'));
  for (const path of [images, join(folder, 'project'), join(folder, 'account')]) await mkdir(path, { recursive: true });
  service = await startService({ folder: join(folder, 'account'), latencyMs: 500 });
  account = new AccountFile(join(folder, 'account'));
  gate = await Gate.open(service.base);
  workbench = await openWorkbench({ version: 'latest', workspace: join(folder, 'project') });
  await workbench.command('View: Show Model Catalog');
  await connectTo(workbench, { base: gate.base, key: service.key });
});
after(async () => {
  await workbench.close();
  await gate.close();
  account.close();
  await service.stop();
  await removeFolder(folder);
});

/** The files in the results folder, including unfinished ones. */
async function files(): Promise<string[]> {
  const renders = join(folder, 'project', 'renders');
  const names = await readdir(renders).catch(() => []);
  return names.map((name) => join(renders, name));
}

/** In this order, as a held poll would keep the earlier render from its download. */
const moments: readonly Exchange[] = ['download', 'poll', 'order'];

test(
  'an extension host killed with a render half received, one in progress, and one just ordered has paid once for each, and the images are in the project after a reload',
  { timeout: 300_000 },
  async () => {
    const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
    for (const exchange of moments) {
      const isHeld = gate.hold(exchange);
      await form.getByRole('textbox', { name: /prompt/i }).fill(`a red kite, ${exchange}`);
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await isHeld;
    }
    workbench.killExtensionHost();
    gate.release();
    await workbench.open();
    await workbench.command('View: Show Model Catalog');
    // In a browser the editor keeps secrets only as long as its window.
    await workbench.command('Model Catalog: Manage Account…');
    await workbench.pick('Set API Key…');
    await enterKey(workbench, service.key);

    await until(async () => {
      const images = await files();
      return images.length === moments.length && images.every((file) => file.endsWith('.png'));
    });
    for (const exchange of moments) {
      const row = workbench
        .tree('Generations')
        .getByRole('treeitem')
        .filter({ hasText: `a red kite, ${exchange}` });
      await row.waitFor();
    }
    await workbench.screenshot(join(images, 'crash.png'));
    const charged = account.all();
    assert.deepEqual(
      charged.map(({ status, charges, refunds }) => [status, charges, refunds]),
      moments.map(() => ['succeeded', 1, 0]),
    );
    const saved = await Promise.all((await files()).map(async (file) => sha256(delivered(await readFile(file)))));
    assert.deepEqual(saved.sort(), charged.map((render) => render.sha256).sort(), 'each charge is one whole file');
  },
);
