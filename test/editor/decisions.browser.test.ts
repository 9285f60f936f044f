import assert from 'node:assert/strict';
import { readMs } from '../../src/editor/standing';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { startService, type Service } from '../faults/kill/programs';
import { chooseFromMenu, saveAs } from './choose';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { Gate } from './gate';
import { seedLedger } from './ledgerSeed';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const notAccepted = { status: undefined, costCents: undefined, generationId: undefined, spooled: undefined };

for (const version of ['latest'] as const) {
  suite(`Renders that wait for a decision, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: Service;
    let gate: Gate;
    let parent: string;
    before(async () => {
      await mkdir(images, { recursive: true });
      parent = await mkdtemp(join(tmpdir(), 'model-catalog-decisions-'));
      for (const folder of ['project', 'outside', 'account']) await mkdir(join(parent, folder));
      service = await startService({ folder: join(parent, 'account'), latencyMs: 500 });
      gate = await Gate.open(service.base);
      const settings = { 'modelCatalog.notifications': 'never' };
      workbench = await openWorkbench({ version, workspace: join(parent, 'project'), settings });
      await workbench.command('View: Show Model Catalog');
      await connectTo(workbench, { base: gate.base, key: service.key });
      await workbench.page.getByRole('button', { name: 'Models Section' }).click();
      const form = await openModelForm(workbench, 'eight-bit-yard/pixel/sprite-1');
      for (const prompt of ['a paid heron', 'a paid otter']) {
        await form.getByRole('textbox').first().fill(prompt);
        const underWay = gate.hold('poll');
        await form.getByRole('button', { name: /^Render · €/, disabled: false }).click();
        await underWay;
        // A folder that leads elsewhere before the order would be reported then, and nothing would be paid.
        await rm(renders(), { force: true });
        await symlink(join(parent, 'outside'), renders());
        gate.release();
        await stands(prompt, 'paid, not saved');
        await rm(renders());
      }
      await symlink(join(parent, 'outside'), renders());
      await workbench.command('View: Close All Editors');
    });
    after(async () => {
      await workbench.close();
      await gate.close();
      await service.stop();
      await removeFolder(parent);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `decisions-${name}-${version}.png`));
    const renders = () => join(parent, 'project', 'renders');
    const item = (text: string) => workbench.tree('Generations').getByRole('treeitem').filter({ hasText: text });
    const stands = (prompt: string, where: string) =>
      workbench
        .tree('Generations')
        .getByRole('treeitem', { name: `${prompt}, ${where}` })
        .waitFor();
    const choose = (of: Locator, entry: string) => chooseFromMenu(workbench, of, entry);

    /** Chooses in the dialog for unconfirmed renders, which doesn't take a key before one can have read it. */
    async function resolve(of: Locator, way: string, image?: string): Promise<void> {
      await choose(of, 'Resolve…');
      const dialog = workbench.page.locator('.monaco-dialog-box');
      const facts = dialog.getByText('A mark changes what your limits count, not what the service charged.');
      await facts.waitFor();
      await workbench.page.keyboard.press('Enter');
      await facts.waitFor();
      if (image !== undefined) await shoot(image);
      await workbench.page.waitForTimeout(2 * readMs.question);
      await dialog.getByRole('button', { name: way }).click();
      await dialog.waitFor({ state: 'hidden' });
      // Off the tree: the hover of a row would cover others.
      await workbench.page.mouse.move(0, 0);
    }

    /** The log is shown in the panel; closes it again. */
    async function showsLog(of: Locator): Promise<void> {
      await choose(of, 'More > Show Log');
      await workbench.page.locator('.part.panel').getByRole('combobox').filter({ hasText: 'Model Catalog' }).waitFor();
      await workbench.command('View: Hide Panel');
    }

    test('a paid, unsaved render shows the log, is saved elsewhere, or is downloaded again', async () => {
      await item('a paid heron').click({ button: 'right' });
      await workbench.page.getByRole('menuitem', { name: 'More', exact: true }).waitFor();
      await shoot('paid-menu');
      await workbench.page.keyboard.press('Escape');
      await showsLog(item('a paid heron'));

      await choose(item('a paid heron'), 'Save As…');
      await until(async () => /\/a-paid-heron[^/]*\.png$/.test(await workbench.quickInput.inputValue()));
      await shoot('save-as');
      await saveAs(workbench, join(parent, 'project', 'elsewhere.png'));
      await stands('a paid heron', 'saved');
      assert.ok((await readdir(join(parent, 'project'))).includes('elsewhere.png'));

      await rm(renders());
      await choose(item('a paid otter'), 'Download Again');
      await stands('a paid otter', 'saved');
      assert.match((await readdir(renders())).join(), /^a-paid-otter[^,]*\.png$/);
      assert.deepEqual(await readdir(join(parent, 'outside')), []);
    });

    test('an unsent render shows the log, is sent for one charge, or is discarded', async () => {
      const now = Date.now();
      const planned = { ...notAccepted, state: 'planned', attempt: 0, plannedAt: now, shownCents: 2 } as const;
      await seedLedger(workbench.profile, [
        { prompt: 'send this fox', ...planned, problem: { code: 'noAnswer' } },
        { prompt: 'give up this fox', ...planned },
      ]);
      await item('send this fox').waitFor();
      await showsLog(item('send this fox'));
      await choose(item('give up this fox'), 'Don’t Send');
      await item('give up this fox').waitFor({ state: 'detached' });
      await choose(item('send this fox'), 'Send Now');
      await workbench.confirm('Render for €0.02');
      await stands('send this fox', 'saved');
      const names = await readdir(renders());
      assert.equal(names.filter((name) => /^send-this-fox[^,]*\.png$/.test(name)).length, 1);
      await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: '€24.94' }).waitFor();
    });

    test('an unconfirmed render shows the log, is checked with the service, and lists all possible matches', async () => {
      const now = Date.now();
      const unknown = { ...notAccepted, state: 'unknown', unanswered: 1, plannedAt: now } as const;
      await seedLedger(workbench.profile, [
        { prompt: 'an unknown owl', ...unknown, problem: { code: 'tooOld' } },
        { prompt: 'a double owl', ...unknown, problem: { code: 'twoFound', detail: 'gen-one, gen-two' } },
        { prompt: 'an owl answered twice', generationId: 'gen-three', otherIds: ['gen-four'], plannedAt: now },
      ]);
      await item('an unknown owl').waitFor();
      await showsLog(item('an unknown owl'));
      await resolve(item('an unknown owl'), 'Check with Service');
      await workbench.notification('No certain match in the service’s list').waitFor();
      await item('a double owl').filter({ hasText: 'several renders on the service' }).waitFor();
      await item('an owl answered twice').filter({ hasText: 'several renders on the service' }).waitFor();
      for (const [prompt, ids] of [
        ['a double owl', 'gen-one, gen-two'],
        ['an owl answered twice', 'gen-three, gen-four'],
      ] as const) {
        await choose(item(prompt), 'Show How It Was Made');
        const made = await workbench.openWebview(prompt);
        await made.getByText(ids, { exact: true }).waitFor({ state: 'attached' });
        for (const summary of await made.locator('summary').all()) await summary.click();
        await made.locator('main').getByText(ids, { exact: true }).waitFor();
      }
      await item('an owl answered twice').hover();
      await workbench.page
        .locator('.monaco-hover')
        .filter({ hasText: 'Check in your account which of them were charged' })
        .waitFor();
      await shoot('several-dark');
      await workbench.page.mouse.move(0, 0);
      for (const theme of ['light', 'hcDark'] as const) {
        await workbench.setTheme(theme);
        await shoot(`several-${theme}`);
      }
    });

    test('marking an unconfirmed render settles it, and can be undone', async () => {
      await workbench.setTheme('dark');
      const unknown = item('an unknown owl');
      await resolve(unknown, 'Mark as Not Charged', 'resolve');
      await unknown.filter({ hasText: 'marked as not charged' }).waitFor();
      await shoot('marked');
      await resolve(unknown, 'Remove Mark');
      await unknown.filter({ hasNotText: 'marked' }).waitFor();
      await resolve(unknown, 'Mark as Charged');
      await unknown.filter({ hasText: 'marked as charged' }).waitFor();
    });
  });
}
