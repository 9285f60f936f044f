/** A text that occurs exactly once in all of src, and its replacement while the bug is planted. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
}

/** A mistake that would cost somebody money or a result. It exists only in the builds that are to catch it. */
export interface Bug {
  readonly name: string;
  /** The seed that caught it last; or a file of unit tests, for what too few schedules meet. */
  readonly caughtBy: number | string;
  readonly edits: readonly Edit[];
}

const sending = 'createGeneration(body, record.key, () => {';
const refusals = "    case 'dailyCap':\n      return error.contradicted ? 'unproven' : 'refused';";
const isProven = "if (verdict === 'refused' && now.unanswered === 1) {";

/** Planted one at a time; a test proves that each is caught. */
export const bugs: readonly Bug[] = [
  // The key and the bytes.
  bug('the key lives in memory only, and is made anew after a restart', 17, {
    find: sending,
    replace: 'createGeneration(body, before.owner === this.window.id ? record.key : this.random.uuid(), () => {',
  }),
  bug('every retry has a fresh key', 3, {
    find: sending,
    replace: 'createGeneration(body, record.attempt === 1 ? record.key : this.random.uuid(), () => {',
  }),
  bug('a retry makes its bytes anew', 3, {
    find: sending,
    replace:
      'createGeneration(record.attempt === 1 ? body : new TextEncoder().encode(JSON.stringify({ inputs: record.inputs, modelId: record.modelId })), record.key, () => {',
  }),
  bug('a double click is two decisions', 1, {
    find: 'key: order.intent,',
    replace: 'key: this.random.uuid(),',
  }),
  bug('a retry goes out under whatever account is in use', 15, {
    find: 'return place === connected.place && account === connected.client.account;',
    replace: "return place === connected.place && account !== '';",
  }),

  // What is recorded, and when.
  bug(
    'an attempt is recorded after it is sent',
    1,
    {
      find: 'const record = this.ledger.change(before, {',
      replace:
        'const record = ((from: RenderRecord, next: Partial<Progress>) => {\n        void wait(this.clock, 400).then(() => this.ledger.change(from, next)).catch(() => {});\n        return { ...from, ...next, version: from.version + 1 };\n      })(before, {',
    },
    { find: 'if (now?.version !== record.version) throw new NotLeft(undefined);', replace: '' },
  ),
  bug('an attempt is not counted', 1, {
    find: 'attempt: before.attempt + 1,',
    replace: 'attempt: before.attempt,',
  }),
  bug('the compare-and-swap is left out', 73, {
    find: 'WHERE key = ? AND state = ? AND attempt = ? AND version = ?',
    replace: 'WHERE key = ? AND (1 OR state = ? OR attempt = ? OR version = ?)',
  }),
  bug('leases are ignored', 75, {
    find: 'WHERE owner = excluded.owner OR (owner = ? AND until = ?)',
    replace: 'WHERE 1 OR (owner = ? AND until = ?)',
  }),

  // When a retry may be sent.
  bug('a retry goes out at any age', 23, {
    find: 'return renderAgeOf(record, client, clock) < repeatWindowMs;',
    replace: 'return true;',
  }),
  bug('the age of an attempt is told by the machine’s own clock', 188, {
    find: 'record.firstSentServiceTime !== undefined && serviceTime !== undefined',
    replace: 'record.firstSentServiceTime === undefined && serviceTime !== undefined',
  }),
  bug('a clock that was set or stalled is believed', 2510, {
    find: 'return Math.abs(byWall - byTicks) > driftMs ? undefined : Math.max(byWall, byTicks);',
    replace: 'return byTicks;',
  }),
  bug('nothing is looked at again at the send', 183, {
    find: 'this.guard(record, body);',
    replace: '',
  }),
  bug('what was planned is sent by itself after a restart', 15, {
    find: "inStates('sent').filter((record) => !this.window.isAlive",
    replace: "inStates('planned', 'sent').filter((record) => !this.window.isAlive",
  }),

  // What a response proves.
  bug('a refusal of a retry is believed', 30, {
    find: isProven,
    replace: "if (verdict === 'refused') {",
  }),
  bug('a 500 is read as not charged', 15, {
    find: refusals,
    replace: `    case 'status':\n${refusals}`,
  }),
  bug('no answer is read as not charged', 8, {
    find: refusals,
    replace: `    case 'noAnswer':\n${refusals}`,
  }),
  bug('an unreadable answer is read as not charged', 17, {
    find: refusals,
    replace: `    case 'unreadable':\n${refusals}`,
  }),
  bug('a 429 is counted as a refusal', 19, { find: "return 'wait';", replace: "return 'refused';" }),
  bug('a 429 settles the attempts before it', 1080, {
    find: "unanswered: verdict === 'unproven' ? now.unanswered : now.unanswered - 1",
    replace: "unanswered: verdict === 'unproven' ? now.unanswered : 0",
  }),
  bug(
    'a 409 while the first attempt runs is counted as a refusal',
    259,
    {
      find: "return statesCode(body, 'API_KEY_DAILY_CAP') ? 'dailyCap' : 'status';",
      replace: "return 'dailyCap';",
    },
    {
      find: isProven,
      replace:
        "if (verdict === 'refused' && (now.unanswered === 1 || verdictOf(error) === 'refused' && problem.code === 'dailyCap')) {",
    },
  ),
  bug('a rejection that says that something was charged is believed', 19, {
    find: "return error.contradicted ? 'unproven' : 'refused';",
    replace: "return 'refused';",
  }),
  bug('a text that mentions the daily cap is a rejection', 39, {
    find: "return statesCode(body, 'API_KEY_DAILY_CAP') ?",
    replace: 'return /\\bAPI_KEY_DAILY_CAP\\b/i.test(JSON.stringify(body)) ?',
  }),
  bug('an error with the ID of a request is a render', 9, {
    find: 'if (!isRender && (statesError(own) || statesError(outside))) return undefined;',
    replace: '',
  }),
  bug('a response about another render is taken for this one', 64, {
    find: "if (compared(record, response.value) === 'other') throw new Contradiction(response.value.id);",
    replace: '',
  }),
  bug('a render that was started elsewhere is adopted at any price', 482, {
    find: 'const isSamePrice = shownCents !== undefined && match.costCents === shownCents;',
    replace: 'const isSamePrice = shownCents !== null;',
  }),
  bug('a render that was started elsewhere is adopted with any option', 690, {
    find: 'return usual !== undefined && comparedInput(usual, value) ===',
    replace: 'return usual === undefined || comparedInput(usual, value) !==',
  }),
  bug('a response about a render without its inputs is about ours, whatever key reads it', 2415, {
    find: "compared(record, generation) !== 'same') return false;",
    replace: "compared(record, generation) === 'other') return false;",
  }),
  bug('an ID of 64 bits is read as a number', 3, {
    find: '/\\d{16}/.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text)',
    replace: 'JSON.parse(text)',
  }),
  bug('a response that repeats large inputs is too long', 138, {
    find: 'jsonBytes + 2 * (call.repeats ?? 0)',
    replace: 'jsonBytes',
  }),
  bug('an attempt that did not leave settles those before it', 198, {
    find: "if (unanswered === 0) return { state: 'planned', unanswered, problem };",
    replace: "if (unanswered >= 0) return { state: 'planned', unanswered: 0, problem };",
  }),
  bug('what cannot be told any more is dropped', 125, {
    find: "? { state: 'unknown' as const, problem, endedAt: this.clock.now() }",
    replace: "? { state: 'discarded' as const, endedAt: this.clock.now() }",
  }),
  bug('what cannot be told any more is not shown', 8, {
    find: "function isKept({ state, deleted, forgotten }: RenderRecord): boolean {\n  return state !== 'discarded' &&",
    replace:
      "function isKept({ state, deleted, forgotten }: RenderRecord): boolean {\n  return !['discarded', 'unknown'].includes(state) &&",
  }),
  bug('what was ordered twice and is listed once is taken for the first', 567, {
    find: 'if (found.length === 1 && isAnothers) return undefined;',
    replace: '',
  }),
  bug('a match that is another render’s is taken', 310, {
    find: 'matchesOf(whole, list).filter((one) => !isTaken(this.ledger, one, record));',
    replace: 'matchesOf(whole, list);',
  }),

  // What the service states about a render.
  bug('a refund is assumed', 290, {
    find: "if (status === 'refunded' || status === 'succeeded') return status;",
    replace:
      "if (['failed', 'refunded'].includes(status)) return 'refunded';\n  if (status === 'succeeded') return status;",
  }),
  bug(
    'a render the service denies is taken for refunded',
    3,
    {
      find: "return { state: 'unknown', problem: problem ?? { code }, endedAt",
      replace: "return { state: 'refunded', problem: problem ?? { code }, endedAt",
    },
    { find: 'if (now - since < denialMs) return;', replace: '' },
  ),
  bug('a list that leaves a render out is believed', 58, {
    find: 'if (!listed) return false;',
    replace: 'if (!listed) return true;',
  }),

  // The file.
  bug('a download that failed is dropped', 9, {
    find: 'newOf(now, afterFailure(now, error, this.clock.now(), unit))',
    replace: "{ state: 'failed', problem: { code: 'noAnswer' } }",
  }),
  bug('a download that failed is left without a word', 9, {
    find: 'newOf(now, afterFailure(now, error, this.clock.now(), unit))',
    replace: 'undefined',
  }),
  bug('a wait that ends when it ended before is over without end', 7077127, {
    find: 'this.woken.delete(key);',
    replace: '',
  }),
  bug('a success after a failure doesn’t count', 391, {
    find: "if (status === 'refunded' || status === 'succeeded') return status;",
    replace: "if (status === 'refunded' || (status === 'succeeded' && record.state !== 'failed')) return status;",
  }),
  bug('a refund after a success isn’t noticed', 334, {
    find: "&& !(generation.status === 'refunded' && isSuccess(record.state))",
    replace: '',
  }),
  bug('a status that isn’t the specification’s is waited for without end', 38, {
    find: 'this.askAboutOdd(now);',
    replace: '',
  }),
  bug(
    'the excerpt in a list is taken for the text',
    207,
    {
      find: 'textOutput: undefined, excerpt: generation.textOutput',
      replace: 'excerpt: generation.textOutput',
    },
    {
      find: "listed.status !== 'succeeded' || listed.contentUrl !== undefined",
      replace: "listed.status !== 'succeeded' || listed.contentUrl !== undefined || listed.textOutput !== undefined",
    },
  ),
  bug('a result that isn’t there yet is left to the user', 334, {
    find: "return error instanceof ServiceError && error.kind === 'notAllowed' ? 'user' : 'time';",
    replace:
      "return error instanceof ServiceError && error.kind !== 'tooManyRequests' && (error.status ?? 500) < 500 ? 'user' : 'time';",
  }),
  bug('a result is tried for a quarter of a minute, and then left to the user', 475, {
    find: "if (before?.code === 'gone') return { problem: before, retry: undefined };",
    replace: 'if ((retry?.tries ?? 0) >= 3) return { problem, retry: undefined };',
  }),
  bug('a body that is cut passes for a whole one', 57, {
    find: 'if (bytes > 0 && options.length !== undefined && bytes !== options.length) {',
    replace: 'if (bytes < 0) {',
  }),
  bug('a picture without its end passes for a whole one', 820, {
    find: 'if (!isCut && !isUnknownImage) return found;',
    replace: 'if (!isUnknownImage) return found;',
  }),
  bug('a web page passes for a result', 310, {
    find: "if (isPage) return kind === 'text' ? {}",
    replace: "if (isPage) return kind !== 'other' ? {}",
  }),
  bug('an error with 200 is taken for the result', 17, {
    find: 'if (!isOther && !isForImage) return {};',
    replace: 'if (length > 0) return {};',
  }),
  bug(
    'a complete picture without its end is withheld forever',
    39,
    { find: 'if (isCut && isLengthKnown) return { ...found, odd: true };', replace: '' },
    { find: 'if (isResultAgain && (await', replace: 'if (name === kept && isResultAgain && (await' },
  ),
  bug('what comes twice the same is withheld forever', 172, {
    find: 'if (isResultAgain && (await',
    replace: 'if (name === kept && isResultAgain && (await',
  }),
  bug('a part that is all of a file is no file', 1, {
    find: 'if (status !== 200 && range === undefined) {',
    replace: 'if (status !== 200) {',
  }),
  bug('a result is saved before its file is there', 1, {
    find: 'return this.ledger.claim(key, claimed, spooled);',
    replace:
      "return this.ledger.advance(key, () => ({ claimed, spooled, state: 'saved', file: claimed })) !== undefined;",
  }),
  bug('a file is written under its final name', 24, {
    find: 'const unnamed = `.${this.source.name}.${random.uuid()}.part`;',
    replace: 'const unnamed = `${safeName(baseName)} ${random.uuid().slice(0, 4)}.${this.source.extension}`;',
  }),
  bug('a file replaces what has its name', 264, {
    find: 'await this.disk.link(this.path(written), this.path(name));\n      return true;',
    replace: 'await this.disk.rename(this.path(written), this.path(name));\n      return true;',
  }),
  bug('a name is taken without being recorded first', 384, {
    find: 'if (this.claim?.record(this.destination.uri(name)) === false) continue;',
    replace: '',
  }),
  bug('bytes are not synced', 358, { find: 'await onDisk(file.sync());', replace: '' }),
  bug('an empty file keeps the name that a copy was to get', 7132084, {
    find: 'if (!(await isThere(disk, path))) return false;',
    replace: 'return false;',
  }),
  bug('names are not synced', 1222, { find: 'await this.destination.sync();', replace: '' }),
  bug(
    'a window that lost its lease goes on, and takes what another one is writing for its own',
    604,
    { find: '`${path}.${this.random.uuid()}${part}`', replace: '`${path}${part}`' },
    { find: 'if (entry.identity !== written.identity)', replace: 'if (entry.identity === undefined)' },
    { find: 'held.loss.signal.throwIfAborted();', replace: '' },
    {
      find: 'held.loss.abort(new LeaseLost(name));\n    if (this.held.get(name) === held)',
      replace: 'if (this.held.get(name) === held)',
    },
  ),

  // Replaced keys, late services, and stopped clocks.
  bug('a repeat goes by the clocks of a machine that stood still', 4601, {
    find: "const isRepeat = record.state === 'sent';",
    replace: 'const isRepeat = false;',
  }),
  bug(
    'a repeat goes by a time that another request heard before the machine stood still',
    'test/unit/catalog/serviceClock.test.ts',
    {
      find: 'if (!(error instanceof ServiceError && error.status !== undefined)) throw error;',
      replace:
        'if (time() === undefined && !(error instanceof ServiceError && error.status !== undefined)) throw error;',
    },
  ),
  bug(
    'a repeat goes by a time that a cache kept while the machine stood still',
    'test/unit/catalog/serviceClock.test.ts',
    {
      find: "return !/^0+$/.test(header(headers, 'age')?.trim() ?? '0');",
      replace: "return headers['age'] === null;",
    },
    { find: "headers: { 'cache-control': 'no-cache' }", replace: '' },
  ),
  bug('what the service has at its new URL is another render', 'test/unit/renders/library.test.ts', {
    find: 'connected.alsoAt?.has(place) === true',
    replace: 'false',
  }),
  bug('a service’s new URL brings new money', 'test/unit/renders/budgets.test.ts', {
    find: '(!connected || isThere(render, connected))',
    replace: '(!connected || render.place === connected.place)',
  }),
  bug('an ID alone makes two URLs one service', 'test/unit/renders/library.test.ts', {
    find: "if (isCertainly(record, generation)) return 'certain';",
    replace: "if (generation.id === record.generationId) return 'certain';",
  }),
  bug('what was sent to one URL is sent to another one of its service', 'test/unit/renders/library.test.ts', {
    find: 'place === connected.place && account',
    replace: '(place === connected.place || connected.alsoAt?.has(place) === true) && account',
  }),
  bug('what a render at another URL of its service has is nobody’s', 'test/unit/renders/library.test.ts', {
    find: 'record.key !== key && ledger.isOneService(record.place, place) === true;',
    replace: 'record.key !== key && record.place === place;',
  }),
  bug('what a full disk keeps from being left to the user is kept for ever', 'test/unit/renders/recovery.test.ts', {
    find: 'this.runAgain();\n      this.log.error(`Couldn’t recover renders',
    replace: 'this.log.error(`Couldn’t recover renders',
  }),
  bug('a contradiction is forgotten for what states nothing', 'test/unit/renders/poller.test.ts', {
    find: "return record.problem?.code === 'contradicted' ? comparison === 'same' : comparison !== 'other';",
    replace: "return comparison !== 'other';",
  }),
  bug('a duration of hours lays the next look hours away', 'test/unit/renders/poller.test.ts', {
    find: 'Math.min(nextLook(expected, soonest, this.closest), longestPauseMs)',
    replace: 'nextLook(expected, soonest, this.closest)',
  }),
  bug('what the user calls not charged is looked for no more', 'test/unit/renders/recovery.test.ts', {
    find: '(settled === undefined || settled.at >= since)',
    replace: '(settled === undefined || settled.at >= Infinity)',
  }),
  bug('what a backup calls not sent is sent without a look at the list', 90, {
    find: "if (record.state !== 'planned' || (age >= 0 && age < repeatWindowMs)) return undefined;",
    replace: 'if (age !== undefined) return undefined;',
  }),
  bug('what waits to be sent is nobody’s rival for what the list has', 24285, {
    find: "inStates('planned', 'sent', 'unknown')",
    replace: "inStates('sent', 'unknown')",
  }),
  bug(
    'a decision is sent as often as ten minutes allow',
    393,
    { find: 'if (isSent && isTriedOut(record)) return this.end(record, record.problem);', replace: '' },
    { find: 'if (isTriedOut(moved)) return 0;', replace: '' },
    { find: 'pauseBeforeRepeat(moved, this.random.unit())', replace: '2_000' },
  ),
  bug(
    'what was paid for is read with the very key it was ordered with, or never',
    3,
    {
      find: "isThere({ place }: Pick<RenderRecord, 'place'>",
      replace: 'isThere({ place, account }: RenderRecord',
    },
    {
      find: 'return place === connected.place ||',
      replace: 'return (place === connected.place && account === connected.client.account) ||',
    },
  ),
  bug('what no key in use can repeat claims for ever that it is repeated', 38, {
    find: 'if (giveUp) for (const record of left) if (!isOurs(record)) this.renderer.giveUp(record);',
    replace: '',
  }),
  bug(
    'a render that is denied for some seconds is given up for good',
    42,
    { find: 'if (now - since < denialMs) return;', replace: 'if (times < 2) return;' },
    { find: ".inStates('accepted', 'unknown')", replace: ".inStates('accepted')" },
    { find: '      this.lookLater();', replace: '' },
  ),
  bug(
    'two orders that got one id claim the same charge',
    196,
    { find: 'if (first) this.share(first, key);', replace: '' },
    {
      find: 'if (generationId === undefined && first)',
      replace: 'if (generationId === undefined && first?.key === key)',
    },
  ),
  bug('a daily cap that is told elsewhere is no refusal', 1612, {
    find: "return statesCode(body, 'API_KEY_DAILY_CAP') ?",
    replace: 'return JSON.stringify(body).startsWith(\'{"code":"API_KEY_DAILY_CAP"\') ?',
  }),
  bug('large inputs are taken for others, as only their beginnings are at hand', 391, {
    find: '(record.isApart ? cutShort(inputs) : inputs)',
    replace: 'inputs',
  }),
  bug('a large input that a response is too long for is one that wasn’t sent', 7054287, {
    find: "const leftOut = '{}';",
    replace: "const leftOut = 'null';",
  }),
  bug('a wait of centuries is waited for', 300, {
    find: 'return Math.min(longestWishMs, Number(stated) * 1000);',
    replace: 'return Number(stated) * 1000;',
  }),

  // Agents, and what a user lets them spend.
  bug('what a caller changes after the call is sent', 379, {
    find: 'const copy = new Copying().copy(inputs, []) as FrozenInputs;',
    replace: 'const copy = inputs as FrozenInputs;',
  }),
  bug(
    'a price is spent however long ago it was asked for',
    380,
    {
      find: 'if (isFresh(order.asked, this.client(), this.clock)) return order;\n    const {',
      replace: 'if (order.asked) return order;\n    const {',
    },
    {
      find: 'return isFresh(order.asked, this.client(), this.clock) ? order',
      replace: 'return order.asked ? order',
    },
  ),
  bug('a caller is told that it waits, and it is sent all the same', 'test/unit/renders/fate.test.ts', {
    find: '    if (deps.renderer.isSending(key)) await deps.renderer.send(key).catch(() => undefined);\n    const entry = await restOf(key, outdated, deps);',
    replace:
      "    const entry = await restOf(key, outdated, deps);\n    if (entry.state === 'planned') return { is: 'waiting', entry };",
  }),
  bug('an allowance is counted once the order is placed', 303, {
    find: "if (initiator === 'agent') this.allowance.take(order);",
    replace: "if (initiator === 'agent') this.clock.after(2_000, () => this.allowance.take(order));",
  }),
  bug('a price that rose counts as what it was before', 1058, {
    find: 'before: order.before ?? { shownCents: order.shownCents } };',
    replace: '};',
  }),
  bug('what was charged is not counted any more once it has ended', 6, {
    find: 'isUncharged(state) ? 0 : hasEnded',
    replace: "(isUncharged(state) || state === 'saved') ? 0 : hasEnded",
  }),
  bug('a yes to one agent is one to those that wait', 18, {
    find: 'if (this.whyAsk(order, initiator) === undefined) resolve(this.pass(order, initiator));',
    replace: "if (initiator === 'agent') resolve('agreed');",
  }),
  bug('orders of agents that are the same are placed beside each other', 19, {
    find: 'if (!isSameDraft(one, draft)) continue;',
    replace: 'if (draft !== one) continue;',
  }),
  bug('an agent that asks again for what it has gets it twice', 17, {
    find: "if (record.by !== 'agent') return false;",
    replace: 'if (record.by !== undefined) return false;',
  }),
  bug(
    'what an agent no longer wants is placed for it',
    900,
    { find: 'isWanted() ? [order] : []', replace: '[order]' },
    { find: 'if (!isWanted()) return undefined;', replace: '' },
  ),
  bug(
    'an agent’s order that another window has isn’t joined there',
    158,
    { find: '(order) => again || !this.recorded(order)', replace: '() => true' },
    {
      find: 'this.library.catchUp();\n      const record = this.recorded(draft);',
      replace: 'const record = this.recorded(draft);',
    },
  ),

  // Lists of images, and who orders them.
  bug(
    'what is confirmed together is held in memory, and recorded when its turn comes',
    2,
    {
      find: 'return this.renderer.plan(() => this.choose(orders, isWanted).map((order) => this.located(order)));',
      replace: 'return this.choose(orders, isWanted).map(({ intent }) => ({ key: intent }) as RenderRecord);',
    },
    {
      find: "if (record?.state !== 'planned') return record;",
      replace: 'if (!record) return this.budgets.place(now);',
    },
  ),
  bug('a list is ordered without another look at what other windows have ordered', 3, {
    find: 'const wanted = orders.filter(isWanted);',
    replace: 'const wanted = orders;',
  }),
  bug('what a crashed window was about to send claims for ever that it waits for its turn', 13, {
    find: 'this.renderer.leaveIfDropped(record);',
    replace: 'void record;',
  }),
  bug('a caller’s wait doesn’t let its window hear what another one did', 'test/unit/renders/fate.test.ts', {
    find: 'outdated = entry.record;',
    replace: '',
  }),

  // What a user's limits count.
  bug('a charge of 0 that is stated before the end frees a limit', 126, {
    find: 'sum + render.renders * countedCents(render)',
    replace: 'sum + render.renders * (render.costCents ?? render.shownCents ?? 0)',
  }),
  bug('a charge of 0 that is stated before the end is given back', 2003, {
    find: 'const cents = countedCents(record);',
    replace:
      "const cents = record.state === 'refused' || record.state === 'refunded' ? 0 : (record.costCents ?? record.shownCents ?? 0);",
  }),
  bug('the unattended budget counts prices, whatever is charged', 282, {
    find: 'this.unconfirmed.follow(record);',
    replace: '',
  }),
  bug('prices are believed after a charge above one', 282, {
    find: 'this.hasExceeded ||= costCents > shownCents;',
    replace: '',
  }),
  bug('an allowance outlives a charge above its price', 'test/unit/renders/consent.test.ts', {
    find: 'this.granted === undefined || this.isExceeded) return false;',
    replace: 'this.granted === undefined) return false;',
  }),
  bug('each spelling of a project has a limit of its own', 534, {
    find: 'realRoot === undefined ? isSpelled(written) : realRoot === folder',
    replace: 'realRoot === null ? isSpelled(written) : written === root',
  }),

  // Real-world disks and folders.
  bug('a text beside a file is taken for the result', 87, {
    find: "return contentUrl === undefined && textOutput !== '' ? textOutput : undefined;",
    replace: 'return textOutput;',
  }),
  bug('only some ways of saying that a disk knows no links are understood', 1, {
    find: 'if (hopeless.has(codeOf(error)) || (await this.links(written))) throw problemOf(error);\n      return this.takeWithoutLinks(',
    replace:
      "if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw problemOf(error);\n      return this.takeWithoutLinks(",
  }),
  bug('a disk that fails for a moment is taken for a link that leads out of the project', 1266, {
    find: "if (['ENOENT', 'ELOOP'].includes(codeOf(error))) throw",
    replace: 'throw',
  }),
  bug('a disk without modes of files keeps nothing', 14, {
    find: 'if (modeless.has(codeOf(error))) return undefined;',
    replace: '',
  }),
  bug('a result fills the disk that the ledger is on', 2, {
    find: 'if (there && there.free - left < bytes)',
    replace: 'if (there && there.free < bytes)',
  }),
  bug('a ledger that is moved away goes on being written', 33, {
    find: "if (!this.isInPlace()) return new LedgerError('gone', 'The ledger was deleted, moved, or replaced');",
    replace: '',
  }),
  bug('what a later version wrote into a record is left out', 8, {
    find: '{ ...(JSON.parse(before) as JsonObject), ...changeShape.parse(change) }',
    replace: 'changeShape.parse({ ...(JSON.parse(before) as JsonObject), ...change })',
  }),
  bug('what a busy disk refuses is left to the user', 475, {
    find: "return usersChoice.has(error.code) ? 'user' : 'time';",
    replace: "return 'user';",
  }),
];

function bug(name: string, caughtBy: number | string, ...edits: Edit[]): Bug {
  return { name, caughtBy, edits };
}
