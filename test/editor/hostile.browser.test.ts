import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { HostileFolder } from './hostileFolder';

/** How long the host's thread may be blocked, ms. */
const longest = 200;

suite('While a hostile folder is opened, and each of its documents, the extension host goes on', () => {
  let folder: HostileFolder;
  before(async () => {
    folder = await HostileFolder.create();
  });
  after(() => folder.remove());

  for (const isTrusted of [true, false])
    test(isTrusted ? 'in a trusted window' : 'in Restricted Mode', async (t) => {
      const held = async (isOurs: boolean) => {
        const { pauseMs, workMs } = await folder.open({ isTrusted, isOurs });
        const whose = isOurs ? 'with us' : 'without us';
        t.diagnostic(`${whose}: at work for ${Math.round(workMs)} ms at most, ${Math.round(pauseMs)} ms between beats`);
        return workMs;
      };
      const ours = await held(true);
      if (ours <= longest) return;
      // The editor's own extensions start and read these documents too.
      assert.ok(ours <= 1.2 * (await held(false)), `${Math.round(ours)} ms`);
    });
});
