import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AccountFile, sha256 } from '../faults/kill/account';
import { delivered } from '../faults/kill/delivered';
import { startService, type Service } from '../faults/kill/programs';
import { connectTo, enterKey } from './connectTo';
import { Gate, type Exchange } from './gate';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const pictures = join(root, 'out', 'screenshots');

let workbench: Workbench;
let service: Service;
let account: AccountFile;
let gate: Gate;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-catalog-crash-'));
  for (const path of [pictures, join(folder, 'project'), join(folder, 'account')])
    await mkdir(path, { recursive: true });
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
  await rm(folder, { recursive: true, force: true });
});

/** The files in the results folder, including unfinished ones. */
async function files(): Promise<string[]> {
  const renders = join(folder, 'project', 'renders');
  const names = await readdir(renders).catch(() => []);
  return names.map((name) => join(renders, name));
}

const moments: readonly (readonly [Exchange, string])[] = [
  ['order', 'while the answer to its order is on the way'],
  ['poll', 'while it asks whether the picture is ready'],
  ['download', 'with half of the picture here'],
];

for (const [index, [exchange, moment]] of moments.entries()) {
  test(
    `an extension host killed ${moment} has paid once, and the image is in the project after a reload`,
    { timeout: 300_000 },
    async () => {
      const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      await form.getByRole('textbox', { name: /prompt/i }).fill(`a red kite, ${exchange}`);
      let isHeld = false;
      void gate.hold(exchange).then(() => (isHeld = true));
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await until(() => Promise.resolve(isHeld));
      workbench.killExtensionHost();
      gate.release();
      await workbench.open();
      await workbench.command('View: Show Model Catalog');
      // In a browser the editor keeps secrets only as long as its window.
      await workbench.command('Model Catalog: Set API Key…');
      await enterKey(workbench, service.key);

      await until(async () => {
        const pictures = await files();
        return pictures.length > index && pictures.every((file) => file.endsWith('.png'));
      });
      await workbench
        .tree('Generations')
        .getByRole('treeitem')
        .filter({ hasText: `a red kite, ${exchange}` })
        .waitFor();
      await workbench.screenshot(join(pictures, `crash-${exchange}.png`));
      const charged = account.all();
      assert.deepEqual(
        charged.map(({ status, charges, refunds }) => [status, charges, refunds]),
        Array.from({ length: index + 1 }, () => ['succeeded', 1, 0]),
      );
      const saved = await Promise.all((await files()).map(async (file) => sha256(delivered(await readFile(file)))));
      assert.deepEqual(saved.sort(), charged.map((render) => render.sha256).sort(), 'each charge is one whole file');
    },
  );
}
