import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settingIds, settingSection, type SettingId } from '../../../src/editor/ids';
import { unreadableSetting } from '../../../src/editor/openLimit';
import { Settings } from '../../../src/editor/settings';

async function set(id: SettingId, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(settingSection).update(id, value, vscode.ConfigurationTarget.Global);
}

/** In these tests, every editor has machine settings that would loosen the user's; see `launcher.ts`. */
suite('Settings of the remote machine', () => {
  const settings = new Settings();
  suiteSetup(function () {
    // The desktop editor has no remote machine.
    if (vscode.env.remoteName === undefined) this.skip();
  });
  suiteTeardown(() => settings.dispose());

  test('can’t raise a limit that a person has set', () => {
    const inEffect = vscode.workspace.getConfiguration(settingSection).get('budget.perDay');
    assert.equal(inEffect, 100_000, 'the editor lets the machine win');
    assert.equal(settings.budgetPerDay(undefined), 90_000);
  });

  test('don’t change what is asked', () => {
    assert.equal(settings.confirmAbove, 50);
  });
});

suite('Settings of money', () => {
  // Without those that the machine sets: the editor would write its value.
  const amounts = [
    settingIds.unattendedBudget,
    settingIds.agentAllowance,
    settingIds.confirmAfterCents,
    settingIds.confirmAfterRenders,
    settingIds.lowBalance,
  ];
  const limits = [settingIds.budgetPerDay, settingIds.budgetPerProject];

  for (const id of [...amounts, ...limits])
    test(`${id} that holds no amount is named, and an amount isn’t`, async () => {
      const before = vscode.workspace.getConfiguration(settingSection).inspect(id)?.globalValue;
      try {
        for (const value of ['500', '', -1, 0.5, true, {}, [500]]) {
          await set(id, value);
          assert.equal(unreadableSetting(undefined), id, JSON.stringify(value));
        }
        await set(id, null);
        assert.equal(unreadableSetting(undefined), limits.includes(id as never) ? undefined : id);
        for (const value of [0, 500]) {
          await set(id, value);
          assert.equal(unreadableSetting(undefined), undefined);
        }
      } finally {
        await set(id, before);
      }
    });
});
