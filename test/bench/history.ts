import { createHash } from 'node:crypto';
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock, systemRandom } from '../../src/base/clock';
import { silentLog } from '../../src/base/log';
import { fingerprint } from '../../src/catalog/apiKey';
import { nodeDisk } from '../../src/files/disk';
import { readSalt } from '../../src/files/salt';
import { Fitter } from '../../src/files/fit/fitter';
import { Ledger } from '../../src/renders/ledger';
import { ledgerName } from '../../src/renders/ledgerError';
import { Thumbnails, thumbnailsFolder } from '../../src/renders/thumbnails';
import { root } from '../editor/root';
import { benchKey, benchModel } from './service';

/**
 * Fills a storage folder's ledger with saved renders of the service's only account for a project (its folder's URI),
 * all of the same image, one per minute until now. Resolves with the ledger's file.
 */
export async function writeHistory(
  storage: string,
  place: string,
  renders: number,
  { project = 'file:///project', image = new Uint8Array(1) }: { project?: string; image?: Uint8Array } = {},
): Promise<string> {
  await mkdir(storage, { recursive: true });
  const account = await fingerprint(benchKey, await readSalt(storage, nodeDisk, systemRandom));
  const file = join(storage, ledgerName);
  const ledger = await Ledger.open(file);
  const inputs = { prompt: 'A lighthouse on a cliff at sunset' };
  const body = new TextEncoder().encode(JSON.stringify({ modelId: benchModel, inputs }));
  const target = { root: project, folder: 'renders', fileName: '${slug}' };
  const sha256 = createHash('sha256').update(image).digest('hex');
  const plannedAt = Date.now() - renders * 60_000;
  ledger.takeUp(
    { key: systemRandom.uuid(), place, account, modelId: benchModel, inputs, body, target, plannedAt, shownCents: 4 },
    {
      ...{ state: 'saved', attempt: 1, unanswered: 0, owner: 'earlier', generationId: 'g0', status: 'succeeded' },
      spooled: { name: 'result', bytes: image.length, sha256, mediaType: 'image/png', extension: 'png' },
      ...{ costCents: 4, acceptedAt: plannedAt, endedAt: plannedAt, file: `${project}/renders/lighthouse.png` },
    },
  );
  ledger.close();
  repeat(file, renders - 1, project);
  return file;
}

/** Gives every render of a ledger the thumbnail of this image. */
export async function writeThumbnails(storage: string, ledger: string, image: Uint8Array): Promise<void> {
  const db = new DatabaseSync(ledger);
  const [first = '', ...others] = db
    .prepare('SELECT key FROM renders')
    .all()
    .map(({ key }) => String(key));
  db.close();
  const folder = join(storage, thumbnailsFolder);
  const fitter = new Fitter(join(root, 'dist', 'fit.mjs'), systemClock);
  const thumbnails = new Thumbnails(folder, nodeDisk, fitter, systemClock, silentLog);
  await thumbnails.make(first, 'image/png', () => Promise.resolve(image));
  const made = thumbnails.of(first);
  if (made === undefined) throw new Error('The image gets no thumbnail.');
  for (const key of others) await link(made, join(folder, `${key}.webp`));
}

/** Repeats the ledger's only render, each later than the previous one, in one transaction. */
function repeat(file: string, times: number, project: string): void {
  const db = new DatabaseSync(file);
  db.prepare(
    `WITH RECURSIVE counts (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counts WHERE n < ?)
     INSERT INTO renders (key, state, attempt, version, place, account, body, seal, decision, progress)
     SELECT key || n, state, attempt, version, place, account, body, seal,
       json_set(decision, '$.plannedAt', json_extract(decision, '$.plannedAt') + n * 60000,
         '$.inputs.prompt', json_extract(decision, '$.inputs.prompt') || ', number ' || n),
       json_set(progress, '$.generationId', 'g' || n, '$.file', ? || '/renders/lighthouse-' || n || '.png')
     FROM renders, counts`,
  ).run(times, project);
  db.close();
}
