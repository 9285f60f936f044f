import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commands, oldSettingIds, settingIds, type SettingId } from '../../../src/editor/ids';
import type { RenderOutcome } from '../../../src/features/rendering/renderCommand';
import { canaryKey as key } from '../../canary';
import { until } from '../until';
import { startScriptedService, type Script, type ScriptedService } from './scriptedService';

const models = JSON.stringify({
  models: [{ id: 'a/b/c', name: 'C', type: 'text', fields: { prompt: { type: 'string', required: true } } }],
});

const render = (prompt: string) =>
  vscode.commands.executeCommand<RenderOutcome | undefined>(commands.render, { modelId: 'a/b/c', inputs: { prompt } });

async function set(id: SettingId, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('modelCatalog').update(id, value, vscode.ConfigurationTarget.Global);
}

/** Writes the project's settings file; resolves when the editor has read it, as this `editor.fontSize` shows. */
async function setInProject(settings: Readonly<Record<string, unknown>> & { 'editor.fontSize': number }) {
  const [folder] = vscode.workspace.workspaceFolders!;
  const file = vscode.Uri.joinPath(folder!.uri, '.vscode', 'settings.json');
  const isRead = () => vscode.workspace.getConfiguration().get('editor.fontSize') === settings['editor.fontSize'];
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

/** The documented properties of a rejection: see the help page `api.md`. */
interface Rejection extends Error {
  readonly code: string;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  readonly key?: string;
}

const readMs = 600;

interface Dialog {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

/** The extension's instance of the editor's API: each extension has its own. */
function editorOfTheExtension(): {
  readonly window: Record<'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage', unknown>;
} {
  const { extensionPath } = vscode.extensions.getExtension('model-catalog.model-catalog')!;
  return createRequire(join(extensionPath, 'package.json'))('vscode') as ReturnType<typeof editorOfTheExtension>;
}

/** Replaces the editor's modal dialogs, which it doesn't show during tests. */
class Dialogs {
  readonly shown: Dialog[] = [];
  /** Messages without a question. */
  readonly told: string[] = [];
  /** True clicks the button. */
  answer: (dialog: Dialog) => boolean = () => true;
  wasDeclined = false;
  /** How many questions get their yes before anybody can have read them. */
  early = 0;
  private readonly window = editorOfTheExtension().window;
  private readonly own = { ...this.window };

  constructor() {
    const ask = (question: string, options: vscode.MessageOptions | string = '', button = '') => {
      if (typeof options === 'string') {
        this.told.push(question);
        return Promise.resolve(undefined);
      }
      assert.equal(options.modal, true);
      const dialog = { question, detail: options.detail ?? '', button };
      this.shown.push(dialog);
      this.wasDeclined = !this.answer(dialog);
      if (this.wasDeclined) return Promise.resolve(undefined);
      if (this.shown.length <= this.early) return Promise.resolve(button);
      // Sooner than somebody could read it, a question takes no yes.
      return new Promise((resolve) => setTimeout(resolve, readMs, button));
    };
    this.window.showInformationMessage = ask;
    this.window.showWarningMessage = ask;
  }

  restore(): void {
    this.window.showInformationMessage = this.own.showInformationMessage;
    this.window.showWarningMessage = this.own.showWarningMessage;
  }
}

/** Captures the extension's error notifications until restored. */
function errorsOfTheExtension() {
  const { window } = editorOfTheExtension();
  const own = window.showErrorMessage;
  const shown: string[][] = [];
  window.showErrorMessage = (...words: string[]) => (shown.push(words), Promise.resolve(undefined));
  return { shown, restore: () => void (window.showErrorMessage = own) };
}

suite('asking before spending', () => {
  let service: ScriptedService;
  let dialogs: Dialogs;

  suiteSetup(async () => {
    await vscode.extensions.getExtension('model-catalog.model-catalog')!.activate();
    await set(settingIds.notifications, 'never');
  });

  const serve = async (more: Partial<Script> = {}) => {
    service = await startScriptedService({ key, balanceCents: 10_000, models, priceCents: 7, ...more });
    assert.equal(await vscode.commands.executeCommand(commands.connect, service.base, key), undefined);
  };

  /** Connects a service that has never stated a time: one response with a Date would do. */
  const serveWithoutTime = async () => {
    await service.stop();
    await serve({ silent: true });
  };

  setup(async () => {
    dialogs = new Dialogs();
    await serve();
  });

  teardown(async () => {
    // After two noes in a row, nothing could be asked for a minute.
    if (dialogs.wasDeclined) {
      dialogs.answer = () => true;
      await render('a yes in between');
    }
    dialogs.restore();
    await vscode.commands.executeCommand(commands.useSandbox);
    await service.stop();
  });

  suiteTeardown(async () => {
    for (const id of [
      settingIds.notifications,
      settingIds.otherAllowance,
      settingIds.limitPerProject,
      oldSettingIds.unattendedBudget,
      oldSettingIds.confirmAfterRenders,
      oldSettingIds.budgetPerProject,
    ])
      await set(id, undefined);
  });

  const spent = () => 10_000 - service.script.balanceCents;
  const hundred = () => Promise.all(Array.from({ length: 100 }, (_, index) => render(`picture ${index}`)));

  test('a hundred calls from another extension are one question with their number and total, and confirming pays for each once', async () => {
    const outcomes = await hundred();
    assert.equal(dialogs.shown.length, 1);
    const [{ question, detail, button }] = dialogs.shown as [Dialog];
    assert.equal(question, 'Start 100 renders for €7.00 in total?');
    assert.equal(button, 'Render for €7.00');
    assert.match(
      detail,
      /^(?:€0\.07 · .* · picture \d+\n){20}More renders: 80\nModels: a\/b\/c\n.*€93\.00\nIf you didn’t ask for this, it was an extension or agent\.$/,
    );
    assert.equal(spent(), 700);
    assert.equal(outcomes.filter((outcome) => outcome?.costCents === 7 && outcome.text === 'Done.').length, 100);
    assert.equal(new Set(outcomes.map((outcome) => outcome?.generationId)).size, 100);
  });

  test('a question about somebody else’s render has its whole prompt, how much can’t be seen, and the URLs in it', async () => {
    dialogs.answer = () => false;
    const hidden = Array.from('pay', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const inputs = { prompt: `${'word '.repeat(300)}end${hidden}`, start: 'https://files.example/a.png?key=1' };
    const data = { more: [`data:image/png;base64,${Buffer.from('\x89PNG').toString('base64')}`] };
    await vscode.commands.executeCommand(commands.render, { modelId: 'a/b/c', inputs: { ...inputs, data } });
    const [{ detail }] = dialogs.shown as [Dialog];
    assert.ok(detail.includes(`Prompt: ${'word '.repeat(300)}end\n3 characters can’t be seen.\n`), detail);
    assert.ok(detail.includes('Also sent: start (https://files.example/a.png?key=1), data (PNG)'), detail);
    dialogs.answer = () => true;
    await render('x'.repeat(2500));
    assert.match(dialogs.shown[1]!.detail, /Prompt: x+…\nMore characters that aren’t shown: 500\n/);
  });

  test('an image is never taken by its hash from elsewhere, whoever knows it', async () => {
    const kept = { file: 'a.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 3 };
    const request = { modelId: 'a/b/c', inputs: { prompt: 'a kite', more: [kept] } };
    const asking = Promise.resolve(vscode.commands.executeCommand(commands.render, request));
    await assert.rejects(asking, (error: Rejection) => error.code === 'invalidRequest');
    assert.equal(dialogs.shown.length, 0);
    assert.equal(spent(), 0);
  });

  test('a yes that comes before anybody can have read the question isn’t one: it’s asked again, and costs nothing', async () => {
    dialogs.early = 2;
    dialogs.answer = () => dialogs.shown.length < 3;
    assert.equal(await render('a kite'), undefined);
    assert.equal(dialogs.shown.length, 3);
    assert.equal(spent(), 0);
  });

  test('declining a hundred calls takes one answer, and costs nothing', async () => {
    dialogs.answer = () => false;
    assert.deepEqual(new Set(await hundred()), new Set([undefined]));
    assert.equal(dialogs.shown.length, 1);
    assert.equal(spent(), 0);
  });

  test('a price that rises while the question is open is a new question', async () => {
    dialogs.answer = ({ button }) => {
      service.script.priceCents = 9;
      return button !== 'Render for €0.09';
    };
    assert.equal(await render('a kite'), undefined);
    assert.deepEqual(
      dialogs.shown.map(({ question }) => question),
      ['Render with a/b/c for €0.07?', 'Render with a/b/c for €0.09?'],
    );
    assert.match(dialogs.shown[1]!.detail, /^The price rose from €0\.07 to €0\.09\./);
    assert.equal(spent(), 0);
  });

  test('what the window’s budget covers isn’t asked about, and the rest is, only once', async () => {
    await set(settingIds.otherAllowance, '0,70');
    await set(oldSettingIds.confirmAfterRenders, 0);
    dialogs.answer = () => false;
    await hundred();
    assert.deepEqual(
      dialogs.shown.map(({ question }) => question),
      ['Start 90 renders for €6.30 in total?'],
    );
    assert.equal(spent(), 70);
  });

  const tooShort = {
    status: 400,
    json: { code: 'INVALID', message: 'Invalid', details: [{ field: 'prompt', message: 'is too short' }] },
  };

  /** The command's rejection; the editor must not have shown anything by then. */
  async function rejection(call: PromiseLike<unknown>): Promise<Rejection> {
    const told = errorsOfTheExtension();
    try {
      await call;
    } catch (error) {
      assert.deepEqual(told.shown, []);
      assert.ok(error instanceof Error);
      return error as Rejection;
    } finally {
      told.restore();
    }
    throw new Error('It resolved');
  }
  const fieldsOf = ({ code, fields }: Rejection) => [code, fields];
  const tooShortFields = [{ field: 'prompt', message: 'is too short' }];

  test('a caller whose inputs are rejected learns which field, and the user sees nothing', async () => {
    await set(settingIds.notifications, undefined);
    service.script.refuse = (method, path) => (`${method} ${path}` === 'POST /generations' ? tooShort : undefined);
    const error = await rejection(render('a kite'));
    await set(settingIds.notifications, 'never');
    assert.deepEqual(fieldsOf(error), ['invalidInput', tooShortFields]);
    assert.match(error.message, /prompt: is too short/);
    assert.match(error.key ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(dialogs.shown.length, 1, 'only the price was asked about');
    assert.deepEqual(dialogs.told, []);
    assert.equal(spent(), 0);
  });

  test('a path in an input that takes no files is reported to the caller before a price is asked', async () => {
    service.script.details = [{ id: 'a/b/layers', name: 'Layers', type: 'text', fields: { extras: 'object' } }];
    const inputs = { extras: { parts: ['black/white', 'images/kite.png'] } };
    const error = await rejection(vscode.commands.executeCommand(commands.render, { modelId: 'a/b/layers', inputs }));
    const message =
      'Enter a URL that starts with https:// instead of the path “images/kite.png”. This input takes no files.';
    assert.deepEqual(fieldsOf(error), ['invalidInput', [{ field: 'extras', message }]]);
    assert.ok(!service.asked.includes('POST /quote'), 'no price was asked');
    assert.deepEqual(dialogs.shown, []);
  });

  test('inputs that the service can’t price are reported to the caller, not to the user', async () => {
    service.script.refuse = (_, path) => (path === '/quote' ? tooShort : undefined);
    assert.deepEqual(fieldsOf(await rejection(render('a kite'))), ['invalidInput', tooShortFields]);
    assert.deepEqual(dialogs.shown, []);
  });

  test('a rejection that isn’t about the inputs is a result', async () => {
    const short = { status: 402, json: { code: 'LOW', message: 'Too little' } };
    service.script.refuse = (method, path) => (`${method} ${path}` === 'POST /generations' ? short : undefined);
    await set(settingIds.notifications, undefined);
    assert.equal((await render('a kite'))?.status, 'refused');
    await until(() => Promise.resolve(dialogs.told.length === 1));
    await set(settingIds.notifications, 'never');
    assert.equal(spent(), 0);
  });

  test('changes by the caller after the call are neither priced nor sent', async () => {
    service.script.priceCents = (_, { prompt }) => (prompt === 'a kite' ? 7 : 500);
    const request = { modelId: 'a/b/c', inputs: { prompt: 'a kite' } };
    const call = vscode.commands.executeCommand<RenderOutcome>(commands.render, request);
    request.inputs.prompt = 'a thousand kites';
    request.modelId = 'x/y/z';
    assert.equal((await call).costCents, 7);
    assert.equal(dialogs.shown[0]?.question, 'Render with a/b/c for €0.07?');
    assert.equal(spent(), 7);
  });

  test('inputs that change each time they’re read are read once', async () => {
    service.script.priceCents = (_, { prompt }) => (prompt === 'a kite' ? 7 : 500);
    let reads = 0;
    const inputs = {
      get prompt() {
        return (reads += 1) === 1 ? 'a kite' : 'a thousand kites';
      },
    };
    const outcome = await vscode.commands.executeCommand<RenderOutcome>(commands.render, { modelId: 'a/b/c', inputs });
    assert.equal(outcome.costCents, 7);
    assert.equal(spent(), 7);
  });

  test('inputs that JSON can’t represent are reported by field, and nothing is asked', async () => {
    const call = (inputs: object) =>
      rejection(vscode.commands.executeCommand(commands.render, { modelId: 'a/b/c', inputs }));
    for (const value of [7n, NaN, () => 1, new Date()]) {
      const { code, fields } = await call({ prompt: 'a kite', seed: value });
      assert.deepEqual([code, fields.map(({ field }) => field)], ['invalidInput', ['seed']]);
    }
    assert.deepEqual(dialogs.shown, []);
    assert.equal(service.asked.includes('POST /quote'), false);
  });

  test('if a service states no time, the caller gets the result, not a render that waits', async () => {
    await serveWithoutTime();
    service.script.outcome = { status: 'queued' };
    let ended = false;
    const call = render('a kite').then((outcome) => ((ended = true), outcome));
    await until(() => Promise.resolve(spent() === 7));
    assert.equal(ended, false);
    service.script.outcome = { status: 'succeeded', textOutput: 'Done.' };
    service.finish();
    const outcome = await call;
    assert.deepEqual([outcome?.status, outcome?.costCents, outcome?.text], ['succeeded', 7, 'Done.']);
    assert.equal(spent(), 7);
  });

  test('a render that can’t be sent is withdrawn, so that starting it again is charged once', async () => {
    const refuse = (method: string, path: string) => (`${method} ${path}` === 'GET /me' ? down : undefined);
    const down = { status: 0, json: {} };
    await serveWithoutTime();
    service.script.refuse = refuse;
    const error = await rejection(render('a kite'));
    assert.equal(error.code, 'notSent');
    service.script.refuse = undefined;
    assert.equal((await render('a kite'))?.status, 'succeeded');
    assert.equal(spent(), 7);
    assert.equal(service.asked.filter((request) => request === 'POST /generations').length, 1);
  });

  const attack = {
    serviceUrl: 'https://attacker.example',
    'confirm.above': '1000',
    'confirm.afterTotal': '0',
    'allowance.agents': '1000',
    'allowance.others': '1000',
    baseUrl: 'https://attacker.example',
    confirmAbove: 100_000,
    unattendedBudget: 100_000,
    'confirmAfter.renders': 0,
    'confirmAfter.cents': 0,
  };
  const writings = {
    dotted: Object.fromEntries(Object.entries(attack).map(([id, value]) => [`modelCatalog.${id}`, value])),
    nested: {
      modelCatalog: {
        ...attack,
        confirm: { above: '1000', afterTotal: '0' },
        allowance: { agents: '1000', others: '1000' },
        confirmAfter: { renders: 0, cents: 0 },
      },
    },
  };
  for (const [index, [writing, settings]] of Object.entries(writings).entries())
    test(`project settings, ${writing}, change neither the URL nor what is asked`, async () => {
      await set(settingIds.otherAllowance, undefined);
      await setInProject({ ...settings, 'editor.fontSize': 11 + index });
      dialogs.answer = () => false;
      assert.equal(await render('a kite'), undefined);
      assert.deepEqual(
        dialogs.shown.map(({ question }) => question),
        ['Render with a/b/c for €0.07?'],
      );
      assert.equal(spent(), 0);
      assert.equal(await vscode.commands.executeCommand(commands.refreshBalance), 10_000);
    });

  test('project settings can lower a user’s limit, but not raise it, and can’t move results outside', async () => {
    await set(settingIds.otherAllowance, '1000');
    for (const limit of [oldSettingIds.budgetPerProject, settingIds.limitPerProject]) {
      await set(limit, 0);
      await setInProject({ 'modelCatalog.budget.perProject': 1_000_000, 'editor.fontSize': 13 });
      assert.equal((await rejection(render('raised'))).code, 'overLimit');
      await setInProject({ 'modelCatalog.limit.perProject': '10000', 'editor.fontSize': 16 });
      assert.equal((await rejection(render('raised'))).code, 'overLimit');
      await set(limit, undefined);
    }
    for (const limit of [{ 'modelCatalog.budget.perProject': 0 }, { 'modelCatalog.limit.perProject': '0,00' }]) {
      await setInProject({ ...limit, 'editor.fontSize': 17 + Object.keys(limit)[0]!.length });
      assert.equal((await rejection(render('lowered'))).code, 'overLimit');
    }
    await setInProject({ 'modelCatalog.output.folder': '../outside', 'editor.fontSize': 14 });
    assert.equal((await rejection(render('outside'))).code, 'notPossible');
    await setInProject({ 'editor.fontSize': 15 });
    assert.equal(spent(), 0);
  });

  test('even within the largest budget, the twenty-first render in a minute asks whether to continue', async () => {
    dialogs.answer = () => true;
    await set(settingIds.otherAllowance, undefined);
    await render('counts anew after this yes');
    await set(oldSettingIds.confirmAfterRenders, undefined);
    await set(oldSettingIds.unattendedBudget, 100_000);
    dialogs.answer = () => false;
    await Promise.all(Array.from({ length: 30 }, () => render('a kite')));
    assert.deepEqual(
      dialogs.shown.slice(1).map(({ question, button }) => [question, button]),
      [['Continue? With this, you’ll have started 30 renders for €2.10 since you last confirmed.', 'Render for €0.70']],
    );
    assert.equal(spent(), 7 + 20 * 7);
  });
});
