import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import manifest from '../../../package.json';
import { commands, oldSettingIds, settingIds, toolNames, views } from '../../../src/editor/ids';
import type { RenderOutcome } from '../../../src/features/rendering/renderCommand';
import { until } from '../until';

const modelId = 'paperlight/strata/strata-2';
const textModelId = 'quill-house/verse/haiku-1';
const item = { modelId, inputs: { prompt: 'a heron at dawn', size: 'small' }, file: 'docs/heron.png' };

async function set(id: string, value: unknown, section = 'modelCatalog'): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(id, value, vscode.ConfigurationTarget.Global);
}

/** The balance according to the sandbox. */
const balance = () => vscode.commands.executeCommand<number>(commands.refreshBalance);

/** The result of a tool call. */
async function call(name: string, input: object, token?: vscode.CancellationToken): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(`modelCatalog_${name}`, options, token);
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** How much the balance fell during the work, in cents. */
async function spentBy(work: () => Promise<unknown>): Promise<number> {
  const before = await balance();
  await work();
  return before - (await balance());
}

suite('the tools of agents', () => {
  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await vscode.commands.executeCommand(commands.useSandbox);
  });

  test('are registered as the manifest says, with schemas that take objects', () => {
    const names = toolNames.map((name) => `modelCatalog_${name}`);
    const tools = vscode.lm.tools.filter(({ name }) => name.startsWith('modelCatalog_'));
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...names].sort());
    for (const { inputSchema, name } of tools) {
      const contributed = manifest.contributes.languageModelTools.find((one) => one.name === name);
      assert.deepEqual(inputSchema, contributed!.inputSchema);
    }
  });

  test('list models, a model’s fields, prices, and missing images, and cost nothing', async () => {
    const spent = await spentBy(async () => {
      assert.match(await call('listModels', { search: 'strata', kind: 'image' }), new RegExp(`${modelId} · image`));
      assert.match(await call('listModels', { modelId }), /- prompt: .*required/);
      assert.match(await call('quote', { items: [item, item] }), /Sum: €0\.\d\d\. Balance: €/);
      assert.match(await call('findMissingImages', {}), /^Missing images: \d/);
    });
    assert.equal(spent, 0);
  });

  test('an editor that approves everything automatically spends nothing', async () => {
    const approve = async (isOn: boolean) => {
      // The editor asks for confirmation, except with this key for its own tests.
      await vscode.commands.executeCommand('setContext', 'vscode.chat.tools.global.autoApprove.testMode', isOn);
      await set('global.autoApprove', isOn || undefined, 'chat.tools');
    };
    try {
      for (const isOn of [false, true]) {
        await approve(isOn);
        let said = '';
        assert.equal(await spentBy(async () => (said = await call('render', { items: [item] }))), 0);
        assert.match(said, /^Not rendered, nothing charged: /);
      }
    } finally {
      await approve(false);
    }
  });

  test('an agent that accepts the list of its renders itself spends nothing', async () => {
    const items = ['crane', 'stork'].map((name) => ({ ...item, file: `docs/${name}.png`, inputs: { prompt: name } }));
    let said = '';
    const spent = await spentBy(async () => {
      const rendered = call('render', { items }).then((text) => (said = text));
      while (said === '')
        await Promise.race([rendered, vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem')]);
    });
    assert.match(said, /not rendered, nothing charged/i);
    assert.doesNotMatch(said, /declined/);
    assert.equal(spent, 0);
  });

  const bad: readonly (readonly [string, object, RegExp])[] = [
    ['an unknown model', { ...item, modelId: 'no/such/model' }, /^Not rendered, nothing charged: /],
    ['an unknown field', { ...item, inputs: { prompt: 'x', sise: 'small' } }, /unknown input “sise”\. Inputs: /],
    ['a path outside the workspace', { ...item, file: '../../outside.png' }, /isn’t in an open folder/],
    ['an absolute path elsewhere', { ...item, file: '/etc/hero.png' }, /isn’t in an open folder/],
    ['a name no system takes', { ...item, file: 'docs/a<b>.png' }, /isn’t a valid file name/],
    ['inputs of another type', { ...item, inputs: { prompt: { a: [1] }, size: 'small' } }, /^Not rendered, nothing/],
    ['inputs that are none', { ...item, inputs: 'a heron' }, /^Not rendered, nothing charged: /],
    [
      'a link in a name',
      { ...item, modelId: '[x](command:modelCatalog.sendPlanned)' },
      /^Not rendered, nothing charged/,
    ],
  ];
  for (const [name, wrong, words] of bad) {
    test(`${name} is a result in words and costs nothing`, async () => {
      let said = '';
      assert.equal(await spentBy(async () => (said = await call('render', { items: [wrong] }))), 0);
      assert.match(said, words);
      assert.doesNotMatch(said, /\]\(command:/);
    });
  }

  test('21 items, none, and an unknown property get a message as their result', async () => {
    assert.match(await call('render', { items: Array(21).fill(item) }), /At most 20 items/);
    assert.match(await call('render', { items: [] }), /^Not rendered, nothing charged: /);
    assert.match(await call('render', { items: [item], confirm: true }), /unknown confirm/);
    assert.match(await call('checkRenders', { ids: ['no such ID'] }), /^no such ID: no render of an agent has this ID/);
    assert.match(await call('checkRenders', { ids: [] }), /^Not checked: /);
  });

  test('a call that is canceled before anything was sent costs nothing', async () => {
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    const spent = await spentBy(() => call('render', { items: [item] }, source.token).catch(() => ''));
    assert.equal(spent, 0);
  });
});

suite('commands that aren’t called by a user', () => {
  /** They change the account in use or its balance, and spend nothing. */
  const ofAccount = new Set(['connect', 'setApiKey', 'disconnect', 'useSandbox', 'addPlayMoney', 'forgetProject']);
  let outcome: RenderOutcome | undefined;

  /** What is due in the project: an image that a render file asks for, and one that a document links to. */
  const files = {
    'walked/renders.jsonc': JSON.stringify({ model: modelId, renders: [{ file: 'a.png', inputs: item.inputs }] }),
    'walked/page.md': '![a heron at dusk](b.png)\n',
  };
  const at = (path: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, path);

  /** Selected text becomes the prompt of a box. */
  const select = () =>
    vscode.window.showTextDocument(at('walked/page.md'), { selection: new vscode.Range(0, 2, 0, 17) });

  suiteSetup(async () => {
    for (const [path, text] of Object.entries(files))
      await vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text));
    await select();
    await set(settingIds.notifications, 'never');
    outcome = await renderUnasked(modelId, item.inputs);
  });

  /** Renders without a question, though earlier tests may have just rendered so much that the editor would ask. */
  async function renderUnasked(modelId: string, inputs: object): Promise<RenderOutcome> {
    const { otherAllowance, confirmAfterTotal } = settingIds;
    const { confirmAfterRenders } = oldSettingIds;
    await set(otherAllowance, '100.00');
    for (const id of [confirmAfterRenders, confirmAfterTotal]) await set(id, 0);
    const rendered = await vscode.commands.executeCommand<RenderOutcome>(commands.render, { modelId, inputs });
    for (const id of [otherAllowance, confirmAfterRenders, confirmAfterTotal]) await set(id, undefined);
    return rendered;
  }

  suiteTeardown(async () => {
    await set(settingIds.notifications, undefined);
    // Some commands have hidden them.
    for (const view of Object.values(views)) await vscode.commands.executeCommand(`${view}.focus`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(at('walked'), { recursive: true });
  });

  /** The editor's commands that accept a row, a box, or the button of a notification. */
  let accepting: readonly string[];
  /** Those that change the text of a box. */
  const filling = ['type', 'paste', 'undo', 'redo', 'editor.action.clipboardPasteAction'];

  suiteSetup(async () => {
    const isAccepting =
      /accept.*(quick|primary)|quickInput\.(accept|toggleC)|quickPick.*toggle|^list\.(select|toggleE)/i;
    const all = await vscode.commands.getCommands(true);
    accepting = all.filter((id) => isAccepting.test(id) && !id.startsWith('modelCatalog.'));
    assert.ok(accepting.includes('workbench.action.acceptSelectedQuickOpenItem'), accepting.join());
  });

  /** Runs these commands in turn, again and again, until the calls have ended. */
  async function pressUntilEnded(keys: readonly string[], calls: Promise<unknown>): Promise<void> {
    let isOver = false;
    const ended = calls.then(() => (isOver = true));
    for (let next = 0; !isOver; next = (next + 1) % keys.length) {
      const pressed = vscode.commands.executeCommand(keys[next]!, { text: 'x' });
      await Promise.race([ended, Promise.allSettled([pressed])]);
    }
  }

  /** Accepts each list that the calls show. A call that waits for the user never ends, and no event tells. */
  async function acceptUntilEnded(calls: readonly Thenable<unknown>[]): Promise<void> {
    // Nobody reads a list of prices that fast, so sooner it takes no key.
    const late = new Promise((resolve) => setTimeout(resolve, 900));
    await pressUntilEnded(accepting, Promise.race([Promise.allSettled(calls), late]));
  }

  /** Those that have a price as they open. */
  const boxes = ['quickRender', 'renderAndInsert', 'renderSelection'] as const;
  for (const box of boxes)
    test(`spend nothing when one opens a box with the selected text, and others press Enter: ${box}`, async () => {
      await select();
      const spent = await spentBy(() =>
        pressUntilEnded(accepting, Promise.allSettled([vscode.commands.executeCommand(commands[box])])),
      );
      assert.equal(spent, 0);
    });

  for (const list of [
    ...boxes,
    'sendSelection',
    'editImage',
    'comparePrices',
    'renderMissing',
    'renderAllEntries',
    'manageAgents',
    'accountMenu',
  ] as const)
    test(`spend nothing and lift no limit when one opens a list, and others fill it in and press Enter: ${list}`, async () => {
      await select();
      const limits = () => JSON.stringify(vscode.workspace.getConfiguration('modelCatalog'));
      const before = limits();
      const image = vscode.Uri.parse(outcome!.file!);
      const opened = vscode.commands.executeCommand(commands[list], ...(list === 'editImage' ? [image] : []));
      const late = new Promise((resolve) => setTimeout(resolve, 3000));
      const ended = Promise.race([Promise.allSettled([opened]), late]);
      assert.equal(await spentBy(() => pressUntilEnded([...filling, ...accepting], ended)), 0);
      assert.equal(limits(), before);
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    });

  test('spend nothing when they name a row of the Generations view', async () => {
    const haiku = await renderUnasked(textModelId, { prompt: 'a heron' });
    const row = { $treeViewId: views.generations, $treeItemHandle: `1/today:${haiku.key}` };
    const onRow = async (command: string) =>
      vscode.commands.executeCommand('runCommands', { commands: [{ command, args: row }] });
    const opened = () => vscode.window.activeTextEditor?.document.uri.toString();
    await vscode.commands.executeCommand(`${views.generations}.focus`);
    // The editor knows the row by its handle once the view has read it.
    await until(async () => {
      await onRow(commands.openResult);
      return opened() === haiku.file;
    });
    // The question that it asks fails in tests, where the editor shows no dialogs.
    assert.equal(await spentBy(() => onRow(commands.renderAgain).catch(() => undefined)), 0);
  });

  test('spend nothing, whichever is called with whatever arguments', async () => {
    const { key, file } = outcome!;
    // Also those that only views and lenses call: whoever knows their names can.
    const registered = (await vscode.commands.getCommands(true)).filter((id) => id.startsWith('modelCatalog.'));
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    const missing = contributed.filter((id) => !registered.includes(id));
    assert.deepEqual(missing, []);
    const uri = vscode.Uri.parse(file!);
    const given = [
      key,
      { id: key },
      { id: key, group: 'notSent', entry: { id: key } },
      modelId,
      item,
      ...[uri, ...Object.keys(files).map(at)].flatMap((one) => [one, one.toString(), { uri: one }]),
    ];
    const spent = await spentBy(async () => {
      for (const command of registered) {
        if (ofAccount.has(command.replace('modelCatalog.', ''))) continue;
        const calls = given.map(async (argument) => {
          // The item is the argument, and also the selection.
          await vscode.commands.executeCommand(command, argument, [argument]);
        });
        await acceptUntilEnded(calls);
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      }
    });
    assert.equal(spent, 0);
  }).timeout(180_000);
});
