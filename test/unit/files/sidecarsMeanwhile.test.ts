import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { silentLog } from '../../../src/base/log';
import { systemClock } from '../../../src/base/clock';
import { besideFiles, Sidecars } from '../../../src/files/sidecars';
import { localReplacing } from '../../../src/files/localSink';
import { sidecarEnding, writeProvenance } from '../../../src/files/provenance';
import { Chance } from '../../faults/simulate/chance';
import { hashedText, temporaryFolder } from './disks';
import { interruptedDisk, PersonAtDisk } from './personAtDisk';

const seeds = 400;
const [kite, hare] = ['kite.png', 'hare.png'];
const image = 'the picture of the kite';
const ofKite = writeProvenance({ modelId: 'a/b/c', inputs: { prompt: 'a kite' }, sha256: hashedText(image).sha256 });
const ofHare = writeProvenance({ modelId: 'a/b/c', inputs: { prompt: 'a hare' } });
const random = { uuid: () => crypto.randomUUID(), unit: () => 0 };

test('whatever a user does while sidecar files follow their images, their files are where they left them', async (t) => {
  const folder = await temporaryFolder(t);
  const ends = { moved: 0, removed: 0, stayed: 0, deeds: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const { end, deeds } = await followedMeanwhile(mkdtempSync(join(folder, 'run-')), new Chance(seed));
    ends[end]++;
    ends.deeds += deeds;
  }
  t.diagnostic(`${seeds} runs: ${JSON.stringify(ends)}`);
  assert.ok(ends.moved > seeds / 8 && ends.removed > seeds / 8 && ends.deeds > seeds, JSON.stringify(ends));
});

async function followedMeanwhile(folder: string, chance: Chance) {
  const trashed = join(folder, '..', `trash-${chance.seed}`);
  mkdirSync(trashed);
  const beside = (name: string) => name + sidecarEnding;
  const earlier = 'hare.png.render.earlier.json';
  const names = [beside(kite), beside(hare), beside(kite), beside(hare), earlier, kite];
  const person = new PersonAtDisk(folder, chance, names, chance.between('every', 3, 12));
  writeFileSync(join(folder, kite), image);
  writeFileSync(join(folder, beside(kite)), ofKite);
  if (chance.unit('over') < 0.5) writeFileSync(join(folder, beside(hare)), ofHare);
  const hasTrash = chance.unit('trash') < 0.5;
  const disk = interruptedDisk((operation) => person.moment(operation));
  const read = async (uri: string) => {
    person.moment('a look');
    const chunks: Uint8Array[] = [];
    for await (const chunk of disk.read(fileURLToPath(uri))) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const places = {
    besideOf: beside,
    replacing: (file: string, root: string) => localReplacing(disk, root, file),
    trash: (file: string) => {
      person.moment('the trash');
      if (hasTrash) renameSync(fileURLToPath(file), join(trashed, `${readdirSync(trashed).length}`));
      return Promise.resolve(hasTrash);
    },
  };
  const sidecars = new Sidecars(
    {
      ...besideFiles(places, systemClock, random),
      read: (file) => read(beside(file)).catch(() => undefined),
      sha256: async (file) => hashedText(await read(file)).sha256,
    },
    silentLog,
  );
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  if (chance.unit('gesture') < 0.5) await sidecars.renamed([{ from: at(kite), to: at(hare) }]);
  else {
    await sidecars.deleted([at(kite)]);
    person.moment('it comes back');
    await sidecars.created([at(kite)]);
  }
  const story = `seed ${chance.seed}: ${person.deeds.join('; ')}`;
  const inTrash = readdirSync(trashed).map((name) => readFileSync(join(trashed, name), 'utf8'));
  const onDisk = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  const isKept = (text: string) => [...inTrash, ...onDisk.map(([, there]) => there)].includes(text);
  for (const [name, text] of person.missing) {
    // The editor moves existing files to the trash, from where they can be restored. An image's metadata moves with it.
    const mayMove = text === ofKite || text === ofHare;
    assert.ok(mayMove ? isKept(text) : inTrash.includes(text), `${name} (${text}) is lost, ${story}`);
  }
  assert.deepEqual(
    onDisk.filter(([name]) => name.endsWith('.part')),
    [],
    story,
  );
  for (const [name, text] of [
    [kite, ofKite],
    [hare, ofHare],
  ] as const)
    if (!person.touched.has(beside(kite)) && !person.touched.has(beside(hare)) && !person.touched.has(earlier))
      assert.ok(
        isKept(text) || (text === ofHare && chance.unit('over') >= 0.5),
        `what tells of ${name} is lost, ${story}`,
      );
  const end = onDisk.some(([name, text]) => name === beside(hare) && text === ofKite)
    ? 'moved'
    : onDisk.some(([name, text]) => name === beside(kite) && text === ofKite)
      ? 'stayed'
      : 'removed';
  return { end, deeds: person.deeds.length } as const;
}
