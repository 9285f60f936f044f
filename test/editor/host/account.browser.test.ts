import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { deferred } from '../../unit/deferred';
import { canaryKey, otherCanaryKey, wrongCanaryKey } from '../../canary';
import { root } from '../root';
import { until } from '../until';
import { openWorkbench, type Workbench } from '../workbench';
import { startScriptedService, type ScriptedService } from './scriptedService';

const images = join(root, 'out', 'screenshots');
const hostile = [
  { id: 'acme/paint/$(trash)', name: '$(trash) [Click](command:workbench.action.quit)', description: 'a\nb\u202ec' },
  { id: 'acme/paint/plain', name: 'Plain', description: 'Says what it is', type: 'image' },
];

let workbench: Workbench;
let service: ScriptedService;
let balance: Locator;

before(async () => {
  await mkdir(images, { recursive: true });
  const script = { key: canaryKey, balanceCents: 4321, models: JSON.stringify({ models: hostile }) };
  [workbench, service] = await Promise.all([openWorkbench({ version: 'latest' }), startScriptedService(script)]);
  balance = workbench.statusBarItem('modelCatalog.balance');
});
after(async () => {
  await workbench.close();
  await service.stop();
});

async function image(name: string): Promise<void> {
  await workbench.screenshot(join(images, `account-${name}.png`));
}

/** The open box's error. */
function complaint(text: string | RegExp): Locator {
  return workbench.page.locator('.quick-input-message').filter({ hasText: text });
}

async function type(text: string): Promise<void> {
  await workbench.quickInput.fill(text);
  await workbench.page.keyboard.press('Enter');
}

/** Types a key, and does something before the service responds. */
async function whileChecked(key: string, meanwhile: () => Promise<void>): Promise<void> {
  const answers = deferred<undefined>();
  service.script.until = answers.promise;
  const { length } = service.asked;
  await type(key);
  await until(() => Promise.resolve(service.asked.includes('GET /me', length)));
  await meanwhile();
  answers.resolve(undefined);
}

/** Opens and closes another box. Once it shows, the extension knows that the previous one has closed. */
async function openAnotherBox(): Promise<void> {
  await workbench.command('Model Catalog: Open Model Form…');
  const search = workbench.page.getByPlaceholder('Search by name');
  await shows(search);
  await workbench.page.keyboard.press('Escape');
  await search.waitFor({ state: 'hidden' });
}

async function shows(locator: Locator): Promise<void> {
  await locator.first().waitFor();
}

test('without an account, the sandbox’s models and play money are available', async () => {
  await workbench.page.locator('.activitybar').getByRole('tab', { name: 'Model Catalog' }).click();
  await shows(workbench.tree('Models').getByRole('treeitem').nth(4));
  await shows(balance.filter({ hasText: 'Sandbox €25.00' }));
  await image('sandbox');
});

test('the Status Bar reads the balance aloud as money', async () => {
  const label = await balance.locator('[aria-label]').first().getAttribute('aria-label');
  assert.equal(label, 'Model Catalog sandbox: balance 25.00 euros');
});

test('a click on the balance opens the account menu', async () => {
  await balance.click();
  await shows(workbench.page.locator('.quick-input-list').getByText('Connect to Service…'));
  await image('menu');
  await workbench.page.keyboard.press('Escape');
});

test('a wrong URL is explained while typing', async () => {
  await workbench.command('Model Catalog: Connect to Service…');
  await workbench.quickInput.fill('http://models.example');
  await shows(complaint('anyone on the network path'));
  await image('address');
  await type('https://me:secret@models.example');
  await shows(complaint('user name or password'));
});

test('a rejected key stays in the masked box with the reason, and the URL is kept', async () => {
  await type(service.base);
  await shows(workbench.page.getByPlaceholder('ai_live_…'));
  assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
  await type(wrongCanaryKey);
  await shows(complaint('rejected the API key'));
  assert.equal(await workbench.quickInput.inputValue(), wrongCanaryKey);
  await image('key');
  await workbench.page.getByRole('button', { name: 'Back' }).click();
  await shows(workbench.page.getByPlaceholder('https://models.example.com'));
  assert.equal(await workbench.quickInput.inputValue(), service.base);
  await workbench.page.keyboard.press('Enter');
});

test('a box that replaces the one whose key is being verified doesn’t hide that the key is wrong', async () => {
  const key = workbench.page.getByPlaceholder('ai_live_…');
  await shows(key);
  await whileChecked(wrongCanaryKey, openAnotherBox);
  const refused = workbench.notification('rejected the API key');
  await shows(refused);
  await image('closed-refused');
  await refused.getByRole('button', { name: 'Try Again' }).click();
  await shows(key);
  assert.equal(await key.inputValue(), '');
  await shows(workbench.page.locator('.quick-input-widget').filter({ hasText: `API key for ${service.base}` }));
});

test('a service that isn’t understood is checked with the typed key, and the report is for its operator', async () => {
  service.script.refuse = (_, path) => (path === '/me' ? { status: 200, json: { cash: 7 } } : undefined);
  await type(canaryKey);
  await shows(complaint(/isn’t in the expected format.*select Check Connection above/));
  await image('not-understood');
  await workbench.page.locator('.quick-input-titlebar').getByRole('button', { name: 'Check Connection' }).click();
  const page = workbench.page.locator('.editor-instance .view-lines').filter({ hasText: 'Failed at “Account”' });
  await shows(page);
  const report = (await page.innerText()).replaceAll('\u00a0', ' ');
  assert.match(report, new RegExp(`URL: ${service.base} `));
  assert.match(report, /API key: the key you entered/);
  assert.match(report, /Response body .*\{"cash":7\}/);
  await image('not-understood-report');
  await workbench.page.locator('.notification-toast').getByRole('button', { name: 'Copy Report' }).click();
  let copied = '';
  await until(async () => {
    copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    return copied.includes('JSON including balanceCents');
  });
  assert.ok(!copied.includes('ai_live_'), copied);
  await shows(balance.filter({ hasText: 'Sandbox' }));
  service.script.refuse = undefined;
  await workbench.command('View: Close Editor');
  await workbench.command('Model Catalog: Connect to Service…');
  await type(service.base);
});

test('a valid key switches to the service, its balance, and its models', async () => {
  await shows(workbench.page.getByPlaceholder('ai_live_…'));
  await type(canaryKey);
  await shows(balance.filter({ hasText: '€43.21' }));
  await shows(workbench.tree('Models').getByRole('treeitem', { name: 'Plain' }));
});

test('a key whose box closes during verification is used once the user confirms', async () => {
  await workbench.command('Model Catalog: Manage Account…');
  await workbench.pick('Switch to Sandbox');
  await shows(balance.filter({ hasText: 'Sandbox' }));
  await workbench.command('Model Catalog: Connect to Service…');
  await shows(workbench.page.getByPlaceholder('https://models.example.com'));
  await type(service.base);
  const key = workbench.page.getByPlaceholder('ai_live_…');
  await shows(key);
  await whileChecked(canaryKey, async () => {
    await workbench.page.keyboard.press('Escape');
    await key.waitFor({ state: 'hidden' });
    await openAnotherBox();
  });
  const held = workbench.notification('closed before it was saved');
  await shows(held);
  await image('closed-held');
  await shows(balance.filter({ hasText: 'Sandbox' }));
  await held.getByRole('button', { name: 'Use This Key' }).click();
  await shows(balance.filter({ hasText: '€43.21' }));
});

test('text from the service stays text in the tree: no icon, no link, no second line', async () => {
  const item = workbench.tree('Models').getByRole('treeitem', { name: '$(trash)' });
  await shows(item);
  assert.equal(await item.locator('.codicon-trash').count(), 0);
  assert.match(await item.innerText(), /\$\(trash\) \[Click\]\(command:workbench\.action\.quit\)/);
  await item.hover();
  const hover = workbench.page.locator('.monaco-hover').filter({ hasText: 'acme/paint/' });
  await shows(hover);
  assert.deepEqual(await hover.locator('a').allInnerTexts(), ['Open Model Form', 'Quick Render'], 'its only links');
  await image('hostile');
  await workbench.page.keyboard.press('Escape');
});

test('a low balance is marked', async () => {
  service.script.balanceCents = 80;
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(balance.filter({ hasText: '€0.80 · low' }));
  assert.equal(await balance.locator('.codicon-warning').count(), 1);
});

test('a service without models is reported in the view', async () => {
  service.script.models = '[]';
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(workbench.page.getByText('doesn’t list any models'));
});

test('a response that isn’t a list is reported in the view, with the next step', async () => {
  service.script.models = '<html>Sign in</html>';
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(workbench.page.getByText('Couldn’t read the list of models'));
  await image('failed');
});

test('a revoked key is asked for once, and reported in the Status Bar and the view', async () => {
  service.script.key = otherCanaryKey;
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(balance.filter({ hasText: 'API Key Rejected' }));
  await shows(workbench.page.getByRole('button', { name: 'Set API Key' }));
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(workbench.notification('Renders are paused'));
  assert.equal(await workbench.notification('API key').count(), 1);
  await image('refused');
});

test('a new key entered from the view continues where it stopped', async () => {
  service.script.models = JSON.stringify(hostile);
  await workbench.command('Model Catalog: Manage Account…');
  await workbench.pick('Set API Key…');
  await type(otherCanaryKey);
  await shows(workbench.tree('Models').getByRole('treeitem', { name: 'Plain' }));
  await shows(balance.filter({ hasText: '€0.80' }));
});

test('a key that was rejected by mistake is used again once a check finds that it works', async () => {
  const rejected = { status: 401, json: { code: 'UNAUTHORIZED' } };
  service.script.refuse = () => rejected;
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(balance.filter({ hasText: 'API Key Rejected' }));
  service.script.refuse = undefined;
  await workbench.command('Model Catalog: Check Connection');
  await shows(
    workbench.page.locator('.editor-instance .view-lines').filter({ hasText: 'key accepted, balance €0.80' }),
  );
  await shows(balance.filter({ hasText: '€0.80' }));
  await workbench.command('View: Close Editor');
});

test('once nothing listens at the URL, that is said in the place of a rejected key', async () => {
  const { script, base } = service;
  service.script.refuse = () => ({ status: 401, json: { code: 'UNAUTHORIZED' } });
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(balance.filter({ hasText: 'API Key Rejected' }));
  await service.stop();
  await workbench.command('Model Catalog: Check Connection');
  await shows(balance.filter({ hasText: 'Offline' }));
  await workbench.command('View: Close Editor');
  script.refuse = undefined;
  service = await startScriptedService(script, Number(new URL(base).port));
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(balance.filter({ hasText: '€0.80' }));
});

test('a service that is gone leaves its list, with the list’s age', async () => {
  await service.stop();
  await workbench.command('Model Catalog: Refresh Models and Renders');
  await shows(balance.filter({ hasText: 'Offline' }));
  await shows(workbench.page.getByText(/^Offline. The list is from \d+:\d\d/));
  await shows(workbench.tree('Models').getByRole('treeitem', { name: 'Plain' }));
  await image('offline');
});

test('disconnecting asks first, and lists what is kept', async () => {
  await workbench.command('Model Catalog: Manage Account…');
  await workbench.pick('Disconnect from Service');
  const dialog = workbench.page.getByRole('dialog');
  await shows(dialog.filter({ hasText: 'This removes the API key from this computer.' }));
  await image('disconnect');
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await shows(balance.filter({ hasText: 'No API Key' }));
  await shows(workbench.page.getByRole('button', { name: 'Set API Key' }));
});

test('back in the sandbox, everything is as before', async () => {
  await workbench.command('Model Catalog: Manage Account…');
  await workbench.pick('Switch to Sandbox');
  await shows(balance.filter({ hasText: 'Sandbox €25.00' }));
  await shows(workbench.tree('Models').getByRole('treeitem').nth(4));
});
