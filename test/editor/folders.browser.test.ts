import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { removeFolder } from '../removeFolder';
import { openFile } from './choose';
import { releases } from './codeServer';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

for (const version of ['latest'] as const) {
  suite(`Two workspace folders, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-folders-'));
      for (const name of ['alpha', 'beta']) {
        await mkdir(join(project, name));
        await writeFile(join(project, name, `${name}.md`), `# ${name}\n`);
      }
      const workspace = join(project, 'both.code-workspace');
      await writeFile(workspace, JSON.stringify({ folders: [{ path: 'alpha' }, { path: 'beta' }] }));
      workbench = await openWorkbench({ version, workspace });
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `folders-${name}-${version}.png`));
    const widget = () => workbench.page.locator('.quick-input-widget');
    const rows = () => widget().locator('.monaco-list-row');
    const saves = (folder: string) => rows().filter({ hasText: 'Saves to' }).filter({ hasText: folder });
    const saved = async (folder: string) => (await readdir(join(project, folder, 'renders')).catch(() => [])).length;

    async function quickRender(): Promise<void> {
      await workbench.command('Model Catalog: Quick Render…');
      await widget().getByText('Quick Render', { exact: true }).waitFor();
    }

    async function render(prompt: string): Promise<void> {
      await workbench.quickInput.pressSequentially(prompt);
      await rows()
        .first()
        .filter({ hasText: '€' })
        .filter({ has: workbench.page.locator('.codicon-zap') })
        .waitFor();
      await workbench.page.keyboard.press('Enter');
      await widget().waitFor({ state: 'hidden' });
    }

    test('the folder for a result is shown beforehand, can be chosen, and is remembered', async () => {
      await quickRender();
      await saves('alpha/renders').click();
      await widget().getByText('Select Folder for Results').waitFor();
      assert.deepEqual(await rows().locator('.label-name').allInnerTexts(), [
        'alpha/renders',
        'beta/renders',
        'Other Folder…',
      ]);
      await shoot('choice');
      await rows().filter({ hasText: 'beta/renders' }).click();
      await saves('beta/renders').waitFor();
      await render('a heron');
      await until(async () => (await saved('beta')) > 0);
      await workbench.page.locator('.tab').filter({ hasText: 'a-heron' }).waitFor();
      await quickRender();
      await saves('beta/renders').waitFor();
      await shoot('remembered');
      await workbench.page.keyboard.press('Escape');
    });

    test('the folder of the active file comes first', async () => {
      await openFile(workbench, 'alpha.md');
      await quickRender();
      await saves('alpha/renders').waitFor();
      await render('a kite');
      await until(async () => (await saved('alpha')) > 0);
    });
  });
}
