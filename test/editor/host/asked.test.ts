import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commands, settingIds, type SettingId } from '../../../src/host/ids';
import type { RenderOutcome } from '../../../src/host/renders/renderCommand';
import { canaryKey as key } from '../../canary';
import { startScriptedService, type ScriptedService } from './scriptedService';

const models = JSON.stringify({
  models: [{ id: 'a/b/c', name: 'C', type: 'text', fields: { prompt: { type: 'string', required: true } } }],
});

const render = (prompt: string) =>
  vscode.commands.executeCommand<RenderOutcome | undefined>(commands.render, { modelId: 'a/b/c', inputs: { prompt } });

async function set(id: SettingId, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('modelCatalog').update(id, value, vscode.ConfigurationTarget.Global);
}

/** Writes the project's own settings file; resolves when the editor has read it, which it shows by this `lowBalance`. */
async function setInProject(settings: Readonly<Record<string, unknown>> & { 'modelCatalog.lowBalance': number }) {
  const [folder] = vscode.workspace.workspaceFolders!;
  const file = vscode.Uri.joinPath(folder!.uri, '.vscode', 'settings.json');
  const isRead = () =>
    vscode.workspace.getConfiguration().get('modelCatalog.lowBalance') === settings['modelCatalog.lowBalance'];
  const read = new Promise<void>((resolve) => {
    const listening = vscode.workspace.onDidChangeConfiguration(() => {
      if (!isRead()) return;
      listening.dispose();
      resolve();
    });
  });
  await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(settings)));
  await read;
}

interface Dialog {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

/** The editor's API as the extension has it: each extension has its own. */
function editorOfTheExtension(): { readonly window: Record<'showWarningMessage' | 'showErrorMessage', unknown> } {
  const { extensionPath } = vscode.extensions.getExtension('model-catalog.model-catalog')!;
  return createRequire(join(extensionPath, 'package.json'))('vscode') as ReturnType<typeof editorOfTheExtension>;
}

/** Stands in for the editor's modal dialogs, which it refuses to show while it runs tests. */
class Dialogs {
  readonly shown: Dialog[] = [];
  /** True is a click on the button. */
  answer: (dialog: Dialog) => boolean = () => true;
  private readonly window = editorOfTheExtension().window;
  private readonly own = this.window.showWarningMessage;

  constructor() {
    this.window.showWarningMessage = (question: string, options: vscode.MessageOptions, button: string) => {
      assert.equal(options.modal, true);
      const dialog = { question, detail: options.detail ?? '', button };
      this.shown.push(dialog);
      return Promise.resolve(this.answer(dialog) ? button : undefined);
    };
  }

  restore(): void {
    this.window.showWarningMessage = this.own;
  }
}

/** Takes the error notifications of the extension, until they are restored. */
function errorsOfTheExtension() {
  const { window } = editorOfTheExtension();
  const own = window.showErrorMessage;
  const shown: string[][] = [];
  window.showErrorMessage = (...words: string[]) => (shown.push(words), Promise.resolve(undefined));
  return { shown, restore: () => void (window.showErrorMessage = own) };
}

suite('asked before it is spent', () => {
  let service: ScriptedService;
  let dialogs: Dialogs;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await set(settingIds.notifications, 'never');
  });

  setup(async () => {
    service = await startScriptedService({ key, balanceCents: 10_000, models, priceCents: 7 });
    dialogs = new Dialogs();
    assert.equal(await vscode.commands.executeCommand(commands.connect, service.base, key), undefined);
  });

  teardown(async () => {
    dialogs.restore();
    await vscode.commands.executeCommand(commands.useSandbox);
    await service.stop();
  });

  suiteTeardown(async () => {
    for (const id of [
      settingIds.notifications,
      settingIds.unattendedBudget,
      settingIds.askAfterRenders,
      settingIds.budgetPerProject,
    ])
      await set(id, undefined);
  });

  const spent = () => 10_000 - service.script.balanceCents;
  const hundred = () => Promise.all(Array.from({ length: 100 }, (_, index) => render(`picture ${index}`)));

  test('a hundred calls of another extension are one question with their number and sum, and a yes pays each once', async () => {
    const outcomes = await hundred();
    assert.equal(dialogs.shown.length, 1);
    const [{ question, detail, button }] = dialogs.shown as [Dialog];
    assert.equal(question, 'Render 100 times for €7.00 in all?');
    assert.equal(button, 'Render for €7.00');
    assert.match(
      detail,
      /^Another extension, a task, a keybinding or an agent asks for this\.\nModels: a\/b\/c\n.*€93\.00$/,
    );
    assert.equal(spent(), 700);
    assert.equal(outcomes.filter((outcome) => outcome?.costCents === 7 && outcome.text === 'Done.').length, 100);
    assert.equal(new Set(outcomes.map((outcome) => outcome?.generationId)).size, 100);
  });

  test('a no to a hundred calls is one no, and costs nothing', async () => {
    dialogs.answer = () => false;
    assert.deepEqual(new Set(await hundred()), new Set([undefined]));
    assert.equal(dialogs.shown.length, 1);
    assert.equal(spent(), 0);
  });

  test('a price that rises while the question stands is a new question', async () => {
    dialogs.answer = ({ button }) => {
      service.script.priceCents = 9;
      return button !== 'Render for €0.09';
    };
    assert.equal(await render('a kite'), undefined);
    assert.deepEqual(
      dialogs.shown.map(({ question }) => question),
      ['Render with a/b/c for €0.07?', 'Render with a/b/c for €0.09?'],
    );
    assert.equal(spent(), 0);
  });

  test('what the budget of the window covers is not asked about, the rest is, and only once', async () => {
    await set(settingIds.unattendedBudget, 70);
    await set(settingIds.askAfterRenders, 0);
    dialogs.answer = () => false;
    await hundred();
    assert.deepEqual(
      dialogs.shown.map(({ question }) => question),
      ['Render 90 times for €6.30 in all?'],
    );
    assert.equal(spent(), 70);
  });

  const tooShort = {
    status: 400,
    json: { code: 'INVALID', message: 'Invalid', details: [{ field: 'prompt', message: 'is too short' }] },
  };

  test('a caller whose order is refused is told which field, and that it ended so', async () => {
    service.script.refuse = (method, path) => (`${method} ${path}` === 'POST /generations' ? tooShort : undefined);
    const outcome = await render('a kite');
    assert.equal(outcome?.status, 'refused');
    assert.deepEqual(outcome.fields, [{ field: 'prompt', message: 'is too short' }]);
    assert.match(outcome.problem ?? '', /prompt: is too short/);
    assert.equal(spent(), 0);
  });

  test('inputs the service does not even price name their field to the person, with a way to it', async () => {
    service.script.refuse = (_, path) => (path === '/quote' ? tooShort : undefined);
    const told = errorsOfTheExtension();
    try {
      assert.equal(await render('a kite'), undefined);
      const [[sentence, button] = []] = told.shown;
      assert.match(sentence ?? '', /prompt: is too short/);
      assert.equal(button, 'Show Field');
      assert.deepEqual(dialogs.shown, []);
    } finally {
      told.restore();
    }
  });

  const attack = {
    baseUrl: 'https://attacker.example',
    confirmAbove: 100_000,
    unattendedBudget: 100_000,
    'askAfter.renders': 0,
    'askAfter.cents': 0,
  };
  const writings = {
    dotted: Object.fromEntries(Object.entries(attack).map(([id, value]) => [`modelCatalog.${id}`, value])),
    nested: { modelCatalog: { ...attack, askAfter: { renders: 0, cents: 0 } } },
  };
  for (const [index, [writing, settings]] of Object.entries(writings).entries())
    test(`settings of the project, ${writing}, move neither the address nor what is asked`, async () => {
      await set(settingIds.unattendedBudget, undefined);
      await setInProject({ ...settings, 'modelCatalog.lowBalance': 1001 + index });
      dialogs.answer = () => false;
      assert.equal(await render('a kite'), undefined);
      assert.deepEqual(
        dialogs.shown.map(({ question }) => question),
        ['Render with a/b/c for €0.07?'],
      );
      assert.equal(spent(), 0);
      assert.equal(await vscode.commands.executeCommand(commands.refreshBalance), 10_000);
    });

  test('settings of the project can lower a limit of the person, not raise it, and lead no result outside', async () => {
    await set(settingIds.unattendedBudget, 100_000);
    await set(settingIds.budgetPerProject, 0);
    await setInProject({ 'modelCatalog.budget.perProject': 1_000_000, 'modelCatalog.lowBalance': 1003 });
    assert.equal(await render('raised'), undefined);
    await set(settingIds.budgetPerProject, undefined);
    await setInProject({ 'modelCatalog.output.folder': '../outside', 'modelCatalog.lowBalance': 1004 });
    assert.equal(await render('outside'), undefined);
    await setInProject({ 'modelCatalog.lowBalance': 1005 });
    assert.equal(spent(), 0);
  });

  test('within the largest budget the twenty-first render in a minute asks whether to go on', async () => {
    dialogs.answer = () => true;
    await set(settingIds.unattendedBudget, undefined);
    await render('counts anew after this yes');
    await set(settingIds.askAfterRenders, undefined);
    await set(settingIds.unattendedBudget, 100_000);
    dialogs.answer = () => false;
    await Promise.all(Array.from({ length: 30 }, () => render('a kite')));
    assert.deepEqual(
      dialogs.shown.slice(1).map(({ question, button }) => [question, button]),
      [['Go on rendering? With this: 30 renders for €2.10 since you last said yes.', 'Render for €0.70']],
    );
    assert.equal(spent(), 7 + 20 * 7);
  });
});
