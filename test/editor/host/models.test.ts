import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../../src/editor/ids';
import { canaryKey } from '../../canary';
import { startScriptedService, type ScriptedService } from './scriptedService';

const count = 10_000;

/** A catalog of twenty providers with ten families of fifty models each. */
function manyModels(): string {
  const models = Array.from({ length: count }, (_, index) => ({
    id: `provider-${index % 20}/family-${index % 200}/model-${index}`,
    name: `Model ${index}`,
    description: `What model ${index} is good at`,
    type: index % 3 === 0 ? 'text' : 'image',
  }));
  return JSON.stringify({ models });
}

function run<T>(command: string, ...args: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

suite('models', () => {
  let service: ScriptedService;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    service = await startScriptedService({ key: canaryKey, balanceCents: 1, models: manyModels() });
    assert.equal(await run(commands.connect, service.base, canaryKey), undefined);
  });

  suiteTeardown(async () => {
    await run(commands.useSandbox);
    await service.stop();
  });

  test('the search lists a favorite first among ten thousand models', async () => {
    const favourite = 'provider-17/family-177/model-7777';
    await run(commands.addFavourite, favourite);
    await openFirst('model-7777');
    await run(commands.removeFavourite, favourite);
  });

  test('a model that was opened but not rendered with keeps its place in the search', async () => {
    await run('workbench.action.closeAllEditors');
    await run(commands.openModel, 'provider-3/family-123/model-123');
    await run('workbench.action.closeAllEditors');
    await openFirst('model-0');
  });

  test('favorites are kept per service', async () => {
    await run(commands.useSandbox);
    await run(commands.addFavourite, 'paperlight/strata/strata-2');
    assert.equal(await run(commands.connect, service.base, canaryKey), undefined);
    await run('workbench.action.closeAllEditors');
    await openFirst('model-0');
    await run(commands.useSandbox);
    await run(commands.removeFavourite, 'paperlight/strata/strata-2');
  });
});

/** Presses Enter in the search until it has opened something, and compares that with the name of a form. */
async function openFirst(name: string): Promise<void> {
  const opening = run(commands.openModel);
  const opened = new Promise<string>((resolve) => {
    const listening = vscode.window.tabGroups.onDidChangeTabs(({ opened: [tab] }) => {
      if (!tab) return;
      listening.dispose();
      resolve(tab.label);
    });
  });
  let label: string | undefined;
  void opened.then((found) => (label = found));
  while (label === undefined) {
    await run('workbench.action.acceptSelectedQuickOpenItem');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await opening;
  assert.equal(label, name);
}
