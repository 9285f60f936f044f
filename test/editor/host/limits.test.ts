import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  earlierIds,
  extensionId,
  oldSettingIds,
  settingIds,
  settingSection,
  type SettingId,
} from '../../../src/editor/ids';
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

  test('can’t raise a limit that a user has set', () => {
    const inEffect = vscode.workspace.getConfiguration(settingSection).get('budget.perDay');
    assert.equal(inEffect, 100_000, 'the editor lets the machine win');
    assert.equal(settings.budgetPerDay(undefined), 90_000);
  });

  test('don’t change what is asked', () => {
    assert.equal(settings.confirmAbove, 50);
  });
});

suite('Settings of money', () => {
  const { limitPerDay, limitPerProject, otherAllowance, agentAllowance, confirmAfterTotal, confirmAbove } = settingIds;
  const limits = [limitPerDay, limitPerProject];
  const amounts = [otherAllowance, agentAllowance, confirmAfterTotal, confirmAbove];
  // Without those that the machine sets: the editor would write its value.
  const old = [
    ...[earlierIds[otherAllowance], earlierIds[agentAllowance], earlierIds[confirmAfterTotal]],
    ...[earlierIds[limitPerProject], oldSettingIds.confirmAfterRenders, oldSettingIds.lowBalance],
  ];

  // From then on, values under old names stay where they are.
  suiteSetup(async () => {
    await vscode.extensions.getExtension(extensionId)!.activate();
    await new Promise((resolve) => setImmediate(resolve));
  });

  async function check(id: SettingId, readable: readonly unknown[], unreadable: readonly unknown[]) {
    const before = vscode.workspace.getConfiguration(settingSection).inspect(id)?.globalValue;
    try {
      for (const value of unreadable) {
        await set(id, value);
        assert.equal(unreadableSetting(undefined), id, JSON.stringify(value));
      }
      for (const value of readable) {
        await set(id, value);
        assert.equal(unreadableSetting(undefined), undefined, JSON.stringify(value));
      }
    } finally {
      await set(id, before);
    }
  }

  const others = ['abc', '0.505', '-1', '1.000,00', -1, 0.505, true, {}, ['5']];
  for (const id of amounts)
    test(`${id} that holds no amount is named, and an amount isn’t`, () =>
      check(id, ['0', '0.50', '0,50', ' 2 ', 0.5, 2], [...others, '', null]));
  for (const id of limits)
    test(`${id} that holds no amount is named, and an amount or none isn’t`, () =>
      check(id, ['0', '0.50', '0,50', 0.5, '', null], others));

  for (const id of old)
    test(`${id}, an old name, is still read in its own unit`, async () => {
      const isLimit = id === oldSettingIds.budgetPerProject;
      await check(id, isLimit ? [0, 500, null] : [0, 500], ['500', '', -1, 0.5, true, {}, [500]]);
    });

  test('an old name counts only while the new one isn’t set', async () => {
    const settings = new Settings();
    try {
      await set(oldSettingIds.unattendedBudget, 70);
      assert.equal(settings.unattendedBudget, 70);
      await set(otherAllowance, '0,30');
      assert.equal(settings.unattendedBudget, 30);
      await set(oldSettingIds.unattendedBudget, 'abc');
      assert.equal(unreadableSetting(undefined), undefined);
      await set(otherAllowance, 'abc');
      assert.equal(settings.unattendedBudget, 0);
    } finally {
      await set(otherAllowance, undefined);
      await set(oldSettingIds.unattendedBudget, undefined);
      settings.dispose();
    }
  });
});
