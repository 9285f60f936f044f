import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inEuros } from '../../../src/editor/carriedValue';
import { commands, oldSettingIds, settingIds, type SettingId } from '../../../src/editor/ids';
import type { RenderOutcome } from '../../../src/features/rendering/renderCommand';
import { removeFolder } from '../../removeFolder';

const image = { modelId: 'paperlight/strata/strata-2', inputs: { prompt: 'a heron at dawn', size: 'small' } };

const render = async (request: unknown) =>
  vscode.commands.executeCommand<RenderOutcome | undefined>(commands.render, request);
const balance = () => vscode.commands.executeCommand<number>(commands.refreshBalance);

async function set(id: SettingId, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('modelCatalog').update(id, value, vscode.ConfigurationTarget.Global);
}

/** Everything these tests have spent, in cents. */
let total = 0;

/** How much the balance fell during the work, in cents. */
async function spentBy(work: () => PromiseLike<unknown>): Promise<number> {
  const before = await balance();
  await work();
  const spent = before - (await balance());
  total += spent;
  return spent;
}

suite('the command for other extensions', () => {
  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
    await set(settingIds.notifications, 'never');
    // The pace limit is tested elsewhere, and other tests' renders in this window count.
    await set(oldSettingIds.confirmAfterRenders, 0);
    await set(settingIds.confirmAfterTotal, 0);
  });

  setup(() => set(settingIds.otherAllowance, '1000'));

  suiteTeardown(async () => {
    const { otherAllowance, limitPerDay, notifications, confirmAfterTotal } = settingIds;
    for (const id of [otherAllowance, limitPerDay, notifications, confirmAfterTotal, oldSettingIds.confirmAfterRenders])
      await set(id, undefined);
  });

  test('within the budget, it saves an image in the project and costs what it reports', async () => {
    let outcome: RenderOutcome | undefined;
    const spent = await spentBy(async () => (outcome = await render(image)));
    assert.equal(outcome?.status, 'succeeded');
    assert.equal(outcome.costCents, spent);
    const uri = vscode.Uri.parse(outcome.file!);
    assert.match(vscode.workspace.asRelativePath(uri), /^renders\/.*a-heron-at-dawn.*\.png$/);
    const bytes = await vscode.workspace.fs.readFile(uri);
    assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  });

  test('a file name with every illegal character becomes a safe one in the same folder', async () => {
    let outcome: RenderOutcome | undefined;
    const target = { folder: 'docs/images', fileName: 'a<b>:"|?*\u0007.' };
    await spentBy(async () => (outcome = await render({ ...image, target })));
    assert.match(vscode.workspace.asRelativePath(vscode.Uri.parse(outcome!.file!)), /^docs\/images\/a[-b]+\.png$/);
  });

  test('a folder that links out of the project is rejected before anything is charged', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    const link = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'linked');
    await symlink(outside, link);
    try {
      const target = { folder: 'linked/images' };
      const spent = await spentBy(() => assert.rejects(render({ ...image, target }), /inside the workspace folder/));
      assert.equal(spent, 0);
      assert.deepEqual(await readdir(outside), []);
    } finally {
      await rm(link);
      await removeFolder(outside);
    }
  });

  test('a text model returns its text, which is also a file', async () => {
    let outcome: RenderOutcome | undefined;
    const haiku = { modelId: 'quill-house/verse/haiku-1', inputs: { prompt: 'frost' } };
    await spentBy(async () => (outcome = await render(haiku)));
    const file = await vscode.workspace.fs.readFile(vscode.Uri.parse(outcome!.file!));
    assert.equal(Buffer.from(file).toString(), outcome!.text);
  });

  test('without a budget, nothing is spent unless a user confirms', async () => {
    await set(settingIds.otherAllowance, undefined);
    // The editor under test shows no questions, so nobody can confirm.
    const spent = await spentBy(() => assert.rejects(render(image)));
    assert.equal(spent, 0);
  });

  test('many calls at the same time can’t exceed a limit together', async () => {
    const price = await spentBy(() => render(image));
    await set(settingIds.limitPerDay, inEuros(total + 2 * price));
    const spent = await spentBy(() => Promise.allSettled(Array.from({ length: 5 }, () => render(image))));
    await set(settingIds.limitPerDay, undefined);
    assert.equal(spent, 2 * price);
  });

  test('a daily limit that is used up stops a render before anything is sent', async () => {
    await set(settingIds.limitPerDay, '0');
    const spent = await spentBy(() => assert.rejects(render(image), { code: 'overLimit' }));
    await set(settingIds.limitPerDay, undefined);
    assert.equal(spent, 0);
  });

  for (const folder of ['../outside', '/etc', '.git', 'C:\\x', '~/x'])
    test(`a folder such as ${folder} is rejected before anything is spent`, async () => {
      const spent = await spentBy(() =>
        assert.rejects(render({ ...image, target: { folder } }), { code: 'notPossible' }),
      );
      assert.equal(spent, 0);
    });

  const whole = { code: 'invalidRequest' };
  const refused: Readonly<Record<string, readonly [unknown, object]>> = {
    nothing: [undefined, whole],
    'a text': ['x', whole],
    'an empty object': [{}, whole],
    'a render without its inputs': [{ modelId: image.modelId }, whole],
    'a model that is not there': [{ modelId: 'no/such/model', inputs: {} }, { code: 'invalidInput' }],
    'a path that leads to no image': [
      { modelId: 'second-hand/reprint/riso-1', inputs: { image: 'photos/halves.png' } },
      {
        code: 'invalidInput',
        message: '“photos/halves.png” doesn’t exist.',
        fields: [{ field: 'image', message: '“photos/halves.png” doesn’t exist.' }],
      },
    ],
    'a path outside the open folders': [
      { modelId: 'second-hand/reprint/riso-1', inputs: { image: '/etc/hostname' } },
      { code: 'invalidInput', message: '“/etc/hostname” isn’t in an open folder.' },
    ],
    'a path in an input that takes no image': [
      { ...image, inputs: { ...image.inputs, palette: './a.png' } },
      { code: 'invalidInput' },
    ],
    'a render without its prompt': [{ ...image, inputs: {} }, { code: 'invalidInput' }],
  };
  for (const [name, [request, error]] of Object.entries(refused))
    test(`${name} is rejected with a message and costs nothing`, async () => {
      const spent = await spentBy(() => assert.rejects(render(request), error));
      assert.equal(spent, 0);
    });
});
