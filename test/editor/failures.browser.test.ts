import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { escapeForIcons } from '../../src/base/plain';
import { releases } from './codeServer';
import { connectTo } from './connectTo';
import { startScriptedService, type Refusal, type Script, type ScriptedService } from './host/scriptedService';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const images = join(root, 'out', 'screenshots');

const prompt = { name: 'prompt', label: 'Prompt', type: 'text', required: true };
const size = { name: 'size', label: 'Size', type: 'enum', values: ['small', 'large'], default: 'large' };
const models = [
  { id: 'acme/words/grand-1', name: 'Grand 1', type: 'text' },
  { id: 'acme/words/plain-1', name: 'Plain 1', type: 'text' },
];
const [grand, plain] = ['acme/words/grand-1', 'acme/words/plain-1'] as const;

/** A large Grand costs 8, a small one 3, a Plain 2. */
function script(): Script {
  return {
    key: 'ai_live_right',
    balanceCents: 5,
    models: JSON.stringify({ models }),
    details: models.map((model) => ({ ...model, fields: model.id === grand ? [prompt, size] : [prompt] })),
    priceCents: (modelId, inputs) => (modelId === plain ? 2 : inputs['size'] === 'small' ? 3 : 8),
  };
}

for (const version of ['latest'] as const) {
  suite(`A next step after every failure, in VS Code ${releases[version].vscode}`, () => {
    let workbench: Workbench;
    let service: ScriptedService;
    before(async () => {
      await mkdir(images, { recursive: true });
      [workbench, service] = await Promise.all([
        openWorkbench({ version, settings: { 'modelCatalog.notifications': 'always' } }),
        startScriptedService(script()),
      ]);
      await workbench.command('View: Show Model Catalog');
      await connectTo(workbench, { base: service.base, key: service.script.key });
      await balance('€0.05').waitFor();
    });
    after(async () => {
      await workbench.close();
      await service.stop();
    });

    const shoot = (name: string) => workbench.screenshot(join(images, `failures-${name}-${version}.png`));
    const balance = (text: string) => workbench.statusBarItem('modelCatalog.balance').filter({ hasText: text });
    const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
    const generations = () => workbench.tree('Generations').getByRole('treeitem');
    const ordered = () => service.asked.filter((request) => request === 'POST /generations').length;

    /** The model's form with this prompt typed. */
    async function written(modelId: string, text: string): Promise<Frame> {
      const form = await openModelForm(workbench, modelId);
      await form.getByRole('textbox', { name: /prompt/i }).fill(text);
      return form;
    }

    /** Picks the model in the open box. */
    async function choose(modelId: string, title: string): Promise<void> {
      await workbench.page.getByPlaceholder('Search by name').fill(modelId);
      await workbench.pick(title);
    }

    /** Presses Render at this price while the service responds with this rejection. */
    async function order(form: Frame, price: string, refusal: Refusal): Promise<void> {
      service.script.refuse = (method, path) => (`${method} ${path}` === 'POST /generations' ? refusal : undefined);
      await form.getByRole('button', { name: `Render · ${price}` }).click();
    }

    /** The notification with this text; afterward the service responds normally. */
    async function told(text: string | RegExp): Promise<Locator> {
      const notice = workbench.notification(text).first();
      await notice.waitFor();
      service.script.refuse = undefined;
      return notice;
    }

    test('the form shows how much is missing before anything is sent, and takes over a cheaper option with its price', async () => {
      const form = await written(grand, 'a letter from the harbour');
      await form.getByText('Your balance is €0.05. This render needs €0.03 more.').waitFor();
      await shoot('short');
      await form.getByRole('button', { name: 'Find cheaper options…' }).click();
      await rows().filter({ hasText: 'Plain 1' }).filter({ hasText: '€0.02' }).waitFor();
      await rows()
        .filter({ hasText: escapeForIcons(service.base) })
        .waitFor();
      await shoot('fits');
      await workbench.pick(/Size: small.*€0\.03/);
      await form.getByRole('button', { name: 'Render · €0.03' }).waitFor();
      assert.equal(ordered(), 0);
    });

    test('Quick Render offers the same, and starts nothing by doing so', async () => {
      await workbench.command('Model Catalog: Quick Render…');
      await workbench.pick('Choose a model');
      await choose(grand, 'Grand 1');
      await workbench.page.getByPlaceholder('Prompt for Grand 1').fill('a song');
      await rows().first().filter({ hasText: '€0.03 short' }).waitFor();
      await shoot('quick');
      await workbench.pick('Find cheaper options…');
      await workbench.pick('Plain 1');
      await rows().first().filter({ hasText: 'Render · €0.02' }).waitFor();
      assert.equal(await workbench.quickInput.inputValue(), 'a song');
      await workbench.page.keyboard.press('Escape');
      assert.equal(ordered(), 0);
    });

    test('a balance that the service finds too low is shown with both amounts, and leads to cheaper options', async () => {
      const form = await workbench.webviewFrame('grand-1');
      await form.getByRole('button', { name: 'Render · €0.03' }).waitFor();
      service.script.balanceCents = 2;
      await order(form, '€0.03', { status: 402, json: { code: 'LOW', message: 'Too low' } });
      const notice = await told('It costs €0.03, but your balance is €0.02.');
      await shoot('402');
      await notice.getByRole('button', { name: 'Find Cheaper Options…' }).click();
      await workbench.pick('Plain 1');
      const other = await workbench.webviewFrame('plain-1');
      await until(async () => (await other.getByRole('textbox').first().inputValue()) === 'a letter from the harbour');
      await other.getByRole('button', { name: 'Render · €0.02' }).waitFor();
    });

    test('a render over the daily cap is postponed to the next day, and the form offers the other options', async () => {
      const form = await workbench.webviewFrame('plain-1');
      await order(form, '€0.02', { status: 409, json: { code: 'API_KEY_DAILY_CAP', message: 'Enough for today' } });
      const notice = await told(/has reached its daily cap/);
      await form.getByRole('button', { name: 'Remind Me Tomorrow' }).waitFor();
      await shoot('409');
      await notice.getByRole('button', { name: 'Remind Me Tomorrow' }).click();
      await workbench.notification('You’ll be asked again tomorrow').waitFor();
    });

    test('a service that asks for a quarter of an hour is called earlier if a user requests it', async () => {
      const long = { status: 429, headers: { 'retry-after': '900' }, json: { code: 'SLOW', message: 'Slow down' } };
      const slowOnce = () => {
        let refused = 0;
        service.script.refuse = (_, path) => (path === '/quote' && refused++ === 0 ? long : undefined);
      };
      const form = await workbench.webviewFrame('plain-1');
      slowOnce();
      await form.getByRole('textbox', { name: /prompt/i }).fill('a letter in spring');
      await balance('waiting 1').waitFor();
      // Even requests on demand are at least three seconds apart.
      await form.getByText(/Resuming in 14:5[0-6]/).waitFor();
      await form.getByRole('button', { name: 'Try again' }).click();
      await form.getByRole('button', { name: 'Render · €0.02' }).waitFor();
      await balance('wait').waitFor({ state: 'hidden' });
      slowOnce();
      await workbench.command('Model Catalog: Quick Render…');
      await workbench.quickInput.fill('a song in spring');
      await rows()
        .first()
        .filter({ hasText: /Resuming in 14:5[0-6]/ })
        .waitFor();
      await shoot('429-long');
      await workbench.page.keyboard.press('Enter');
      await rows().first().filter({ hasText: 'Render · €0.02' }).waitFor();
      await workbench.page.keyboard.press('Escape');
      service.script.refuse = undefined;
    });

    test('a countdown shows how long the service asked to wait, and then the price appears', async () => {
      const slow = { status: 429, headers: { 'retry-after': '20' }, json: { code: 'SLOW', message: 'Slow down' } };
      const form = await workbench.webviewFrame('plain-1');
      let refused = 0;
      service.script.refuse = (_, path) => (path === '/quote' && refused++ === 0 ? slow : undefined);
      await form.getByRole('textbox', { name: /prompt/i }).fill('a letter in winter');
      await form.getByText(/Rate limited by the service. Resuming in 0:\d\d/).waitFor();
      await balance('waiting 0:').waitFor();
      await workbench.page
        .getByText(/Rate limited by the service. Resuming in 0:\d\d/)
        .first()
        .waitFor();
      await shoot('429');
      await form.getByRole('button', { name: 'Render · €0.02' }).waitFor();
      await balance('wait').waitFor({ state: 'hidden' });
      service.script.refuse = undefined;
    });

    test('a failed render isn’t called refunded before the service reports it, and its inputs can be edited', async () => {
      service.script.outcome = { status: 'failed', reason: 'The ink ran out' };
      const form = await workbench.webviewFrame('plain-1');
      await form.getByRole('button', { name: 'Render · €0.02' }).click();
      const failed = generations().filter({ hasText: 'a letter in winter' }).filter({ hasText: 'failed' });
      await failed.waitFor();
      assert.doesNotMatch(await failed.innerText(), /refunded/);
      await form.getByRole('textbox', { name: /prompt/i }).fill('something else');
      const notice = workbench.notification('hasn’t reported this refund yet').first();
      await notice.getByRole('button', { name: 'Edit and Retry' }).click();
      const typed = form.getByRole('textbox', { name: /prompt/i });
      await until(async () => (await typed.inputValue()) === 'a letter in winter');
      await form.getByRole('button', { name: 'Edit and Retry' }).waitFor();
      await shoot('failed');
      service.script.outcome = undefined;
    });

    test('a field that the service rejects is marked in the form, also from the notification', async () => {
      service.script.balanceCents = 50;
      await workbench.command('Model Catalog: Refresh Models and Renders');
      await openModelForm(workbench, plain);
      const form = await written(grand, 'a march');
      await form.getByRole('radio', { name: 'small' }).check();
      await order(form, '€0.03', {
        status: 400,
        json: { code: 'INVALID', message: 'Invalid', details: [{ field: 'size', message: 'is sold out' }] },
      });
      const notice = await told(/size: is sold out/);
      await form.getByText('The service says: is sold out').waitFor();
      await workbench.webviewFrame('plain-1');
      await notice.getByRole('button', { name: 'Go to Field' }).click();
      const shown = await workbench.openWebview('grand-1');
      await shown.getByText('The service says: is sold out').waitFor();
      await until(() =>
        shown.evaluate(() => document.activeElement?.closest('.field')?.textContent.includes('Size') === true),
      );
      await shoot('400');
    });

    test('a passage no longer waits for a response when its render is rejected, or fails', async () => {
      const { script } = service;
      const waiting = workbench.page.locator('.codelens-decoration a').getByText('Stop Waiting');
      await workbench.command('File: New Untitled Text File');
      await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await workbench.page.keyboard.type('A heron stood by the river.');
      const endings = [
        { told: 'Too low', refuse: { status: 402, json: { code: 'LOW', message: 'Too low' } } },
        { told: 'hasn’t reported this refund yet', outcome: { status: 'failed', reason: 'The ink ran out' } },
      ];
      for (const { told: sentence, refuse, outcome } of endings) {
        await workbench.page.keyboard.press('Control+A');
        await workbench.command('Model Catalog: Send Selection to Text Model…');
        await workbench.page.locator('.quick-input-title').getByText('Send Selection to Text Model').waitFor();
        await workbench.pick(/^Model/);
        await choose(plain, 'Plain 1');
        await workbench.quickInput.fill(`as a letter, ${sentence}`);
        const ready = rows().first().filter({ hasText: 'Send · €0.' });
        await ready.filter({ has: workbench.page.locator('.codicon-zap') }).waitFor();
        let respond = () => {};
        script.until = new Promise<void>((resolve) => (respond = resolve));
        script.refuse = (method, path) => (`${method} ${path}` === 'POST /generations' ? refuse : undefined);
        script.outcome = outcome;
        await workbench.page.keyboard.press('Enter');
        await waiting.waitFor();
        script.until = undefined;
        respond();
        await told(sentence);
        await waiting.waitFor({ state: 'detached' });
      }
      script.outcome = undefined;
    });

    test('Quick Render leads to the field, with the service’s message', async () => {
      const details = [{ field: 'size', message: 'is sold out' }];
      await workbench.command('Model Catalog: Quick Render…');
      // An arriving price would replace the rows during a click; there is none without a prompt.
      await workbench.quickInput.fill('');
      await rows()
        .first()
        .filter({ hasText: /Type a prompt|Choose a model/ })
        .waitFor();
      await workbench.pick(/^Model/);
      await choose(grand, 'Grand 1');
      service.script.refuse = (_, path) =>
        path === '/quote' ? { status: 400, json: { code: 'INVALID', message: 'Invalid', details } } : undefined;
      await workbench.page.getByPlaceholder('Prompt for Grand 1').fill('a march');
      await workbench.pick('Fix first: Size');
      await workbench.page.getByPlaceholder('The service says: is sold out').waitFor();
      service.script.refuse = undefined;
      await workbench.pick('small');
      await rows().first().filter({ hasText: 'Render · €0.03' }).waitFor();
      await workbench.page.keyboard.press('Escape');
    });

    test('everything local stays usable while the service is offline, and the rest recovers automatically', async () => {
      const form = await workbench.webviewFrame('plain-1');
      const { script, base } = service;
      await service.stop();
      await form.getByRole('textbox', { name: /prompt/i }).fill('a letter at sea');
      await balance('Offline').waitFor();
      await form
        .locator('#order-note')
        .getByText(/No price: /)
        .waitFor();
      await workbench.tree('Models').getByRole('treeitem', { name: 'Plain 1' }).first().waitFor();
      await generations().filter({ hasText: 'a letter in winter' }).first().waitFor();
      await shoot('offline');
      // The model's inputs aren't in memory any more.
      await workbench.command('Model Catalog: Refresh Models and Renders');
      await workbench.command('View: Close Editor');
      await workbench.tree('Models').getByRole('treeitem', { name: 'Plain 1' }).first().click();
      const again = await workbench.webviewFrame('plain-1');
      await again.getByRole('textbox', { name: /prompt/i }).waitFor();
      await again
        .locator('#order-note')
        .getByText(/No price: /)
        .waitFor();
      await shoot('offline-opened');
      service = await startScriptedService(script, Number(new URL(base).port));
      await balance('€0.').waitFor();
      await again.getByRole('button', { name: 'Render · €0.02' }).waitFor();
    });
  });
}
