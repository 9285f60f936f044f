import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sidecarEnding, writeProvenance } from '../../../src/files/provenance';
import { silentLog } from '../../../src/base/log';
import { Sidecars } from '../../../src/files/sidecars';
import { editorBeside } from '../../../src/editor/workspaceFiles';
import { exists } from '../../../src/editor/exists';
import { until } from '../until';

const told = writeProvenance({ modelId: 'quill/verse/sonnet', inputs: { prompt: 'a fox' } });
const other = writeProvenance({ modelId: 'quill/prose/letter', inputs: { prompt: 'a hare' } });

/** The file operations of the Explorer, as far as a program can perform them. */
suite('a sidecar file follows its result', () => {
  const folder = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'sidecars');
  const file = (name: string) => vscode.Uri.joinPath(folder(), name);
  const beside = (name: string) => file(name + sidecarEnding);
  const text = async (uri: vscode.Uri) => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  const isThere = (uri: vscode.Uri) => until(() => exists(uri));
  const isGone = (uri: vscode.Uri) => until(async () => !(await exists(uri)));

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
  });
  suiteTeardown(() => vscode.workspace.fs.delete(folder(), { recursive: true }));

  async function make(name: string, words = told): Promise<void> {
    await vscode.workspace.fs.writeFile(file(name), Buffer.from(`the text of ${name}`));
    await vscode.workspace.fs.writeFile(beside(name), Buffer.from(words));
  }

  async function rename(...names: readonly (readonly [from: string, to: string])[]): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    for (const [from, to] of names) edit.renameFile(file(from), file(to));
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function remove(name: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(file(name), { recursive: true });
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  async function hasTrash(): Promise<boolean> {
    await vscode.workspace.fs.writeFile(file('rubbish.md'), Buffer.from('rubbish'));
    return vscode.workspace.fs.delete(file('rubbish.md'), { useTrash: true }).then(
      () => true,
      () => false,
    );
  }

  test('to another name, and into another folder', async () => {
    await make('fox.md');
    await rename(['fox.md', 'poems/red fox.md']);
    await isThere(beside('poems/red fox.md'));
    assert.equal(await text(beside('poems/red fox.md')), told);
    assert.ok(!(await exists(beside('fox.md'))));
  });

  test('with several at the same time, each its own', async () => {
    await make('one.md');
    await make('two.md', other);
    await rename(['two.md', 'second.md'], ['one.md', 'first.md']);
    await isThere(beside('first.md'));
    assert.deepEqual([await text(beside('first.md')), await text(beside('second.md'))], [told, other]);
    for (const name of ['one.md', 'two.md']) assert.ok(!(await exists(beside(name))));
  });

  test('when its folder is renamed', async () => {
    await make('old/owl.md');
    await rename(['old', 'new']);
    await isThere(beside('new/owl.md'));
    await rename(['new/owl.md', 'new/eule.md']);
    await isThere(beside('new/eule.md'));
    assert.ok(!(await exists(beside('new/owl.md'))));
  });

  test('onto a file with its own sidecar file, which goes to the trash or is kept next to it', async () => {
    await make('moved.md');
    await make('replaced.md', other);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(file('moved.md'), file('replaced.md'), { overwrite: true });
    assert.ok(await vscode.workspace.applyEdit(edit));
    await isGone(beside('moved.md'));
    assert.deepEqual(
      [await text(file('replaced.md')), await text(beside('replaced.md'))],
      ['the text of moved.md', told],
    );
    const earlier = file('replaced.md.render.earlier.json');
    if (await hasTrash()) assert.ok(!(await exists(earlier)));
    else assert.equal(await text(earlier), other);
  });

  test('when it is deleted, into the trash; without a trash, it is kept', async () => {
    await make('hare.md');
    await remove('hare.md');
    // Operations are processed in order, so the other one has been too.
    await make('next.md');
    await rename(['next.md', 'after.md']);
    await isThere(beside('after.md'));
    assert.equal(await exists(beside('hare.md')), !(await hasTrash()));
  });

  test('but not one too large for a sidecar, which stays, with one line in the log', async () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void lines.push(message) };
    await make('large.md', told + ' '.repeat(5 * 1024 * 1024));
    const moved = { from: file('large.md').toString(), to: file('larger.md').toString() };
    await new Sidecars(editorBeside(log), log).renamed([moved]);
    assert.ok(await exists(beside('large.md')));
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /large\.md\.render\.json” is too large to be read: more than 4194304 bytes/);
  });

  test('but another file with that name is kept, and nothing is overwritten', async () => {
    await make('theirs.md', '{ "of": "somebody else" }');
    await make('ours.md');
    await vscode.workspace.fs.writeFile(beside('taken.md'), Buffer.from('taken'));
    await rename(['theirs.md', 'theirs too.md'], ['ours.md', 'taken.md']);
    // Operations are processed in order, so the others have been too.
    await make('last.md');
    await rename(['last.md', 'very last.md']);
    await isThere(beside('very last.md'));
    assert.equal(await text(beside('theirs.md')), '{ "of": "somebody else" }');
    assert.equal(await text(beside('ours.md')), told);
    assert.equal(await text(beside('taken.md')), 'taken');
  });
});
