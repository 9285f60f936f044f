import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { saveAs } from './choose';
import { releases } from './codeServer';
import { seedLedger } from './ledgerSeed';
import { openModelForm } from './modelForm';
import { themes, type Theme } from './profile';
import { root } from './root';
import { patiently, until } from './until';
import { axeViolations } from './webviewPage';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const sprite = 'eight-bit-yard/pixel/sprite-1';

for (const version of ['latest'] as const) {
  suite(`What was spent, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-spend-'));
      // The shortcut calls the command as another extension would. The limit has room for two sprites and the failing
      // render.
      const keybindings = [
        {
          key: 'ctrl+f8',
          command: 'modelCatalog.render',
          args: { modelId: sprite, inputs: { prompt: 'ordered by a key' } },
        },
      ];
      const settings = { 'modelCatalog.allowance.others': '1.00', 'modelCatalog.limit.perProject': '0.07' };
      workbench = await openWorkbench({ version, workspace: project, keybindings, settings });
      await workbench.command('View: Show Model Catalog');
    });
    after(async () => {
      await workbench.close();
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `spend-${name}-${version}.png`));
    const storage = () => join(workbench.profile.userData, 'User', 'globalStorage', 'model-catalog.model-catalog');
    const openSpend = async (): Promise<Frame> => {
      await workbench.command('Model Catalog: Show Spending');
      return workbench.webviewFrame('Spending');
    };
    const row = (page: Frame, table: string, name: string) =>
      page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name });

    /** What the sandbox itself has charged and refunded, euro cents. */
    function book(): { charged: number; refunded: number; balance: number } {
      const account = new DatabaseSync(join(storage(), 'sandbox', 'account.sqlite'), { readOnly: true });
      const sum = (kind: string) =>
        Number(account.prepare('SELECT COALESCE(SUM(cents), 0) AS n FROM book WHERE kind LIKE ?').get(kind)?.n);
      const figures = { charged: -sum('charge'), refunded: sum('refund'), balance: sum('%') };
      account.close();
      return figures;
    }

    const euros = (cents: number) => `€${(cents / 100).toFixed(2)}`;

    test('before anything is rendered, the page is empty and says so', async () => {
      const page = await openSpend();
      await page.getByText('Nothing spent yet').waitFor();
      await shoot('empty');
    });

    test('the amounts of the user, an agent, and a refund match the sandbox’s own account', async () => {
      const form = await openModelForm(workbench, sprite);
      await form.getByRole('textbox').first().fill('ordered by hand');
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
      await workbench.page.locator('.monaco-workbench').press('Control+F8');
      await workbench.notification(/Saved renders.*ordered-by-a-key/).waitFor();
      const fails = await openModelForm(workbench, 'rehearsal/fire-drill/always-fails');
      await fails.getByRole('textbox').first().fill('anything');
      await fails.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      await workbench
        .tree('Generations')
        .getByRole('treeitem')
        .filter({ hasText: /failed · .* refunded/ })
        .waitFor();

      const { charged, refunded } = book();
      assert.ok(refunded > 0);
      const page = await openSpend();
      const total = page.getByRole('region', { name: 'Spent' });
      await total.getByText(euros(charged - refunded), { exact: true }).waitFor();
      await total.getByText(`Refunded: ${euros(refunded)} (renders: 1)`).waitFor();
      await row(page, 'By model', 'Sprite 1').getByText('2', { exact: true }).waitFor();
      await row(page, 'By who started it', 'Extensions, tasks, and agents').getByText('1', { exact: true }).waitFor();
      await row(page, 'By who started it', 'You').getByText('2', { exact: true }).waitFor();
      await row(page, 'By file', 'ordered-by-hand').waitFor();
    });

    test('the balance is explained line by line, with what was spent outside this editor', async () => {
      const account = new DatabaseSync(join(storage(), 'sandbox', 'account.sqlite'), { timeout: 5000 });
      account.exec(`INSERT INTO book (at, kind, cents) VALUES (${Date.now()}, 'charge', -20)`);
      account.close();
      await workbench.command('Model Catalog: Refresh Models and Renders');
      await workbench
        .statusBarItem('modelCatalog.balance')
        .filter({ hasText: euros(book().balance) })
        .waitFor();
      await workbench.command('Model Catalog: Manage Account…');
      await workbench.pick('Add Play Money');
      await workbench
        .statusBarItem('modelCatalog.balance')
        .filter({ hasText: euros(book().balance) })
        .waitFor();
      const page = await openSpend();
      const statement = page.getByRole('region', { name: 'Balance' });
      const line = (name: string) => statement.getByRole('row').filter({ hasText: name }).getByRole('cell');
      await until(async () => (await line('Spent outside VS Code').innerText()) === '−€0.20');
      await until(async () => (await line('Funds added').innerText()) === '+€25.00');
      await until(async () => (await line('Balance on').last().innerText()) === euros(book().balance));
    });

    test('an unknown charge is counted and listed, but not in any amount', async () => {
      const { charged, refunded } = book();
      const unknown = { state: 'unknown', costCents: undefined, acceptedAt: undefined, spooled: undefined } as const;
      await seedLedger(workbench.profile, [{ prompt: 'no answer came', ...unknown, shownCents: 2 }]);
      const page = await openSpend();
      const total = page.getByRole('region', { name: 'Spent' });
      await total.getByText('Charge unknown: 1').waitFor();
      await total.getByText(`at least ${euros(charged - refunded - 20)}`, { exact: true }).waitFor();
    });

    test('the export is a table of every render', async () => {
      const page = await openSpend();
      await page.getByRole('button', { name: 'Export as CSV' }).click();
      await saveAs(workbench, join(project, 'spend.csv'));
      await workbench.notification(/Saved spend\.csv/).waitFor();
      const [head = '', ...lines] = (await readFile(join(project, 'spend.csv'), 'utf8')).trimEnd().split('\r\n');
      const cell = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)];
      assert.equal(lines.length, 4);
      const { charged, refunded } = book();
      const sum = (name: string) => lines.reduce((all, line) => all + Number(cell(line, name)), 0);
      assert.equal(sum('charged_cents'), charged - 20);
      assert.equal(sum('refunded_cents'), refunded);
      assert.deepEqual(lines.map((line) => cell(line, 'ordered_by')).sort(), ['agent', 'person', 'person', 'person']);
      assert.deepEqual(
        lines.filter((line) => cell(line, 'state') === 'unknown').map((line) => cell(line, 'charged_cents')),
        [''],
      );
    });

    test('it looks right in every theme, and in a narrow window', async () => {
      const day = 24 * 3_600_000;
      const models = ['paperlight/strata/strata-2', sprite, 'quill-house/verse/haiku-1'];
      const files = ['hero', 'logo', 'footer'].map((name) => `file://${project}/renders/${name}.png`);
      const seeds = Array.from({ length: 60 }, (_, index) => {
        const plannedAt = Date.now() - ((index * 7) % 29) * day - day;
        const times = { plannedAt, firstSentAt: plannedAt, acceptedAt: plannedAt + 100, endedAt: plannedAt + 2000 };
        const state = index % 9 === 0 ? ('refunded' as const) : ('saved' as const);
        const by = index % 4 === 0 ? ('agent' as const) : ('person' as const);
        const more = { modelId: models[index % 3]!, costCents: 3 + ((index * 5) % 17), by, file: files[index % 3]! };
        return { prompt: `picture ${index}`, state, ...times, ...more };
      });
      await seedLedger(workbench.profile, seeds);
      await workbench.command('Notifications: Clear All Notifications');
      const page = await openSpend();
      await page.getByText('Renders: 64').first().waitFor();
      for (const theme of Object.keys(themes) as Theme[]) {
        await workbench.setTheme(theme);
        await shoot(theme);
        assert.deepEqual(await axeViolations(page), [], theme);
      }
      await workbench.page.setViewportSize({ width: 1280, height: 1900 });
      await shoot('long');
      await workbench.page.setViewportSize({ width: 720, height: 1200 });
      await shoot('narrow');
      await workbench.page.setViewportSize({ width: 1280, height: 800 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    });

    test('what one agent asked for is shown alone once it is selected, by the name it gave itself', async () => {
      const by = 'agent' as const;
      await seedLedger(workbench.profile, [
        { prompt: 'a kite', by, agent: 'Codex', costCents: 7 },
        { prompt: 'a swan', by, agent: 'Cline', costCents: 20 },
      ]);
      const page = await openSpend();
      const startedBy = page.getByRole('combobox', { name: 'Started by' });
      await startedBy.selectOption('“Codex”');
      await page.getByRole('region', { name: 'Spent' }).getByText('€0.07', { exact: true }).waitFor();
      assert.equal(await row(page, 'By who started it', '“Cline”').count(), 0);
      await row(page, 'By who started it', '“Codex”').getByText('1', { exact: true }).waitFor();
      await shoot('agent');
      await startedBy.selectOption('Anyone');
      await row(page, 'By who started it', '“Cline”').waitFor();
    });

    test('reaching a limit is reported in the form, and leads to its setting', async () => {
      const form = await openModelForm(workbench, sprite);
      await form.getByRole('textbox').first().fill('one too many');
      await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
      const issue = form.locator('.issue').filter({ hasText: 'the €0.07 limit set in modelCatalog.limit.perProject' });
      await issue.waitFor();
      await shoot('limit-form');
      await issue.getByRole('button', { name: 'Change Limit' }).click();
      const settings = workbench.page.locator('.settings-editor');
      await settings.getByText('Most you can spend per workspace folder').waitFor();
      assert.equal(await settings.locator('.setting-item-label').count(), 1);
      await shoot('limit-setting');
      // Newer editors show the settings over everything else, and open no palette until they're closed.
      await patiently(
        async (timeout) => {
          await workbench.page.keyboard.press('Escape');
          await settings.waitFor({ state: 'hidden', timeout });
        },
        async () => {},
        'The settings stay open.',
      );
    });

    test('a keyboard shortcut that runs the command gets the same messages from the editor', async () => {
      await workbench.command('View: Close All Editors');
      await workbench.page.locator('.monaco-workbench').press('Control+F8');
      await workbench.notification('the €0.07 limit set in modelCatalog.limit.perProject').waitFor();
    });
  });
}
