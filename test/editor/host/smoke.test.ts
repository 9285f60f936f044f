import assert from 'node:assert/strict';
import * as vscode from 'vscode';

suite('The extension in a real editor', () => {
  test('starts without an error and stays within the commands it declares', async () => {
    const extension = vscode.extensions.getExtension('model-catalog.model-catalog');
    assert.ok(extension, 'the editor has loaded it');
    await extension.activate();
    const declared = extension.packageJSON as { contributes: { commands?: { command: string }[] } };
    const commands = new Set(await vscode.commands.getCommands(true));
    for (const { command } of declared.contributes.commands ?? [])
      assert.ok(commands.has(command), `${command} is registered`);
  });

  test('finds a database in the extension host', async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const row = new DatabaseSync(':memory:').prepare('SELECT 1 AS one').get();
    assert.equal(row?.['one'], 1);
  });
});
