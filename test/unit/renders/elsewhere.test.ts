import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Elsewhere } from '../../../src/renders/elsewhere';
import { TestClock } from '../clock';
import { noResponse, TestService } from './service';
import { folderFor, openWindow } from './world';

async function watched(t: TestContext) {
  const clock = new TestClock();
  const service = new TestService(clock);
  service.generationsById.set('far', { id: 'far', status: 'queued', createdAt: clock.now() });
  const { library } = await openWindow(t, folderFor(t), service, clock);
  const elsewhere = new Elsewhere(library, { pollIntervalMs: () => 3000 }, clock);
  t.after(() => elsewhere.dispose());
  await library.refresh();
  return { clock, service, library, elsewhere };
}

test('a render started elsewhere is in progress until the service’s list says otherwise', async (t) => {
  const { clock, service, library, elsewhere } = await watched(t);
  elsewhere.watch(true);
  assert.equal(library.get('service:far')?.group, 'active');
  service.set('far', { status: 'succeeded' });
  await clock.advance(3000);
  assert.equal(library.get('service:far')?.group, 'finished');
  const asked = service.listCalls;
  await clock.advance(600_000);
  assert.equal(service.listCalls, asked, 'nothing is asked while nothing is under way');
});

test('the list isn’t requested while it isn’t visible', async (t) => {
  const { clock, service, elsewhere } = await watched(t);
  await clock.advance(60_000);
  assert.equal(service.listCalls, 1);
  elsewhere.watch(true);
  await clock.advance(6000);
  assert.equal(service.listCalls, 2);
  elsewhere.watch(false);
  await clock.advance(60_000);
  assert.equal(service.listCalls, 2);
});

test('a render that never ends is requested less and less often', async (t) => {
  const { clock, service, elsewhere } = await watched(t);
  elsewhere.watch(true);
  await clock.advance(60_000);
  assert.ok(service.listCalls >= 12, `${service.listCalls} in the first minute`);
  await clock.advance(24 * 3_600_000);
  const before = service.listCalls;
  await clock.advance(600_000);
  assert.equal(service.listCalls - before, 10);
});

test('a list request that failed is repeated', async (t) => {
  const { clock, service, library, elsewhere } = await watched(t);
  elsewhere.watch(true);
  service.outage = noResponse();
  await clock.advance(3000);
  assert.equal(library.problem, 'connection reset');
  service.outage = undefined;
  service.set('far', { status: 'failed' });
  await clock.advance(10_000);
  assert.equal(library.get('service:far')?.group, 'finished');
});
