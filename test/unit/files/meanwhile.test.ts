import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { localReplacing } from '../../../src/files/localSink';
import { FileProblem } from '../../../src/files/problem';
import { NotReplaced, replaceFile } from '../../../src/files/replacement';
import { Chance } from '../../faults/simulate/chance';
import { hashedText, temporaryFolder } from './disks';
import { interruptedDisk, PersonAtDisk } from './personAtDisk';

const seeds = 600;
const hero = 'hero.png';
const earlierName = 'hero.earlier.png';

test('whatever a user does to files during a replacement, their files are where they left them', async (t) => {
  const folder = await temporaryFolder(t);
  const ends = { replaced: 0, left: 0, deeds: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const { person, wasReplaced } = await replacedMeanwhile(mkdtempSync(join(folder, 'run-')), new Chance(seed));
    ends[wasReplaced ? 'replaced' : 'left']++;
    ends.deeds += person.deeds.length;
  }
  t.diagnostic(`${seeds} runs: ${JSON.stringify(ends)}`);
  assert.ok(ends.replaced > seeds / 5 && ends.left > seeds / 5, JSON.stringify(ends));
});

async function replacedMeanwhile(folder: string, chance: Chance) {
  const person = new PersonAtDisk(
    folder,
    chance,
    [hero, hero, earlierName, 'notes.md'],
    chance.between('every', 4, 40),
  );
  const agreed = person.has(hero);
  if (chance.unit('earlier') < 0.3) person.has(earlierName);
  person.has('notes.md');
  const disk = interruptedDisk((operation) => person.moment(operation));
  const file = pathToFileURL(join(folder, hero)).href;
  const random = { uuid: () => crypto.randomUUID(), unit: () => 0 };
  let failure: unknown;
  let earlier: string | undefined;
  try {
    const files = await localReplacing(disk, pathToFileURL(folder).href, file);
    const agreement = { sha256: hashedText(agreed).sha256, isReadOnly: true };
    const kept = await replaceFile(files, file, hashedText('ours'), agreement, random, () => person.moment('proof'));
    earlier = kept && kept.uri.slice(kept.uri.lastIndexOf('/') + 1).replaceAll('%20', ' ');
  } catch (error) {
    failure = error;
  }
  const story = `seed ${chance.seed}: ${person.deeds.join('; ')} — ${String(failure)}`;
  assert.ok(!failure || failure instanceof FileProblem || failure instanceof NotReplaced, story);
  for (const [name, text] of person.missing) {
    assert.deepEqual([name, text], [hero, agreed], `lost, ${story}`);
    assert.ok(earlier !== undefined, `replaced though it failed, ${story}`);
    const isKept = person.others.some(([other, kept]) => other === earlier && kept === agreed);
    assert.ok(isKept || person.touched.has(earlier), `not kept beside, ${story}`);
  }
  const ours = failure ? [] : ['ours', agreed];
  const strange = person.others.filter(([, text]) => !ours.includes(text));
  assert.deepEqual(strange, [], `left behind, ${story}`);
  return { person, wasReplaced: !failure };
}
