import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import { ApiKeys } from '../../../src/features/account/model/apiKey';
import { settingIds } from '../../../src/editor/ids';
import { Ledger } from '../../../src/renders/ledger';
import { ledgerName } from '../../../src/renders/ledgerError';
import type { RenderRecord } from '../../../src/renders/record';
import { removeFolder } from '../../removeFolder';
import { canaryKey as key } from '../../canary';
import { Keyring } from './keyring';
import { OwnWindow } from './ownWindow';
import { startScriptedService, type ScriptedService } from './scriptedService';
import { planOne } from '../../planOne';

const models = JSON.stringify({ models: [{ id: 'a/b/c', name: 'C', type: 'text', fields: { prompt: 'text' } }] });
const hour = 3_600_000;

async function set(id: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('modelCatalog').update(id, value, vscode.ConfigurationTarget.Global);
}

suite('a render that waits to be sent, or has ended', () => {
  let folder: string;
  let service: ScriptedService;
  let window: OwnWindow;
  let keyring: Keyring;
  /** As another window opens it. */
  let ledger: Ledger;
  /** The questions asked, and whether they're answered with the first button, or with the one of this name. */
  let questions: { readonly question: string; readonly detail: string }[];
  let yes: boolean | string;
  const dialogs = vscode.window as { showInformationMessage: unknown; showWarningMessage: unknown };
  const own = { information: dialogs.showInformationMessage, warning: dialogs.showWarningMessage };

  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'planned-'));
    service = await startScriptedService({ key, balanceCents: 1000, models, priceCents: 7 });
    keyring = new Keyring();
    await new ApiKeys(keyring, systemClock).store(service.base, key);
    await set(settingIds.serviceUrl, service.base);
    window = await OwnWindow.open(keyring, folder);
    ledger = await Ledger.open(join(folder, ledgerName));
    questions = [];
    const ask = (question: string, { modal, detail = '' }: vscode.MessageOptions = {}, first = '') => {
      if (!modal) return Promise.resolve(undefined);
      questions.push({ question, detail });
      if (!yes) return Promise.resolve(undefined);
      // Sooner than somebody could read it, a question of others takes no yes.
      return new Promise((resolve) => setTimeout(resolve, 600, yes === true ? first : yes));
    };
    dialogs.showInformationMessage = ask;
    dialogs.showWarningMessage = ask;
  });

  teardown(async () => {
    dialogs.showInformationMessage = own.information;
    dialogs.showWarningMessage = own.warning;
    window.dispose();
    ledger.close();
    await service.stop();
    await set(settingIds.serviceUrl, undefined);
    await removeFolder(folder);
  });

  /** Started two days ago in a window that has closed. */
  function plan(prompt = 'a kite', shownCents = 7): RenderRecord {
    const inputs = { prompt };
    const decision = {
      key: crypto.randomUUID(),
      place: service.base,
      account: window.session.client!.account,
      modelId: 'a/b/c',
      inputs,
      body: new TextEncoder().encode(JSON.stringify({ modelId: 'a/b/c', inputs })),
      shownCents,
      target: { root: vscode.workspace.workspaceFolders![0]!.uri.toString(), folder: 'planned', fileName: '${slug}' },
      by: 'person' as const,
      plannedAt: Date.now() - 48 * hour,
    };
    return ledger.change(planOne(ledger, decision, 'a window that is gone'), { due: undefined })!;
  }

  const posts = () => service.asked.filter((request) => request === 'POST /generations').length;
  const stateOf = (record: RenderRecord) => ledger.get(record.key)?.state;

  test('asks for confirmation when its ID comes from elsewhere, and declining sends nothing', async () => {
    const record = plan();
    yes = false;
    for (const argument of [record.key, { id: record.key }]) await window.call('sendPlanned', argument);
    assert.deepEqual(
      questions.map(({ question }) => question),
      ['Render with a/b/c for €0.07?', 'Render with a/b/c for €0.07?'],
    );
    assert.match(questions[0]!.detail, /If you didn’t ask for this, it was an extension or agent\.$/);
    assert.equal(posts(), 0);
    assert.equal(stateOf(record), 'planned');
  });

  test('counts as not charged after a click in our views, and after a call from elsewhere only once confirmed', async () => {
    const { key } = plan();
    ledger.advance(key, () => ({ state: 'unknown', attempt: 1, unanswered: 1, problem: { code: 'tooOld' } }));
    const isSettled = () => ledger.get(key)?.settled?.charged;
    yes = false;
    for (const action of ['markNotCharged', 'markCharged'] as const) await window.call(action, key);
    assert.deepEqual(
      [isSettled(), questions.map(({ question }) => question)],
      [undefined, ['“Mark as Not Charged” for this render?', '“Mark as Charged” for this render?']],
    );
    assert.match(questions[0]!.detail, /^a kite\nIf you didn’t ask for this, it was an extension or agent\./);
    await window.press('markNotCharged', key);
    assert.equal(isSettled(), false);
    await window.call('removeMark', { id: key });
    assert.equal(isSettled(), false);
    await window.press('removeMark', key);
    yes = true;
    await window.call('markNotCharged', key);
    assert.equal(isSettled(), false);
    assert.equal(questions.length, 4);
  });

  test('is resolved in one dialog, which no command answers, and which says when a command opened it', async () => {
    const { key } = plan();
    ledger.advance(key, () => ({ state: 'unknown', attempt: 1, unanswered: 1, problem: { code: 'tooOld' } }));
    yes = false;
    await window.call('resolve', key);
    assert.equal(ledger.get(key)?.settled, undefined);
    yes = 'Mark as Not Charged';
    await window.press('resolve', key);
    assert.equal(ledger.get(key)?.settled?.charged, false);
    assert.deepEqual(
      questions.map(({ question, detail }) => [question, detail.includes('it was an extension or agent')]),
      [
        ['Resolve “a kite”', true],
        ['Resolve “a kite”', false],
      ],
    );
    assert.match(questions[1]!.detail, /quoted: €0\.07\nWe can’t tell whether this render was charged\./);
  });

  test('is sent with one click if its price hasn’t changed, which is checked first', async () => {
    const record = plan();
    await window.press('sendPlanned', record.key);
    assert.deepEqual(questions, []);
    assert.equal((await window.ended(record.key)).costCents, 7);
    assert.deepEqual(
      service.asked.filter((request) => request.startsWith('POST')),
      ['POST /quote', 'POST /generations'],
    );
  });

  test('shows a higher price next to the old one, and costs nothing if declined', async () => {
    const record = plan();
    service.script.priceCents = 9;
    yes = false;
    await window.press('sendPlanned', record.key);
    assert.equal(questions[0]?.question, 'Render with a/b/c for €0.09?');
    assert.match(questions[0].detail, /^The price rose from €0\.07 to €0\.09\./);
    assert.equal(posts(), 0);
    assert.equal(stateOf(record), 'planned');
  });

  test('is sent once at the higher price if confirmed, with that price on record', async () => {
    const record = plan();
    service.script.priceCents = 9;
    yes = true;
    const sent = (await window.press('sendPlanned', record.key)) as RenderRecord;
    assert.notEqual(sent.key, record.key);
    const { costCents, shownCents } = await window.ended(sent.key);
    assert.deepEqual([costCents, shownCents, stateOf(record)], [9, 9, 'discarded']);
    assert.deepEqual([posts(), service.script.balanceCents], [1, 991]);
  });

  test('with a long prompt, is priced and rendered with all of it', async () => {
    const prompt = 'a kite over the dunes '.repeat(4_000);
    service.script.priceCents = (_, inputs) => String(inputs['prompt']).length / 1_000;
    const record = plan(prompt, 70);
    yes = true;
    const sent = (await window.press('sendPlanned', record.key)) as RenderRecord;
    assert.equal(questions[0]?.question, 'Render with a/b/c for €0.88?');
    const ended = await window.ended(sent.key);
    assert.deepEqual([ended.costCents, ended.shownCents, posts()], [88, 88, 1]);
    assert.equal(ledger.inputsOf(ended.record!)['prompt'], prompt);
  });

  test('is sent by one of two windows that send it at the same time, without an error in the other', async () => {
    const record = plan();
    const other = await OwnWindow.open(keyring, folder);
    try {
      await set(settingIds.limitPerDay, '0.07');
      const pressed = [window, other].map((one) => one.press('sendPlanned', record.key));
      const keys = (await Promise.all(pressed)).map((sent) => (sent as RenderRecord).key);
      assert.deepEqual(keys, [record.key, record.key]);
      assert.equal((await window.ended(record.key)).costCents, 7);
      assert.equal(posts(), 1);
    } finally {
      await set(settingIds.limitPerDay, undefined);
      other.dispose();
    }
  });

  /** One that has ended, long enough ago that another press is another decision. */
  async function ended(): Promise<string> {
    const { key } = plan();
    await window.press('sendPlanned', key);
    await window.ended(key);
    return key;
  }

  test('is rendered again with one click if its price hasn’t risen, and a double click is one render', async () => {
    const key = await ended();
    const pressed = await Promise.all([window.press('renderAgain', key), window.press('renderAgain', key)]);
    const keys = pressed.map((sent) => (sent as RenderRecord).key);
    assert.equal(new Set([...keys, key]).size, 2);
    assert.equal((await window.ended(keys[0]!)).costCents, 7);
    assert.deepEqual(questions, []);
    assert.equal(posts(), 2);
  });

  test('asks before it’s rendered again if its price has risen, or was just spent', async () => {
    const key = await ended();
    yes = false;
    service.script.priceCents = 9;
    assert.equal(await window.press('renderAgain', key), undefined);
    service.script.priceCents = 7;
    const again = (await window.press('renderAgain', key)) as RenderRecord;
    assert.equal(await window.press('renderAgain', key), undefined);
    await window.ended(again.key);
    assert.deepEqual(
      questions.map(({ question }) => question),
      ['Render “a kite” again?', 'Render “a kite” again?'],
    );
    assert.equal(posts(), 2);
  });

  test('asks before it’s rendered again when its ID comes from elsewhere, within any budget', async () => {
    const key = await ended();
    yes = false;
    await set(settingIds.otherAllowance, '1000');
    for (const argument of [key, { id: key }]) assert.equal(await window.call('renderAgain', argument), undefined);
    await set(settingIds.otherAllowance, undefined);
    assert.equal(questions.length, 2);
    assert.equal(posts(), 1);
  });
});
