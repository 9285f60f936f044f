import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../../src/base/clock';
import { reasonOf } from '../../../src/base/log';
import { CatalogClient } from '../../../src/catalog/client';
import { HttpTransport } from '../../../src/catalog/transport';
import { evenChance } from '../../unit/catalog/service';
import type { HostileResponse } from './answer';
import { hostileResponses } from './answers';
import { canaryHitsIn, canaryKey } from '../../canary';
import { ask, endpoints, isTold, type Endpoint } from './endpoints';
import { FastClock } from './fastClock';
import { HostileServer } from './hostileServer';
import { endpointOf, honestly, truth } from './truth';
import { CanaryLog, eachOf, elsewhere, peakMebibytes, watchProcess } from './watch';

// The shipped client and transport, with their real deadlines and limits, against a service that responds as none
// should.

/**
 * How many times faster the client's clock runs: a deadline of 20 s takes one second, and 0.1 s where nothing arrives.
 */
const faster = { usual: 20, slow: 200 };
/**
 * The longest call by the client's clock, ms: four attempts with their deadlines, and the longest pauses between them.
 */
const longestCallMs = 360_000;
/** How late a busy machine may be, ms. */
const busyMs = 15_000;
/**
 * The allowed growth of peak memory, MiB: several responses at their limits at once, and the server's buffers in the
 * same process.
 */
const mostGrowth = 1200;

/** The most requests to each endpoint for one call. */
const mostRequests: Readonly<Record<Endpoint, number>> = {
  ...{ me: 4, models: 4, model: 4, quote: 2, create: 1, list: 4, one: 4, content: 4, delete: 1 },
};

/** Kinds of responses that can't be a success: any content would be made up. */
const neverGood = new Set(['redirections', 'codings nobody asked for', 'cut answers', 'silence', 'web pages']);

/** Complete files in encodings that can be decoded. */
const decodable = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'a bomb']);

class Judge {
  readonly log = new CanaryLog();
  readonly faults: string[] = [];
  readonly kinds = new Set<string>();
  requests = 0;
  longestMs = 0;

  constructor(private readonly server: HostileServer) {}

  /** Calls as a user's window would, checks the outcome, and calls again on the same connections. */
  async hold(response: HostileResponse): Promise<void> {
    const fault = (what: string) =>
      this.faults.push(`${response.kind}, ${response.what}, ${response.endpoint}: ${what}`);
    const times = response.slow ? faster.slow : faster.usual;
    const clock = new FastClock(times);
    let hostile = true;
    const { base, requests } = this.server.stage((wire, request) => {
      const endpoint = endpointOf(request);
      if (!endpoint) return fault(`an address nobody named: ${request.path}`);
      const act = hostile && endpoint === response.endpoint ? response.act : honestly(endpoint, clock.now());
      act(wire, request);
    }, clock);
    const transport = new HttpTransport();
    const began = performance.now();
    const outcome = await within(
      longestCallMs / times + busyMs,
      this.outcome(response, this.client(base, transport, clock)),
    );
    this.longestMs = Math.max(this.longestMs, performance.now() - began);
    const told = outcome ?? 'it hangs';
    if (told !== 'good' && told !== 'told') fault(told);
    if (told === 'good' && isNeverGood(response)) fault('taken for a success');
    if (requests.length > mostRequests[response.endpoint]) fault(`asked ${requests.length} times`);
    this.requests += requests.length;
    hostile = false;
    const after = await this.client(base, transport, systemClock).me().catch(reasonOf);
    if (JSON.stringify(after) !== JSON.stringify(truth.me)) fault(`the next answer is ${JSON.stringify(after)}`);
    transport.dispose();
  }

  /** `good` for a usable response, `told` for a failure with its own message, else what is wrong. */
  private async outcome({ endpoint }: HostileResponse, client: CatalogClient): Promise<string> {
    try {
      const value = await ask[endpoint](client);
      return canaryHitsIn(value) === 0 ? 'good' : 'the key is in what it brings';
    } catch (error) {
      if (!isTold(error)) return `no failure of the service: ${reasonOf(error)}`;
      this.kinds.add(error.kind);
      if (error.message.trim() === '' || error.message.length > 3000) return `a message of ${error.message.length}`;
      return canaryHitsIn(error) === 0 ? 'told' : `the key is in the error: ${error.kind}`;
    }
  }

  private client(base: string, transport: HttpTransport, clock: Clock): CatalogClient {
    const { log } = this;
    return new CatalogClient({ base, key: canaryKey, account: 'account', transport, clock, random: evenChance, log });
  }
}

function isNeverGood({ kind, endpoint, what }: HostileResponse): boolean {
  if (kind === 'web pages' || kind === 'silence' || kind === 'cut answers') {
    // A file is checked by its structure only; for a deletion, the status is the response.
    const wordless = endpoint === 'content' || endpoint === 'delete';
    return wordless ? kind === 'web pages' && endpoint === 'delete' : !what.startsWith('JSON that says');
  }
  // A file may be stored encoded.
  if (endpoint === 'content' && decodable.has(what)) return false;
  return neverGood.has(kind);
}

/** The result of the promise, or undefined if it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}

test('no response of a hostile service hangs, crashes, grows without bound, diverts the key, or is mistaken for another', async (t) => {
  const unheard = watchProcess(t);
  const other = await elsewhere(t);
  const server = await HostileServer.start();
  t.after(() => server.close());
  const judge = new Judge(server);
  const responses = hostileResponses(other.origin);
  const before = peakMebibytes();

  // Waiting responses can wait together; floods share the memory.
  const weightOf = ({ kind, slow }: HostileResponse) =>
    kind === 'floods' || kind === 'large answers' ? 'heavy' : slow ? 'slow' : 'light';
  for (const [weight, atOnce] of Object.entries({ light: 16, slow: 64, heavy: 2 })) {
    const those = responses.filter((response) => weightOf(response) === weight);
    await eachOf(those, atOnce, (response) => judge.hold(response));
  }

  const growth = peakMebibytes() - before;
  t.diagnostic(
    `${responses.length} hostile answers of ${new Set(responses.map(({ kind }) => kind)).size} kinds to ${endpoints.length} endpoints, ` +
      `${judge.requests} requests: ${judge.faults.length} faults, longest call ${Math.round(judge.longestMs)} ms, ` +
      `peak memory +${growth} MiB, ${judge.log.hits} canary hits in ${judge.log.lines} log lines, ${other.heard.length} words to another origin`,
  );
  assert.deepEqual(judge.faults, []);
  assert.deepEqual(other.heard, []);
  assert.deepEqual(server.strays, []);
  assert.deepEqual(unheard, []);
  assert.equal(judge.log.hits, 0);
  assert.ok(judge.log.lines > responses.length);
  assert.ok(growth < mostGrowth, `peak memory grew by ${growth} MiB`);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.ok(
    responses.length >= 250 &&
      endpoints.every((endpoint) => responses.some((response) => response.endpoint === endpoint)),
  );
  for (const kind of judge.kinds) assert.ok(sentences.includes(`case '${kind}':`), `no sentence for ${kind}`);
  assert.ok(judge.kinds.size >= 8, [...judge.kinds].join());
});

/** The source of the messages for people: running it needs an editor. */
const sentences = readFileSync('src/editor/words.ts', 'utf8');
