import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode } from 'fast-png';
import type { Frame } from 'playwright-core';
import { removeFolder } from '../removeFolder';
import { startService, type Service } from '../faults/kill/programs';
import { chooseQuickFix, openAt } from './choose';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import type { Theme } from './profile';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');
const catalog = '/api/v1/api/catalog';
const readme = '# Harbour\n\n![the harbour at dawn](images/hero.png)\n';
const guide = '# Guide\n\n![a small boat](../images/boat.png)\n';

for (const version of ['latest'] as const) {
  suite(`A form that is opened for a link, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let project: string;
    let account: string;
    let service: Service;
    before(async () => {
      await mkdir(images, { recursive: true });
      project = await mkdtemp(join(tmpdir(), 'model-catalog-links-'));
      await mkdir(join(project, 'docs'));
      await writeFile(join(project, 'README.md'), readme);
      await writeFile(join(project, 'docs', 'guide.md'), guide);
      account = await mkdtemp(join(tmpdir(), 'model-catalog-account-'));
      service = await startService({ folder: account, latencyMs: 2500, balanceCents: 9 });
      // Polls so rarely that a busy editor shows what is in progress before it has ended.
      const settings = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 50, 'modelCatalog.pollInterval': 8 };
      workbench = await openWorkbench({ version, workspace: project, settings });
      await connectTo(workbench, service);
    });
    after(async () => {
      await workbench.close();
      await service.stop();
      await removeFolder(account);
      await removeFolder(project);
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `linkForms-${name}-${version}.png`));
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const squiggle = () => workbench.page.locator('.squiggly-warning');
    const hero = () => join(project, 'images', 'hero.png');

    /** Decorations next to links. */
    const beside = () =>
      workbench.page
        .locator('.view-line span')
        .evaluateAll((spans) =>
          spans.map((span) => getComputedStyle(span, '::after').content).filter((content) => content.includes('◌')),
        );

    /** Opens a file with the cursor on its link. */
    async function openAtLink(name: string): Promise<void> {
      await openAt(workbench, name, 3);
    }

    /** Opens the box for the image of the link at the cursor, with this model. */
    async function openBox(name: string, model: string): Promise<void> {
      await openAtLink(name);
      await chooseQuickFix(workbench, /Render( image from alt text|… · )/);
      await priced(/Render · €/);
      await workbench.pick(/^Model/);
      const box = workbench.page.getByPlaceholder('Search by name');
      await box.fill(model);
      await workbench.pick(model);
    }

    /** Waits until the first row has such an offer; then the rows no longer change. */
    async function priced(offer: RegExp): Promise<void> {
      const sign = workbench.page.locator('.codicon-zap');
      await rows().first().filter({ hasText: offer }).filter({ has: sign }).waitFor();
    }

    /** Picks the quick fix of this name at the document's link. */
    async function fix(name: string, title: string): Promise<void> {
      await openAtLink(name);
      await chooseQuickFix(workbench, title);
    }

    const saysLink = (form: Frame, file: string, document: string) =>
      form.getByText(`Saves to ${file}, for the link in ${document}`).waitFor();
    const saysUsual = (form: Frame) => form.getByText('Saves to').waitFor();
    const failed = () => workbench.notification('the service refunded it').first();
    const dismiss = () => workbench.command('Notifications: Clear All Notifications');

    test('a failed render is edited in the form, which names its link, and the link is pending again', async () => {
      await openBox('README.md', 'always-fails');
      await priced(/Render · €0\.03/);
      await workbench.page.keyboard.press('Enter');
      await workbench.confirm('Render for €0.03');
      await squiggle().first().waitFor();
      await failed().waitFor();
      await dismiss();
      await fix('README.md', 'Edit and render again…');
      const form = await workbench.openWebview('always-fails');
      await saysLink(form, 'images/hero.png', 'README.md');
      for (const theme of ['light', 'hcDark', 'hcLight', 'dark'] satisfies Theme[]) {
        await workbench.setTheme(theme);
        await shoot(theme);
      }
      await form.getByRole('button', { name: 'Render · €0.03' }).click();
      await saysUsual(form);
      await openAtLink('README.md');
      await until(async () => (await beside()).some((words) => words.includes('€0.03')));
      await shoot('pending');
    });

    test('its notification leads there too, and once the link is removed, the result is saved as usual', async () => {
      await failed().getByRole('button', { name: 'Edit and Retry' }).click();
      const form = await workbench.openWebview('always-fails');
      await saysLink(form, 'images/hero.png', 'README.md');
      await form.getByRole('button', { name: 'Save to the default folder' }).click();
      await saysUsual(form);
      await dismiss();
    });

    test('a form opened from Quick Render is for its link too, and a file that takes the name first is kept', async () => {
      await openBox('docs/guide.md', 'sprite-1');
      await priced(/Render · €/);
      await workbench.pick(/^Open in Form/);
      const form = await workbench.openWebview('sprite-1');
      await saysLink(form, 'images/boat.png', 'guide.md');
      await mkdir(join(project, 'images'), { recursive: true });
      await writeFile(join(project, 'images', 'boat.png'), 'somebody else’s');
      await form.getByRole('button', { name: 'Render · €0.02' }).click();
      await workbench
        .notification('couldn’t be saved under the name')
        .getByRole('button', { name: 'Update Link' })
        .click();
      await until(async () => /images\/boat-2\.png/.test(await readFile(join(project, 'docs', 'guide.md'), 'utf8')));
      assert.equal(await readFile(join(project, 'images', 'boat.png'), 'utf8'), 'somebody else’s');
      await dismiss();
    });

    test('a cheaper option is saved to exactly the path in the link', async () => {
      await openBox('README.md', 'strata-2');
      await priced(/Render · €0\.0\d/);
      await spendAll(service, 2);
      await workbench.page.keyboard.press('Enter');
      await workbench.confirm(/^Render for €0\.0\d$/);
      // The link says why; no notification repeats it.
      await squiggle().first().waitFor();
      assert.equal(await workbench.notification('short.').count(), 0);
      await fix('README.md', 'Find cheaper options…');
      await workbench.pick(/^Sprite 1[^]*€0\.02/);
      const form = await workbench.openWebview('sprite-1');
      await saysLink(form, 'images/hero.png', 'README.md');
      await form.getByRole('button', { name: 'Render · €0.02' }).click();
      await until(() => Promise.resolve(existsSync(hero())));
      decode(await readFile(hero()), { checkCrc: true });
      await saysUsual(form);
      await shoot('saved');
      assert.equal(await readFile(join(project, 'README.md'), 'utf8'), readme);
      await openAtLink('README.md');
      await squiggle().first().waitFor({ state: 'detached' });
    });
  });
}

/** Renders texts for one cent each, unnoticed by the editor, until the account has no more than this. */
async function spendAll({ base, key }: Service, leftCents: number): Promise<void> {
  for (;;) {
    const me = await fetch(`${base}${catalog}/me`, { headers: { authorization: `Bearer ${key}` } });
    const { balanceCents } = (await me.json()) as { balanceCents: number };
    if (balanceCents <= leftCents) return;
    await fetch(`${base}${catalog}/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
      body: JSON.stringify({ modelId: 'quill-house/verse/haiku-1', inputs: { prompt: 'the sea' } }),
    });
  }
}
