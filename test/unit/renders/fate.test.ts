import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/disposable';
import { fateOf, type Fate } from '../../../src/renders/fate';
import type { LibraryEntry } from '../../../src/renders/library';
import type { RenderRecord, RenderState } from '../../../src/renders/record';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';

const groups: Partial<Record<RenderState, LibraryEntry['group']>> = {
  planned: 'notSent',
  sent: 'active',
  accepted: 'active',
  unknown: 'unknown',
};

/** One render, moved along by a test. */
class Desk {
  readonly clock = new TestClock();
  sending: ReturnType<typeof deferred<RenderRecord>> | undefined = deferred<RenderRecord>();
  inUse = true;
  discards: () => boolean = () => (this.become('discarded'), true);
  fate: Fate | undefined;
  private state: RenderState = 'planned';
  private version = 1;
  private readonly changed = new Emitter<void>();

  wait(): void {
    const world = {
      renderer: {
        isSending: () => this.sending !== undefined,
        send: () => this.sending!.promise,
        discard: () => this.discards(),
      },
      library: { ofRecord: () => this.entry, onDidChange: this.changed.event },
      isInUse: () => this.inUse,
      clock: this.clock,
    };
    void fateOf('key', world).then((fate) => (this.fate = fate));
  }

  /** Changes the record's state. */
  become(state: RenderState): void {
    this.state = state;
    this.version += 1;
    this.changed.fire();
  }

  /** Ends the attempt to send in this state. */
  async sent(state: RenderState): Promise<void> {
    const { sending } = this;
    this.sending = undefined;
    this.become(state);
    sending!.resolve({} as RenderRecord);
    await settled();
  }

  async connect(inUse: boolean): Promise<void> {
    this.inUse = inUse;
    this.changed.fire();
    await settled();
  }

  get said(): string | undefined {
    return this.fate && `${this.fate.is} ${this.fate.entry.state}`;
  }

  private get entry(): LibraryEntry {
    const { state, version } = this;
    const record = { key: 'key', state, version } as RenderRecord;
    return { id: 'key', group: groups[state] ?? 'finished', state, modelId: 'm', inputs: {}, record };
  }
}

test('a render that isn’t sent yet is awaited until it ends', async () => {
  const desk = new Desk();
  desk.wait();
  await desk.clock.advance(60_000);
  assert.equal(desk.said, undefined);
  await desk.sent('accepted');
  assert.equal(desk.said, undefined);
  desk.become('saved');
  await settled();
  assert.equal(desk.said, 'ended saved');
});

for (const state of ['failed', 'refunded', 'refused', 'unknown'] as const)
  test(`${state} is an end`, async () => {
    const desk = new Desk();
    desk.wait();
    await desk.sent(state);
    assert.equal(desk.said, `ended ${state}`);
  });

test('a render that can’t be sent is given up before its caller knows, so that it’s never sent in addition to another', async () => {
  const desk = new Desk();
  desk.wait();
  await desk.sent('planned');
  assert.equal(desk.said, 'notSent planned');
});

test('a sent render that went back to waiting is given up too', async () => {
  const desk = new Desk();
  desk.wait();
  await desk.sent('sent');
  desk.become('planned');
  await settled();
  assert.equal(desk.said, 'notSent planned');
});

test('a render that another window is sending is awaited', async () => {
  const desk = new Desk();
  desk.discards = () => (desk.become('sent'), false);
  desk.wait();
  await desk.sent('planned');
  assert.equal(desk.said, undefined);
  desk.become('saved');
  await settled();
  assert.equal(desk.said, 'ended saved');
});

test('a render that another window has taken is awaited, even before this one hears of it', async () => {
  const desk = new Desk();
  let discards = 0;
  desk.discards = () => {
    if (++discards > 1) throw new Error('asked again, though nothing has changed');
    return false;
  };
  desk.wait();
  await desk.sent('planned');
  assert.equal(desk.said, undefined);
  desk.become('sent');
  desk.become('saved');
  await settled();
  assert.equal(desk.said, 'ended saved');
});

test('a render that can’t be given up is reported as waiting for the user', async () => {
  const desk = new Desk();
  desk.discards = () => {
    throw new Error('disk');
  };
  desk.wait();
  await desk.sent('planned');
  assert.equal(desk.said, 'waiting planned');
});

test('a render that the user discards isn’t sent', async () => {
  const desk = new Desk();
  desk.wait();
  await desk.sent('discarded');
  assert.equal(desk.said, 'notSent discarded');
});

test('a render whose account stays away isn’t waited for forever', async () => {
  const desk = new Desk();
  desk.wait();
  await desk.sent('accepted');
  await desk.connect(false);
  await desk.clock.advance(299_999);
  assert.equal(desk.said, undefined);
  await desk.clock.advance(1);
  assert.equal(desk.said, 'away accepted');
  assert.equal(desk.clock.waiting, 0);
});

test('an account that returns in time is awaited, however long', async () => {
  const desk = new Desk();
  desk.wait();
  await desk.sent('accepted');
  await desk.connect(false);
  await desk.clock.advance(200_000);
  await desk.connect(true);
  await desk.clock.advance(3_600_000);
  assert.equal(desk.said, undefined);
  desk.become('saved');
  await settled();
  assert.equal(desk.said, 'ended saved');
});
