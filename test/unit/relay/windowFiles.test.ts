import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  forgetDeadWindows,
  openWindows,
  removeWindow,
  windowsAround,
  windowsFolder,
  writeWindow,
  type WindowFile,
} from '../../../src/relay/windowFiles';
import { newFolder } from './world';

/** A process ID that no process has. */
const dead = 2 ** 22 + 1;

function windowOf(changes: Partial<WindowFile> = {}): WindowFile {
  return { pid: process.pid, host: hostname(), socket: '/none', token: 'token', folders: [], since: 1, ...changes };
}

test('only this user can read a window’s file and its folder', (t) => {
  const folder = windowsFolder(newFolder(t));
  mkdirSync(folder, { mode: 0o755 });
  writeWindow(folder, windowOf());
  writeWindow(folder, windowOf({ folders: ['/project'] }));
  const [name] = readdirSync(folder);
  assert.equal(name, `${process.pid}.json`);
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(openWindows(folder)[0]?.folders, ['/project']);
});

test('dead windows, windows of other machines, and other files aren’t listed', (t) => {
  const folder = windowsFolder(newFolder(t));
  writeWindow(folder, windowOf());
  writeWindow(folder, windowOf({ pid: dead }));
  writeWindow(folder, windowOf({ pid: 1, host: 'elsewhere' }));
  writeFileSync(join(folder, '3.json'), '{"pid":3');
  writeFileSync(join(folder, '4.json'), JSON.stringify(windowOf()));
  writeFileSync(join(folder, '5.json'), JSON.stringify({ ...windowOf({ pid: 5 }), more: 'x'.repeat(300_000) }));
  assert.deepEqual(
    openWindows(folder).map(({ pid }) => pid),
    [process.pid],
  );
});

test('a missing folder has no windows', (t) => {
  assert.deepEqual(openWindows(join(newFolder(t), 'none')), []);
});

test('a dead window’s file and socket are removed, and nothing else', (t) => {
  const folder = windowsFolder(newFolder(t));
  const socket = join(mkdtempSync(join(tmpdir(), 'model-catalog-')), 'window');
  writeFileSync(socket, '');
  const other = join(newFolder(t), 'window');
  writeFileSync(other, '');
  writeWindow(folder, windowOf());
  writeWindow(folder, windowOf({ pid: dead, socket }));
  writeWindow(folder, windowOf({ pid: dead + 1, socket: other }));
  writeWindow(folder, windowOf({ pid: 7, host: 'elsewhere' }));
  forgetDeadWindows(folder);
  assert.deepEqual(readdirSync(folder).sort(), [`${process.pid}.json`, '7.json'].sort());
  assert.ok(!existsSync(dirname(socket)));
  assert.ok(existsSync(other), 'a file that names a path of somebody else removes nothing there');
});

test('a window that closes leaves nothing', (t) => {
  const folder = windowsFolder(newFolder(t));
  const socket = join(mkdtempSync(join(tmpdir(), 'model-catalog-')), 'window');
  writeWindow(folder, windowOf({ socket }));
  removeWindow(folder, windowOf({ socket }));
  assert.deepEqual(readdirSync(folder), []);
  assert.ok(!existsSync(dirname(socket)));
});

test('the window with the innermost folder around the project comes first, then those further out', (t) => {
  const root = newFolder(t);
  const site = join(root, 'site');
  const deep = join(site, 'docs', 'guide');
  mkdirSync(deep, { recursive: true });
  const outer = windowOf({ folders: ['/other', root] });
  const inner = windowOf({ folders: [site] });
  const elsewhere = windowOf({ folders: [join(root, 'sit'), join(deep, 'more')] });
  assert.deepEqual(windowsAround(deep, [outer, elsewhere, inner]), [inner, outer]);
  assert.deepEqual(windowsAround(root, [outer, elsewhere, inner]), [outer]);
  assert.deepEqual(windowsAround(join(root, '..'), [outer, inner]), []);
});

test('a project is found through a link to it', (t) => {
  const root = newFolder(t);
  mkdirSync(join(root, 'site'));
  symlinkSync(join(root, 'site'), join(root, 'link'));
  const window = windowOf({ folders: [join(root, 'link')] });
  assert.deepEqual(windowsAround(join(root, 'site'), [window]), [window]);
});
