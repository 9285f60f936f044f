import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settingSection } from '../../../src/app/ids';
import { Settings } from '../../../src/host/settings';

/** In these tests, every editor has machine settings that would loosen the person's; see `launcher.ts`. */
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
