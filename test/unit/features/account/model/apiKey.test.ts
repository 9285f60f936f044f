import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../../src/base/disposable';
import { ApiKeys, type Secrets } from '../../../../../src/features/account/model/apiKey';
import { settled, TestClock } from '../../../clock';

const origin = 'https://models.example';
const key = 'ai_live_0123456789';

/** A secret storage in memory; `faults` replaces its functions. */
function secretStorage(faults: Partial<Secrets> = {}) {
  const kept = new Map<string, string>();
  const changed = new Emitter<{ key: string }>();
  const secrets: Secrets = {
    get: (name) => Promise.resolve(kept.get(name)),
    store: (name, value) => {
      kept.set(name, value);
      changed.fire({ key: name });
      return Promise.resolve();
    },
    delete: (name) => {
      kept.delete(name);
      changed.fire({ key: name });
      return Promise.resolve();
    },
    onDidChange: changed.event,
    ...faults,
  };
  return { kept, secrets };
}

const never = () => new Promise<never>(() => {});

test('a stored key is found again, but only for its origin', async () => {
  const keys = new ApiKeys(secretStorage().secrets, new TestClock());
  assert.equal(await keys.store(origin, key), undefined);
  assert.deepEqual(await keys.read(origin), { outcome: 'found', key });
  assert.deepEqual(await keys.read('https://models.example:444'), { outcome: 'none' });
  assert.deepEqual(await keys.read('http://models.example'), { outcome: 'none' });
});

test('a forgotten key is gone', async () => {
  const { kept, secrets } = secretStorage();
  const keys = new ApiKeys(secrets, new TestClock());
  await keys.store(origin, key);
  assert.equal(await keys.forget(origin), undefined);
  assert.deepEqual(await keys.read(origin), { outcome: 'none' });
  assert.equal(kept.size, 0);
});

test('a key moved to another origin’s secret isn’t used there', async () => {
  const { kept, secrets } = secretStorage();
  const keys = new ApiKeys(secrets, new TestClock());
  await keys.store(origin, key);
  const [[name, value]] = [...kept] as [[string, string]];
  kept.set(name.replace(origin, 'https://evil.example'), value);
  assert.deepEqual(await keys.read('https://evil.example'), { outcome: 'unreadable', problem: { why: 'damaged' } });
});

test('a secret that isn’t ours is reported, and not taken for “no key”', async () => {
  const { kept, secrets } = secretStorage();
  const keys = new ApiKeys(secrets, new TestClock());
  await keys.store(origin, key);
  const [name] = kept.keys();
  for (const damaged of ['', 'ai_live_bare', '{', 'null', '[]', '{"origin":1,"key":2}', `{"origin":"${origin}"}`]) {
    kept.set(name!, damaged);
    assert.deepEqual(await keys.read(origin), { outcome: 'unreadable', problem: { why: 'damaged' } }, damaged);
  }
});

test('a keyring that forgets immediately is noticed when the key is stored', async () => {
  const { secrets } = secretStorage({ store: () => Promise.resolve() });
  assert.deepEqual(await new ApiKeys(secrets, new TestClock()).store(origin, key), { why: 'forgets' });
});

test('a keyring that fails is reported with its own message', async () => {
  const { secrets } = secretStorage({
    get: () => Promise.reject(new Error('locked')),
    delete: () => {
      throw new Error('locked');
    },
  });
  const keys = new ApiKeys(secrets, new TestClock());
  const problem = { why: 'failed', detail: 'locked' };
  assert.deepEqual(await keys.read(origin), { outcome: 'unreadable', problem });
  assert.deepEqual(await keys.forget(origin), problem);
});

test('a keyring that never answers is given up after three seconds', async () => {
  const { secrets } = secretStorage({ get: never, store: never });
  const clock = new TestClock();
  const keys = new ApiKeys(secrets, clock);
  const answers = Promise.all([keys.read(origin), keys.store(origin, key)]);
  await clock.advance(3000);
  const problem = { why: 'noAnswer' };
  assert.deepEqual(await answers, [{ outcome: 'unreadable', problem }, problem]);
});

/** A keyring that waits for its password: nothing finishes before `unlock`. */
function lockedKeyring() {
  const { kept, secrets } = secretStorage();
  const waiting: (() => void)[] = [];
  let asked = 0;
  const get = (name: string) => {
    asked += 1;
    return new Promise<string | undefined>((resolve) => waiting.push(() => resolve(kept.get(name))));
  };
  const unlock = () => waiting.splice(0).forEach((answer) => answer());
  return { open: secrets, secrets: { ...secrets, get }, unlock, asked: () => asked };
}

test('a keyring that responds after the deadline still counts, without being asked a second time', async () => {
  const keyring = lockedKeyring();
  const clock = new TestClock();
  await new ApiKeys(keyring.open, clock).store(origin, key);
  const keys = new ApiKeys(keyring.secrets, clock);
  const heard: string[] = [];
  keys.onDidChange((changed) => heard.push(changed));
  for (let times = 1; times <= 3; times++) {
    const reading = keys.read(origin);
    await clock.advance(3000);
    assert.deepEqual(await reading, { outcome: 'unreadable', problem: { why: 'noAnswer' } });
  }
  assert.deepEqual(heard, []);
  keyring.unlock();
  await settled();
  assert.deepEqual(heard, [origin]);
  assert.deepEqual(await keys.read(origin), { outcome: 'found', key });
  assert.equal(keyring.asked(), 1);
});

test('a late response doesn’t override a key that was stored in between', async () => {
  const keyring = lockedKeyring();
  const clock = new TestClock();
  const keys = new ApiKeys(keyring.secrets, clock);
  const reading = keys.read(origin);
  await clock.advance(3000);
  await reading;
  const heard: string[] = [];
  const storing = keys.store(origin, key);
  keys.onDidChange((changed) => heard.push(changed));
  keyring.unlock();
  await settled();
  keyring.unlock();
  assert.equal(await storing, undefined);
  assert.deepEqual(heard, []);
});

test('a keyring that fails after the deadline is asked again only on request', async () => {
  const clock = new TestClock();
  const { secrets } = secretStorage();
  let refuse: (error: Error) => void = () => {};
  const keys = new ApiKeys({ ...secrets, get: () => new Promise((_, reject) => (refuse = reject)) }, clock);
  const heard: string[] = [];
  keys.onDidChange((changed) => heard.push(changed));
  const first = keys.read(origin);
  await clock.advance(3000);
  await first;
  refuse(new Error('cancelled'));
  await settled();
  assert.deepEqual(heard, []);
  const second = keys.read(origin);
  refuse(new Error('locked'));
  assert.deepEqual(await second, { outcome: 'unreadable', problem: { why: 'failed', detail: 'locked' } });
});

test('a response leaves no timer behind', async () => {
  const clock = new TestClock();
  await new ApiKeys(secretStorage().secrets, clock).read(origin);
  assert.equal(clock.waiting, 0);
});

test('an editor without secret storage is reported', async () => {
  const keys = new ApiKeys(undefined, new TestClock());
  assert.deepEqual(await keys.read(origin), { outcome: 'unreadable', problem: { why: 'missing' } });
  assert.deepEqual(await keys.store(origin, key), { why: 'missing' });
});

test('a key changed in another window is announced with its service; other secrets aren’t ours', async () => {
  const { secrets } = secretStorage();
  const heard: string[] = [];
  new ApiKeys(secrets, new TestClock()).onDidChange((changed) => heard.push(changed));
  await secrets.store('something else', 'x');
  await new ApiKeys(secrets, new TestClock()).store(origin, key);
  assert.deepEqual(heard, [origin]);
});
