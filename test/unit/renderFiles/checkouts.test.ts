import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { encode } from 'fast-png';
import { systemClock, systemRandom } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/log';
import { FolderOnDisk } from '../../../src/check/checkFolder';
import { folderOf } from '../../../src/documents/paths';
import { calendar } from '../../../src/files/calendar';
import { nodeDisk } from '../../../src/files/disk';
import { localSink } from '../../../src/files/localSink';
import { Spool } from '../../../src/files/spool';
import { readRenderFile } from '../../../src/renderFiles/readRenderFile';
import { isDue, type State, statesOf } from '../../../src/renderFiles/states';
import { Downloader } from '../../../src/renders/downloader';
import { MetadataEmbedder } from '../../../src/renders/metadataEmbedder';
import { TestClock } from '../clock';
import { TestService } from '../renders/service';
import { folderFor, openWindow, order, ordered } from '../renders/world';

const path = 'docs/renders.jsonc';

/** A user's computer: a checkout of the documentation, an API key of their own, and their own render history. */
async function computerOf(t: TestContext, account: string, isPromptRecorded: boolean) {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.account = account;
  const folder = folderFor(t);
  const checkout = join(folder, 'checkout');
  const window = await openWindow(t, folder, service, clock);
  const { ledger, lease, poller } = window;
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const settings = { provenance: () => 'embed' as const, provenancePrompt: () => isPromptRecorded };
  const embedder = new MetadataEmbedder(spool, settings, 'Model Catalog 1.2.3', silentLog);
  const saving = [spool, () => localSink(nodeDisk, spool, systemRandom), calendar('UTC'), clock] as const;
  const downloader = new Downloader(
    ledger,
    () => window.connected,
    lease,
    ...saving,
    systemRandom,
    silentLog,
    embedder,
  );
  const asked = async () =>
    (await readRenderFile(readFileSync(join(checkout, path), 'utf8'), path, systemClock)).renders;
  const looked = async () => statesOf(await asked(), new FolderOnDisk(checkout), systemClock);

  /** Renders what is missing or out of date, each with a seed of its own if it states none. */
  async function renderDue(): Promise<number> {
    const due = (await looked()).filter(isDue);
    for (const { render, state } of due) {
      if ('file' in state) rmSync(join(checkout, state.file));
      const { modelId, inputs, target: file } = render;
      const name = { folder: folderOf(file), fileName: file.slice(folderOf(file).length + 1), ending: 'png' };
      const target = { root: pathToFileURL(checkout).href, ...name };
      const seeded = { seed: service.charges.length + account.length, ...inputs };
      const { key, generationId = '' } = await ordered(window, order({ account, modelId, inputs: seeded, target }));
      service.succeed(generationId, imageOf(service.charges.length));
      await poller.pollNow();
      await downloader.deliver(key);
    }
    return due.length;
  }

  const states = async (): Promise<Record<string, State['state']>> =>
    Object.fromEntries((await looked()).map(({ render, state }) => [render.target.replace(/.*\//, ''), state.state]));
  return { checkout, service, renderDue, states };
}

function imageOf(shade: number): Buffer {
  return Buffer.from(encode({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(shade) }));
}

/** What CI prints about a checkout, without a key, a home folder, or a render history. */
function checked(folder: string): readonly (string | number | null)[] {
  const env = { PATH: process.env.PATH };
  const { status, stdout } = spawnSync(process.execPath, [resolve('dist/check.mjs')], { cwd: folder, env });
  return [status, ...stdout.toString().trimEnd().split('\n')];
}

/** Replaces a text in the render file of a checkout. */
function change(checkout: string, from: string, to: string): void {
  const text = readFileSync(join(checkout, path), 'utf8');
  assert.ok(text.includes(from));
  writeFileSync(join(checkout, path), text.replace(from, to));
}

for (const isPromptRecorded of [true, false])
  test(`two people with a key and a render history each, and CI with neither, agree on every state, with prompts ${isPromptRecorded ? 'in' : 'left out of'} the images`, async (t) => {
    const [ann, ben] = [
      await computerOf(t, 'ann', isPromptRecorded),
      await computerOf(t, 'benedikt', isPromptRecorded),
    ];
    cpSync('test/fixtures/site', ann.checkout, { recursive: true });
    assert.equal(await ann.renderDue(), 4);
    const copied = (from: string, to: string) => {
      rmSync(to, { recursive: true, force: true });
      mkdirSync(to);
      cpSync(from, to, { recursive: true });
    };
    copied(ann.checkout, ben.checkout);
    const hero = readFileSync(join(ben.checkout, 'docs/images/hero.png'));
    assert.equal(hero.includes('a lighthouse at dusk'), isPromptRecorded);
    const current = { hero: 'current', 'getting-started': 'current', 'plan-free': 'current', 'plan-team': 'current' };
    assert.deepEqual([await ann.states(), await ben.states()], [current, current]);
    assert.deepEqual(checked(ben.checkout), [0, 'Images: 4 · 4 current · Render files: 1 · Errors: 0']);
    assert.equal(await ben.renderDue(), 0, 'nobody pays for what the other has rendered');

    change(ben.checkout, 'at dusk', 'at dawn');
    writeFileSync(join(ben.checkout, 'docs/images/plan-free.png'), imageOf(77));
    const changed = { ...current, hero: 'stale', 'plan-free': 'foreign' };
    copied(ben.checkout, ann.checkout);
    assert.deepEqual([await ann.states(), await ben.states()], [changed, changed]);
    assert.deepEqual(checked(ann.checkout), checked(ben.checkout));
    assert.equal(checked(ann.checkout)[0], 1);

    assert.equal(await ben.renderDue(), 1);
    copied(ben.checkout, ann.checkout);
    assert.deepEqual([await ann.states(), await ben.states()], Array(2).fill({ ...changed, hero: 'current' }));
    assert.deepEqual(checked(ann.checkout), checked(ben.checkout));
    assert.deepEqual([ann.service.charges.length, ben.service.charges.length], [4, 1]);
  });
