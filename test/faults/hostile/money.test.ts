import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { reasonOf } from '../../../src/base/log';
import type { RenderRecord, RenderState } from '../../../src/renders/record';
import type { HostileResponse } from './answer';
import { hostileResponses } from './answers';
import { wholeFiles } from './answers/framing';
import { FastClock } from './fastClock';
import { HostileServer } from './hostileServer';
import { Till } from './till';
import { generationId, image } from './truth';
import { CanaryLog, eachOf, elsewhere, watchProcess } from './watch';
import { Window } from './window';

// The shipped renderer, poller, and downloader, with a ledger, a spool, and a project on disk, against a service that
// keeps truthful books and responds as none should. Compares its charges with what the window says.

/** How long anything may take on a busy machine, ms. */
const patienceMs = 30_000;

/**
 * How many times faster time runs during responses, while only a deadline can end the wait, and after the ten minutes.
 */
const faster = { usual: 16, slow: 60, after: 4 };
const tenMinutes = 600_000;

interface Scene {
  readonly clock: FastClock;
  readonly till: Till;
  readonly window: Window;
}

class Stage {
  readonly log = new CanaryLog();
  readonly faults: string[] = [];
  readonly states = new Map<string, number>();
  readonly problems = new Set<string>();
  canaryHits = 0;
  charges = 0;
  posts = 0;

  constructor(
    private readonly server: HostileServer,
    private readonly atOnce: number,
  ) {}

  /** Plays the scene for each response, given this many times; resolves with what is wrong, if anything. */
  async play(
    responses: readonly HostileResponse[],
    times: number,
    scene: (scene: Scene) => Promise<readonly [RenderRecord, string | undefined]>,
  ): Promise<void> {
    await eachOf(responses, this.atOnce, async (response) => {
      const clock = new FastClock(response.slow ? faster.slow : faster.usual);
      const till = new Till({ ...response, times }, clock);
      const { base } = this.server.stage(till.response, clock);
      const window = await Window.open(base, clock, this.log);
      const fault = (what: string) =>
        this.faults.push(`${response.kind}, ${response.what}, ${response.endpoint}: ${what}`);
      try {
        const [record, wrong] = await scene({ clock, till, window });
        this.count(record, till);
        for (const what of [wrong, moneyFault(record, window.bodyOf(record), till)])
          if (what !== undefined) fault(what);
        if (till.befell === 0) fault('it was never given');
        const hits = window.canaryHits();
        if (hits > 0) fault(`the key is in what it left, ${hits} times`);
        this.canaryHits += hits;
      } catch (error) {
        fault(reasonOf(error));
      } finally {
        await window.close();
      }
    });
  }

  get figures(): string {
    const states = [...this.states].map(([state, count]) => `${count} ${state}`).join(', ');
    return (
      `${this.posts} POSTs, ${this.charges} charges; ended ${states}; ${this.faults.length} faults, ` +
      `${this.canaryHits + this.log.hits} canary hits in ledgers, spools, projects and ${this.log.lines} log lines`
    );
  }

  private count({ state, problem }: RenderRecord, till: Till): void {
    this.states.set(state, (this.states.get(state) ?? 0) + 1);
    if (problem) this.problems.add(problem.code);
    this.charges += till.charges.size;
    this.posts += till.posts.length;
  }
}

/** States that tell a user that nothing was charged or sent. */
const uncharged: ReadonlySet<RenderState> = new Set(['planned', 'refused', 'discarded']);

/** What is wrong with the money, if anything: one decision is at most one charge, and nobody is told otherwise. */
function moneyFault({ state, key }: RenderRecord, body: Uint8Array, { charges, posts }: Till): string | undefined {
  if (charges.size > 1) return `${charges.size} charges`;
  if (charges.size > 0 && uncharged.has(state)) return `charged, and ${state}`;
  if (posts.some((post) => post.key !== key)) return 'another key';
  if (posts.some((post) => post.body !== Buffer.from(body).toString('latin1'))) return 'other bytes';
  return undefined;
}

async function stageFor(t: TestContext, atOnce: number) {
  const unheard = watchProcess(t);
  const other = await elsewhere(t);
  const server = await HostileServer.start();
  t.after(() => server.close());
  const stage = new Stage(server, atOnce);
  const close = () => {
    assert.deepEqual(stage.faults, []);
    assert.deepEqual(other.heard, []);
    assert.deepEqual(server.strays, []);
    assert.deepEqual(unheard, []);
    assert.equal(stage.canaryHits + stage.log.hits, 0);
    for (const code of stage.problems) assert.ok(sentences.includes(`case '${code}':`), `no sentence for ${code}`);
  };
  return { stage, responses: hostileResponses(other.origin), close };
}

/** Orders, and presses Send again whenever a busy machine couldn't connect in time; resolves with the record. */
async function sent({ window, till }: Scene): Promise<RenderRecord> {
  let record = await window.order();
  for (let presses = 0; till.befell === 0 && record.state === 'planned' && presses < 5; presses++)
    record = await window.send(record.key);
  return record;
}

/** The source of the messages for people: running it needs an editor. */
const sentences = readFileSync('src/editor/words.ts', 'utf8');

/** At most this many of each kind, spread over all of them. */
function some(responses: readonly HostileResponse[], most: number): HostileResponse[] {
  const kinds = new Set(responses.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const of = responses.filter((response) => response.kind === kind);
    const step = Math.max(1, of.length / most);
    return Array.from({ length: Math.min(most, of.length) }, (_, n) => of[Math.floor(n * step)]!);
  });
}

test('a charge is made once whatever the response, and never reported as not charged', async (t) => {
  const { stage, responses: answers, close } = await stageFor(t, 24);
  const creating = some(
    answers.filter(({ endpoint, kind }) => endpoint === 'create' && kind !== 'floods'),
    20,
  );
  await stage.play(creating, 1, async (scene) => [await sent(scene), undefined]);
  t.diagnostic(`${creating.length} hostile answers to a charge, then the truth: ${stage.figures}`);
  close();
  assert.ok((stage.states.get('accepted') ?? 0) > creating.length / 2);
  assert.ok((stage.states.get('refused') ?? 0) > 0);
});

test('a service that never answers a charge properly is asked for ten minutes, then checked with', async (t) => {
  const { stage, responses: answers, close } = await stageFor(t, 24);
  const creating = some(
    answers.filter(({ endpoint, kind }) => endpoint === 'create' && kind !== 'floods'),
    5,
  );
  await stage.play(creating, Infinity, async (scene) => {
    const { clock, till, window } = scene;
    till.onBefell = () => till.befell >= 3 && clock.leap(tenMinutes, faster.after);
    const record = await sent(scene);
    if (record.state !== 'unknown') return [record, undefined];
    const posts = till.posts.length;
    till.relent();
    clock.leap(0, faster.after);
    const found = await window.compare();
    const after = window.record(record.key);
    const isFound = found === 1 && after.generationId === generationId;
    if (till.posts.length !== posts) return [after, 'sent after the ten minutes'];
    return [after, till.charges.size === 1 && !isFound ? 'what was charged is not found' : undefined];
  });
  t.diagnostic(`${creating.length} hostile answers to a charge, and no other: ${stage.figures}`);
  close();
  assert.ok((stage.states.get('accepted') ?? 0) > creating.length / 2);
});

test('a paid result is finally saved, whatever the service responds at first', async (t) => {
  const { stage, responses: answers, close } = await stageFor(t, 24);
  const later = answers.filter(
    ({ endpoint, kind }) => (endpoint === 'one' || endpoint === 'content') && kind !== 'floods',
  );
  const chosen = some(later, 8);
  await stage.play(chosen, 3, async (scene) => {
    const { clock, window, till } = scene;
    const { key } = await sent(scene);
    const settled = ({ state, problem }: RenderRecord) =>
      state === 'saved' || state === 'unknown' || (state === 'succeeded' && problem !== undefined);
    let record = await window.until(key, settled, patienceMs);
    if (record.state !== 'saved') {
      // It's in the view with its problem, and a button that downloads or checks it.
      till.relent();
      clock.leap(0, faster.usual);
      await (record.state === 'unknown' ? window.compare() : window.downloadAgain(key));
      record = await window.until(key, ({ state }) => state === 'saved', patienceMs);
    }
    const files = await window.files();
    const [file] = files.values();
    const wrong =
      record.state === 'saved'
        ? files.size === 1 && file?.equals(image) === true
          ? undefined
          : `saved as ${[...files.keys()].join(', ')}`
        : `it stays ${record.state} (${record.problem?.code ?? 'no problem'}), ${files.size} files`;
    return [record, wrong];
  });
  t.diagnostic(`${chosen.length} hostile answers on the way to a file: ${stage.figures}`);
  close();
});

test('all of a paid result is saved, in whatever way it’s sent', async (t) => {
  const { stage, close } = await stageFor(t, 24);
  await stage.play(wholeFiles, Infinity, async (scene) => {
    const { key } = await sent(scene);
    const record = await scene.window.until(key, ({ state }) => state === 'saved', patienceMs);
    const files = await scene.window.files();
    const isWhole = files.size === 1 && [...files.values()][0]?.equals(image) === true;
    return [
      record,
      isWhole ? undefined : `${record.state} (${record.problem?.code}) as ${[...files.keys()].join(', ')}`,
    ];
  });
  t.diagnostic(`${wholeFiles.length} ways to send all of a file: ${stage.figures}`);
  close();
});
