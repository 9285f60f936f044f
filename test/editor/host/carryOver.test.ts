import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { carryOver } from '../../../src/editor/carryOver';
import { extensionId, oldSettingIds as old, settingIds, settingSection, type SettingId } from '../../../src/editor/ids';
import { Settings } from '../../../src/editor/settings';
import { silentLog } from '../../../src/base/log';

const configuration = () => vscode.workspace.getConfiguration(settingSection);

async function set(id: SettingId, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> {
  await configuration().update(id, value, target);
}

/** The user's own value. */
const mine = (id: SettingId): unknown => configuration().inspect(id)?.globalValue;

suite('carrying settings over to their new names', () => {
  const settings = new Settings();
  const told: string[] = [];
  const { window } = vscode;
  const own = window.showInformationMessage;
  // Those that the machine of the tests sets stay: see `launcher.ts`.
  const earlier = {
    [old.baseUrl]: 'https://models.example.com',
    [old.fitToLinks]: 'contain',
    [old.provenance]: 'sidecar',
    [old.provenancePrompt]: false,
    [old.confirmAfterCents]: 250,
    [old.agentAllowance]: 7,
    [old.unattendedBudget]: 100,
    [old.budgetPerProject]: 1000,
  };
  const later = {
    [settingIds.serviceUrl]: 'https://models.example.com',
    [settingIds.metadata]: 'sidecarWithoutPrompt',
    [settingIds.fitMissingImages]: 'contain',
    [settingIds.confirmAfterTotal]: '2.50',
    [settingIds.agentAllowance]: '0.07',
    [settingIds.otherAllowance]: '1.00',
    [settingIds.limitPerProject]: '10.00',
  };
  const all = [...Object.keys(earlier), ...Object.keys(later)] as SettingId[];
  const root = () => vscode.workspace.workspaceFolders![0]!.uri;

  function inEffect() {
    const folder = root().toString();
    return {
      url: settings.serviceUrl,
      fit: settings.fitMissingImages(root()),
      place: settings.provenance(folder),
      prompt: settings.provenancePrompt(folder),
      after: settings.confirmAfter,
      agents: settings.agentAllowance,
      others: settings.unattendedBudget,
      project: settings.budgetPerProject(folder),
    };
  }

  suiteSetup(async () => {
    await vscode.extensions.getExtension(extensionId)!.activate();
    // From then on, this window carries nothing over by itself.
    await new Promise((resolve) => setImmediate(resolve));
    window.showInformationMessage = (text: string) => {
      told.push(text);
      return Promise.resolve(undefined);
    };
  });
  setup(async () => {
    told.length = 0;
    for (const [id, value] of Object.entries(earlier)) await set(id as SettingId, value);
  });
  teardown(async () => {
    for (const id of all) {
      if (mine(id) !== undefined) await set(id, undefined);
      if (configuration().inspect(id)?.workspaceValue !== undefined)
        await set(id, undefined, vscode.ConfigurationTarget.Workspace);
    }
  });
  suiteTeardown(() => {
    window.showInformationMessage = own;
    settings.dispose();
  });

  test('writes them in euros, removes the old ones, changes nothing in effect, and says so once', async () => {
    const before = inEffect();
    await carryOver(silentLog);
    for (const [id, value] of Object.entries(later)) assert.equal(mine(id as SettingId), value, id);
    for (const id of Object.keys(earlier)) assert.equal(mine(id as SettingId), undefined, id);
    assert.deepEqual(inEffect(), before);
    assert.equal(told.length, 1);
    for (const [id, value] of Object.entries(later)) assert.ok(told[0]!.includes(`modelCatalog.${id}: ${value}`), id);
    await carryOver(silentLog);
    assert.equal(told.length, 1);
    assert.deepEqual(inEffect(), before);
  });

  test('leaves a workspace’s as they are, under either name, and what counts stays the same', async () => {
    const workspace = vscode.ConfigurationTarget.Workspace;
    await set(old.fitToLinks, 'none', workspace);
    await set(old.budgetPerProject, 300, workspace);
    await set(settingIds.metadata, 'none', workspace);
    const before = inEffect();
    assert.deepEqual([before.fit, before.project, before.place], ['none', 300, 'none']);
    await carryOver(silentLog);
    assert.deepEqual(inEffect(), before);
    assert.equal(configuration().inspect(old.budgetPerProject)?.workspaceValue, 300);
    assert.equal(configuration().inspect(settingIds.limitPerProject)?.workspaceValue, undefined);
  });

  test('two windows at the same moment write the same', async () => {
    const before = inEffect();
    await Promise.all([carryOver(silentLog), carryOver(silentLog)]);
    assert.deepEqual(inEffect(), before);
    await carryOver(silentLog);
    for (const [id, value] of Object.entries(later)) assert.equal(mine(id as SettingId), value, id);
    for (const id of Object.keys(earlier)) assert.equal(mine(id as SettingId), undefined, id);
  });

  test('keeps what the user has set under a new name, and what can’t be read', async () => {
    await set(settingIds.otherAllowance, '5');
    await set(old.agentAllowance, 'abc');
    await carryOver(silentLog);
    assert.deepEqual([mine(settingIds.otherAllowance), mine(old.unattendedBudget)], ['5', 100]);
    assert.deepEqual([mine(settingIds.agentAllowance), mine(old.agentAllowance)], [undefined, 'abc']);
  });

  test('finishes what was interrupted, without a word', async () => {
    for (const [id, value] of Object.entries(later)) await set(id as SettingId, value);
    await carryOver(silentLog);
    for (const id of Object.keys(earlier)) assert.equal(mine(id as SettingId), undefined, id);
    assert.deepEqual(told, []);
  });

  test('the sandbox stays the sandbox once it’s chosen, whatever the old URL says', async () => {
    await settings.setServiceUrl('');
    assert.equal(settings.serviceUrl, '');
    assert.equal(mine(old.baseUrl), undefined);
  });
});
