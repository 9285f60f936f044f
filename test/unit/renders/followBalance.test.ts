import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import type { SessionState } from '../../../src/catalog/session';
import type { Connected } from '../../../src/renders/record';
import { followBalance } from '../../../src/renders/followMoney';
import type { SeenBalance } from '../../../src/renders/ledger';

function follow(see: (place: string, account: string, balance: SeenBalance) => void, readOnly = false) {
  const changes = new Emitter<SessionState>();
  const session = { state: { status: 'starting' } as SessionState, onDidChange: changes.event };
  const connected = { place: 'https://models.example', client: { account: 'account-1' } } as Connected;
  followBalance(session, () => connected, { see, readOnly }, silentLog);
  return (state: SessionState) => {
    session.state = state;
    changes.fire(state);
  };
}

test('every balance that the service states is saved once, with the time of its request', () => {
  const kept: unknown[] = [];
  const become = follow((...one) => kept.push(one));
  const balance = { cents: 900, at: 20, askedAt: 10 };
  become({ status: 'connected', balance });
  become({ status: 'offline', balance });
  become({ status: 'connected', balance });
  become({ status: 'connected', balance: { cents: 900, at: 30 } });
  assert.deepEqual(kept, [
    ['https://models.example', 'account-1', balance],
    ['https://models.example', 'account-1', { cents: 900, at: 30, askedAt: 30 }],
  ]);
});

test('a full disk doesn’t affect the balance, and a newer ledger isn’t touched', () => {
  const become = follow(() => {
    throw new Error('disk full');
  });
  become({ status: 'connected', balance: { cents: 900, at: 20 } });
  const kept: unknown[] = [];
  follow((...one) => kept.push(one), true)({ status: 'connected', balance: { cents: 900, at: 20 } });
  assert.deepEqual(kept, []);
});
