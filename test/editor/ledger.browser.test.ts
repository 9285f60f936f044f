import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const sprite = 'eight-bit-yard/pixel/sprite-1';

for (const version of ['latest'] as const) {
  suite(`A render history that is damaged or can’t be written, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    let storage: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-ledger-'));
      workbench = await openWorkbench({ version, workspace: project });
      storage = join(workbench.profile.userData, 'User', 'globalStorage', 'model-catalog.model-catalog');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `ledger-${name}-${version}.png`));
    const view = () => workbench.page.locator('.pane', { hasText: 'Generations' });
    const saved = () => readdir(join(project, 'renders')).catch(() => [] as string[]); // The folder doesn't exist before the first one.

    test('a damaged history is kept unchanged, and nothing is rendered until the user starts a new one', async () => {
      const damaged = randomBytes(8192);
      await mkdir(storage, { recursive: true });
      await writeFile(join(storage, 'renders.db'), damaged);
      await workbench.open();
      await workbench.command('View: Show Model Catalog');
      await view().getByText('To render again, start a new history').waitFor();
      const form = await openModelForm(workbench, sprite);
      await form.getByRole('textbox').first().fill('a red boat');
      const button = form.getByRole('button', { name: /^Render · €/, disabled: false });
      await button.click();
      const dialog = workbench.page.locator('.monaco-dialog-box');
      await dialog.filter({ hasText: 'Start a new render history?' }).waitFor();
      await shoot('damaged-dark');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(await saved(), []);

      await button.click();
      await dialog.getByRole('button', { name: 'Start New History' }).click();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      assert.equal((await saved()).length, 1);
      await view().getByText('To render again, start a new history').waitFor({ state: 'detached' });
      assert.deepEqual(await readFile(join(storage, 'renders.db')), damaged);
    });

    test('a disk that fills up after the service accepted is reported, and the result is saved once there is space', async () => {
      const other = new DatabaseSync(join(storage, 'renders-2.db'), { timeout: 5000 });
      other.exec(`CREATE TRIGGER full BEFORE UPDATE ON renders WHEN NEW.state IN ('succeeded', 'saved')
                  BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
      const form = await openModelForm(workbench, sprite);
      await form.getByRole('textbox').first().fill('a green boat');
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      const full = workbench.notification('The disk is full');
      await full.waitFor();
      assert.equal(await full.getByRole('button', { name: 'Show Log' }).count(), 0, 'the sentence says it all');
      await view().getByText('The disk is full').waitFor();
      await workbench.setTheme('light');
      await shoot('full-light');
      await workbench.setTheme('hcDark');
      await shoot('full-hc');
      assert.equal((await saved()).length, 1);

      other.exec('DROP TRIGGER full');
      other.close();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      await view().getByText('The disk is full').waitFor({ state: 'detached' });
      assert.equal((await saved()).length, 2);
    });
  });
}
