import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import { silentLog } from '../../../src/base/log';
import { FileRenders } from '../../../src/renders/fileRenders';
import type { LibraryEntry } from '../../../src/renders/library';
import type { Order, RenderRecord, Target } from '../../../src/renders/record';
import { record } from './records';

const root = 'file:///project';
const hero: Target = { root, folder: 'images', fileName: 'hero', ending: 'png' };

/** A render with that target, newest first. */
function entry(group: LibraryEntry['group'], target: Target, change: Partial<RenderRecord> = {}): LibraryEntry {
  const made = record({ target, ...change });
  return { id: made.key, group, modelId: made.modelId, inputs: made.inputs, record: made };
}

function order(intent: string, target: Target): Order {
  return { intent, modelId: 'a/b/c', inputs: {}, target, shownCents: 4, account: 'account' };
}

/** The renders of files among these, and how often they changed. */
function followed(...entries: LibraryEntry[]) {
  const changed = new Emitter<void>();
  const library = { entries, onDidChange: changed.event };
  const files = new FileRenders(library, silentLog);
  const seen = { changes: 0 };
  files.onDidChange(() => (seen.changes += 1));
  const become = (...now: LibraryEntry[]) => {
    library.entries = now;
    changed.fire();
  };
  return { files, seen, become };
}

test('a confirmed order is in progress for its file until it’s recorded, and then its record is', () => {
  const { files, become } = followed();
  const [first, second] = [order('one', hero), order('two', { ...hero, fileName: 'icon' })];
  files.wait([first, second]);
  const groups = () => [...files.byFile].map(([file, { id, group }]) => [file, id, group]);
  assert.deepEqual(groups(), [
    ['file:///project/images/hero.png', 'one', 'active'],
    ['file:///project/images/icon.png', 'two', 'active'],
  ]);
  become(entry('active', hero, { key: 'one' }));
  files.waitNoMore([first]);
  assert.equal(files.byFile.get('file:///project/images/hero.png')?.record?.key, 'one');
  files.waitNoMore([first, second]);
  assert.deepEqual([...files.byFile.keys()], ['file:///project/images/hero.png']);
});

test('a render that replaces a file is that file’s, one named by a template is no file’s', () => {
  const replaces = { uri: 'file:///project/images/H%C3%A9ro.JPG', sha256: '' };
  const { files } = followed(
    entry('finished', { root, folder: 'images', fileName: 'H\u00e9ro', replaces }, { staged: true }),
    entry('finished', { root, folder: '', fileName: '${slug}-${model}' }),
    entry('active', { root, folder: '', fileName: 'logo' }),
  );
  assert.deepEqual([...files.byFile.keys()], ['file:///project/images/h\u00e9ro.jpg', 'file:///project/logo']);
});

test('one that isn’t over comes before newer ones that are, else the newest counts', () => {
  const [failed, staged, older] = [
    entry('finished', hero, { state: 'failed' }),
    entry('finished', hero, { staged: true }),
    entry('unknown', hero, { state: 'unknown' }),
  ];
  assert.equal(followed(failed, staged, older).files.byFile.get('file:///project/images/hero.png'), staged);
  const saved = entry('finished', hero);
  assert.equal(followed(failed, saved).files.byFile.get('file:///project/images/hero.png'), failed);
});

test('it announces what concerns a file, and nothing else', () => {
  const made = entry('active', hero);
  const { files, seen, become } = followed(made);
  assert.equal(files.byFile.size, 1);
  become(entry('finished', { root, folder: '', fileName: '${slug}' }), made);
  assert.equal(seen.changes, 0);
  become(entry('finished', hero));
  assert.equal(seen.changes, 1);
  files.wait([order('one', { ...hero, fileName: 'icon' })]);
  assert.equal(seen.changes, 2);
  become();
  assert.equal(seen.changes, 3);
});

test('leaves nothing to order for a file whose render isn’t over, or was saved after its list was made', () => {
  const failed = entry('finished', hero, { key: 'failed', state: 'failed' });
  const saved = entry('finished', hero, { key: 'saved', state: 'saved' });
  const { files, become } = followed(failed);
  const before = files.byFile;
  const other = () => files.otherFor(hero, before)?.id;
  assert.equal(other(), undefined);
  files.wait([order('waiting', hero)]);
  assert.equal(other(), 'waiting');
  become(entry('active', hero, { key: 'active', state: 'sent' }), failed);
  files.waitNoMore([order('waiting', hero)]);
  assert.equal(other(), 'active');
  become({ ...saved, state: 'saved' }, failed);
  assert.equal(other(), 'saved');
  // Who asks now knows of it: the file may have been deleted since.
  assert.equal(files.otherFor(hero), undefined);
  become(entry('finished', hero, { key: 'refused', state: 'refused' }), failed);
  assert.equal(other(), undefined);
  assert.equal(files.otherFor({ ...hero, fileName: '${slug}', ending: undefined }), undefined);
});
