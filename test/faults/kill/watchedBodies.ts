import fs from 'node:fs';
import { basename, dirname } from 'node:path';
import type { At } from './points';

/** Whether the file is in the folder of large bodies. */
const isBody = (path: fs.PathLike) => dirname(String(path)).endsWith('.bodies');

/** Reports each step on the bodies through Node's file functions, since the ledger uses those directly. */
export function watchBodies(at: At): void {
  const bodies = new Set<unknown>();
  const folders = new Set<unknown>();
  const { openSync, writeFileSync, fsyncSync, renameSync, rmSync, mkdirSync, closeSync } = fs;
  fs.mkdirSync = ((path: fs.PathLike, ...how: []) => {
    const made = mkdirSync(path, ...how);
    if (String(path).endsWith('.bodies')) at('the folder of bodies is there');
    return made;
  }) as typeof mkdirSync;
  fs.openSync = (path, ...how) => {
    const file = openSync(path, ...how);
    if (String(path).endsWith('.bodies')) folders.add(file);
    // A file that is only read has its final name.
    if (isBody(path) && String(path).endsWith('.new')) {
      bodies.add(file);
      at('the body is open');
    }
    return file;
  };
  fs.writeFileSync = (file, data, ...how) => {
    if (!bodies.has(file) || !(data instanceof Uint8Array)) return writeFileSync(file, data, ...how);
    const half = Math.floor(data.length / 2);
    writeFileSync(file, data.subarray(0, half));
    at('the body is half written');
    writeFileSync(file, data.subarray(half));
    at('the body is written');
  };
  fs.fsyncSync = (file) => {
    fsyncSync(file);
    if (bodies.has(file)) at('the body is synced');
    if (folders.has(file)) at('the folder of bodies is synced');
  };
  fs.closeSync = (file) => {
    bodies.delete(file);
    folders.delete(file);
    closeSync(file);
  };
  fs.renameSync = (from, to) => {
    if (isBody(to)) at('before the body has its name');
    renameSync(from, to);
    if (isBody(to)) at('the body has its name');
  };
  fs.rmSync = (path, how) => {
    // A body removed with its record may be gone already; a swept one was seen.
    const name = how?.force ? 'the body' : 'a left-over body';
    if (isBody(path)) at(`before ${name} is removed`);
    rmSync(path, how);
    if (isBody(path)) at(`${name} is removed`);
  };
}

/** The names in the folder of large bodies. */
export function bodiesOf(ledgerPath: string): string[] {
  const folder = `${ledgerPath}.bodies`;
  return fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .map((name) => basename(name))
        .sort()
    : [];
}
