import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { releases } from './codeServer';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

for (const version of ['latest'] as const) {
  suite(`A site and a game without their images, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-built-'));
      for (const name of ['site', 'sprites'])
        await cp(join(root, 'test', 'fixtures', name), join(project, name), { recursive: true });
      workbench = await openWorkbench({ version, workspace: project });
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const row = (words: RegExp) =>
      workbench.tree('Render Files').locator('.monaco-list-row').filter({ hasText: words });
    const check = () => spawnSync(process.execPath, [join(root, 'dist', 'check.mjs'), project], { encoding: 'utf8' });

    /** Every charge in the sandbox's own books, euro cents. */
    function charges(): readonly number[] {
      const storage = join(workbench.profile.userData, 'User', 'globalStorage', 'model-catalog.model-catalog');
      const account = new DatabaseSync(join(storage, 'sandbox', 'account.sqlite'), { readOnly: true });
      const entries = account.prepare("SELECT cents FROM book WHERE kind = 'charge'").all();
      account.close();
      return entries.map(({ cents }) => -Number(cents));
    }

    test('are complete after one command and one confirmation, for exactly the sum that was shown', async () => {
      assert.equal(check().status, 1);
      await workbench.command('Model Catalog: Focus on Render Files View');
      await row(/^renders\.jsonc4 of 4 missing or out of date · site\/docs$/).waitFor();
      await row(/^game\.renders\.jsonc10 of 10 missing or out of date · sprites$/).waitFor();
      await workbench.command('Model Catalog: Render Images in Render Files…');
      const question = workbench.page.getByText(/^Render 14 images for €0\.\d\d in total\?$/);
      await question.waitFor();
      const [, shown = ''] = /€0\.(\d\d)/.exec(await question.innerText()) ?? [];
      await workbench.confirm(`Render for €0.${shown}`);
      await row(/^renders\.jsoncNothing missing or out of date · site\/docs$/).waitFor();
      await row(/^game\.renders\.jsoncNothing missing or out of date · sprites$/).waitFor();
      await workbench.screenshot(join(images, `built-fixtures-${version}.png`));
      const charged = charges();
      assert.deepEqual([charged.length, charged.reduce((sum, cents) => sum + cents, 0)], [14, Number(shown)]);
    });

    test('have every file where its entry says, and pass the check without an editor', async () => {
      const named = async (folder: string) => (await readdir(join(project, folder))).sort();
      assert.deepEqual(
        await named('site/docs/images'),
        ['getting-started', 'hero', 'plan-free', 'plan-team'].map((name) => `${name}.png`),
      );
      const things = ['chest', 'door', 'lamp'].flatMap((thing) => [`${thing}-closed`, `${thing}-open`]);
      const coins = [0, 1, 2, 3].map((frame) => `coin-${frame}`);
      assert.deepEqual(await named('sprites/sprites'), [...things, ...coins].map((name) => `${name}.png`).sort());
      const { status, stdout } = check();
      assert.deepEqual([status, stdout], [0, 'Images: 14 · 14 current · Render files: 2 · Errors: 0\n']);
    });
  });
}
