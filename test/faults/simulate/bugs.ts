/** One piece of the core's source, which must be there exactly once, and what stands in its place while the bug is planted. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A mistake that would cost somebody money or a result. It exists in the simulator's build alone. */
export interface Bug {
  readonly name: string;
  readonly edits: readonly Edit[];
}

const renderer = 'src/renders/renderer.ts';
const repeating = 'src/renders/repeating.ts';
const verdict = 'src/renders/verdict.ts';
const ledger = 'src/renders/ledger.ts';
const recovery = 'src/renders/recovery.ts';
const downloader = 'src/renders/downloader.ts';
const statuses = 'src/renders/statuses.ts';
const spool = 'src/files/spool.ts';
const sink = 'src/files/sink.ts';

const sending = 'createGeneration(record.body, record.key, () => {';
const refusals = "    case 'dailyCap':\n      return 'refused';";
const isProven = "if (verdict === 'refused' && now.unanswered === 1) {";

/** Planted one at a time; a test proves that each is caught. */
export const bugs: readonly Bug[] = [
  // The key and the bytes.
  bug('the key lives in memory only, and is made anew after a restart', {
    file: renderer,
    find: sending,
    replace: 'createGeneration(record.body, before.owner === this.window.id ? record.key : this.random.uuid(), () => {',
  }),
  bug('every retry has a fresh key', {
    file: renderer,
    find: sending,
    replace: 'createGeneration(record.body, record.attempt === 1 ? record.key : this.random.uuid(), () => {',
  }),
  bug('a retry makes its bytes anew', {
    file: renderer,
    find: sending,
    replace:
      'createGeneration(record.attempt === 1 ? record.body : new TextEncoder().encode(JSON.stringify({ inputs: record.inputs, modelId: record.modelId })), record.key, () => {',
  }),
  bug('a double click is two decisions', {
    file: renderer,
    find: 'key: order.intent,',
    replace: 'key: this.random.uuid(),',
  }),
  bug('a retry goes out under whatever account is in use', {
    file: renderer,
    find: 'return connected?.place === record.place && connected.client.account === record.account ? connected : undefined;',
    replace: 'return connected;',
  }),

  // What is recorded, and when.
  bug(
    'an attempt is recorded after it is sent',
    {
      file: renderer,
      find: 'const record = this.ledger.change(before, {',
      replace:
        'const record = ((from: RenderRecord, next: Partial<Progress>) => {\n        void wait(this.clock, 400).then(() => this.ledger.change(from, next)).catch(() => {});\n        return { ...from, ...next, version: from.version + 1 };\n      })(before, {',
    },
    { file: renderer, find: 'if (now?.version !== record.version) throw new NotLeft(undefined);', replace: '' },
  ),
  bug('an attempt is not counted', {
    file: renderer,
    find: 'attempt: before.attempt + 1,',
    replace: 'attempt: before.attempt,',
  }),
  bug('the compare-and-swap is left out', {
    file: ledger,
    find: 'WHERE key = ? AND state = ? AND attempt = ? AND version = ?',
    replace: 'WHERE key = ? AND (1 OR state = ? OR attempt = ? OR version = ?)',
  }),
  bug('leases are ignored', {
    file: ledger,
    find: 'WHERE owner = excluded.owner OR until < ? OR until > ?',
    replace: 'WHERE 1 OR until < ? OR until > ?',
  }),

  // When a retry may go out.
  bug('a retry goes out at any age', {
    file: repeating,
    find: 'return ageOf(record, client, clock) < repeatWindowMs;',
    replace: 'return true;',
  }),
  bug('the age of an attempt is told by the machine’s own clock', {
    file: repeating,
    find: 'record.firstSentServiceTime !== undefined && serviceTime !== undefined',
    replace: 'record.firstSentServiceTime === undefined && serviceTime !== undefined',
  }),
  bug('a clock that was set or stalled is believed', {
    file: 'src/catalog/serviceClock.ts',
    find: 'return Math.abs(byWall - byTicks) > driftMs ? undefined : Math.max(byWall, byTicks);',
    replace: 'return byTicks;',
  }),
  bug('nothing is looked at again at the send', { file: renderer, find: 'this.guard(record);', replace: '' }),
  bug('the age is not looked at again at the send', {
    file: renderer,
    find: "if (!mayRepeat(record, connected.client, this.clock)) throw new NotLeft({ code: 'tooOld' });",
    replace: '',
  }),
  bug('what was planned is sent by itself after a restart', {
    file: recovery,
    find: "  private left(connected: Connected): RenderRecord[] {\n    return this.ledger\n      .inStates('sent')",
    replace:
      "  private left(connected: Connected): RenderRecord[] {\n    return this.ledger\n      .inStates('planned', 'sent')",
  }),

  // What an answer proves.
  bug('a refusal of a retry is believed', {
    file: renderer,
    find: isProven,
    replace: "if (verdict === 'refused') {",
  }),
  bug('a 500 is read as not charged', {
    file: verdict,
    find: refusals,
    replace: `    case 'status':\n${refusals}`,
  }),
  bug('no answer is read as not charged', {
    file: verdict,
    find: refusals,
    replace: `    case 'noAnswer':\n${refusals}`,
  }),
  bug('an unreadable answer is read as not charged', {
    file: verdict,
    find: refusals,
    replace: `    case 'unreadable':\n${refusals}`,
  }),
  bug('a 429 is counted as a refusal', { file: verdict, find: "return 'wait';", replace: "return 'refused';" }),
  bug('a 429 settles the attempts before it', {
    file: renderer,
    find: "unanswered: verdict === 'unproven' ? now.unanswered : now.unanswered - 1",
    replace: "unanswered: verdict === 'unproven' ? now.unanswered : 0",
  }),
  bug(
    'a 409 while the first attempt runs is counted as a refusal',
    {
      file: 'src/catalog/refusal.ts',
      find: "return code === 'API_KEY_DAILY_CAP' ? 'dailyCap' : 'status';",
      replace: "return 'dailyCap';",
    },
    {
      file: renderer,
      find: isProven,
      replace:
        "if (verdict === 'refused' && (now.unanswered === 1 || verdictOf(error) === 'refused' && problem.code === 'dailyCap')) {",
    },
  ),
  bug('an attempt that did not leave settles those before it', {
    file: renderer,
    find: "if (unanswered === 0) return { state: 'planned', unanswered, problem };",
    replace: "if (unanswered >= 0) return { state: 'planned', unanswered: 0, problem };",
  }),
  bug('what cannot be told any more is dropped', {
    file: renderer,
    find: "return { state: 'unknown', problem: { ...record.problem, code: 'tooOld' }, endedAt: this.clock.now() };",
    replace: "return { state: 'discarded', endedAt: this.clock.now() };",
  }),
  bug('what cannot be told any more is not shown', {
    file: 'src/renders/library.ts',
    find: "return state !== 'discarded' && deleted !== true;",
    replace: "return state !== 'discarded' && state !== 'unknown' && deleted !== true;",
  }),
  bug('what was ordered twice and is listed once is taken for the first', {
    file: recovery,
    find: 'if (found.length === 1 && isAnothers) return undefined;',
    replace: '',
  }),
  bug('a match that is another render’s is taken', {
    file: 'src/renders/matching.ts',
    find: '!taken.has(id) &&',
    replace: '',
  }),

  // What the service says of a render.
  bug('a refund is assumed', {
    file: statuses,
    find: "return status === 'succeeded' || status === 'failed' ? status : 'accepted';",
    replace: "return status === 'failed' ? 'refunded' : status === 'succeeded' ? status : 'accepted';",
  }),
  bug('a render the service denies is taken for refunded', {
    file: 'src/renders/poller.ts',
    find: "{ state: 'unknown', problem: { code: 'gone' }",
    replace: "{ state: 'refunded', problem: { code: 'gone' }",
  }),
  bug('a list that leaves a render out is believed', {
    file: 'src/renders/poller.ts',
    find: 'if (!listed) return false;',
    replace: 'if (!listed) return true;',
  }),

  // The file.
  bug('a download that failed is dropped', {
    file: downloader,
    find: 'this.keep(key, problemIn(error));',
    replace: "this.ledger.advance(key, () => ({ state: 'failed', problem: problemIn(error) }));",
  }),
  bug('a download that failed is left without a word', {
    file: downloader,
    find: 'this.keep(key, problemIn(error));',
    replace: '',
  }),
  bug('a body that is cut passes for a whole one', {
    file: spool,
    find: 'if (bytes > 0 && options.length !== undefined && bytes !== options.length) {',
    replace: 'if (bytes < 0) {',
  }),
  bug('a picture without its end passes for a whole one', {
    file: spool,
    find: "if (isWhole(found.mediaType, head, tail, bytes) === 'cut') {",
    replace: "if (isWhole(found.mediaType, head, tail, -1) === 'cut' && bytes < 0) {",
  }),
  bug('a web page passes for a result', {
    file: 'src/catalog/client.ts',
    find: "const html = isHtml(incoming, '');",
    replace: 'const html = false;',
  }),
  bug('a result is saved before its file is there', {
    file: 'src/renders/placement.ts',
    find: 'record: (claimed) => this.ledger.claim(key, claimed, spooled),',
    replace:
      "record: (claimed) => this.ledger.advance(key, () => ({ claimed, spooled, state: 'saved', file: claimed })) !== undefined,",
  }),
  bug('a file is written under its final name', {
    file: sink,
    find: 'const unnamed = `.${this.source.name}.${random.uuid()}.part`;',
    replace: 'const unnamed = `${safeName(baseName)} ${random.uuid().slice(0, 4)}.${this.source.extension}`;',
  }),
  bug('a file replaces what has its name', {
    file: 'src/files/localSink.ts',
    find: 'await this.disk.link(this.path(written), this.path(name));',
    replace: 'await this.disk.rename(this.path(written), this.path(name));',
  }),
  bug('a name is taken without being recorded first', {
    file: sink,
    find: 'if (this.claim?.record(this.destination.uri(name)) === false) continue;',
    replace: '',
  }),
  bug('bytes are not synced', { file: 'src/files/newFile.ts', find: 'await onDisk(file.sync());', replace: '' }),
  bug('names are not synced', { file: sink, find: 'await this.destination.sync();', replace: '' }),
];

function bug(name: string, ...edits: Edit[]): Bug {
  return { name, edits };
}
