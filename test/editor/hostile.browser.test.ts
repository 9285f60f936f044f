import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { HostileFolder } from './hostileFolder';

/** How long the host's thread may be blocked, ms. */
const longest = 200;

suite('While a hostile folder and each of its documents is opened, the extension host keeps running', () => {
  let folder: HostileFolder;
  before(async () => {
    folder = await HostileFolder.create();
  });
  after(() => folder.remove());

  for (const isTrusted of [true, false])
    test(isTrusted ? 'in a trusted window' : 'in Restricted Mode', async (t) => {
      const { pauseMs, workMs, oursMs } = await folder.open({ isTrusted, isOurs: true });
      const [ours, all, between] = [oursMs, workMs, pauseMs].map((ms) => Math.round(ms));
      t.diagnostic(`at most ${ours} ms for us, ${all} ms for anybody at all, ${between} ms between beats`);
      assert.ok(oursMs > 0, 'nothing of ours was seen');
      assert.ok(oursMs <= longest, `${ours} ms`);
    });
});
