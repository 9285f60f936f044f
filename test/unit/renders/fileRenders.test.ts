import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { FileRenders } from '../../../src/renders/fileRenders';
import type { LibraryEntry } from '../../../src/renders/library';
import type { RenderRecord, Target } from '../../../src/renders/record';
import { record } from './records';

const root = 'file:///project';
const hero: Target = { root, folder: 'images', fileName: 'hero', ending: 'png' };

/** A render with that target, newest first. */
function entry(group: LibraryEntry['group'], target: Target, change: Partial<RenderRecord> = {}): LibraryEntry {
  const made = record({ target, ...change });
  return { id: made.key, group, modelId: made.modelId, inputs: made.inputs, record: made };
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
  become();
  assert.equal(seen.changes, 2);
});

test('leaves nothing to order for a file whose render isn’t over, or was saved after its list was made', () => {
  const failed = entry('finished', hero, { key: 'failed', state: 'failed' });
  const saved = entry('finished', hero, { key: 'saved', state: 'saved' });
  const { files, become } = followed(failed);
  const before = files.byFile;
  const other = () => files.otherFor(hero, before)?.id;
  assert.equal(other(), undefined);
  become(entry('active', hero, { key: 'waiting', state: 'planned', due: true }), failed);
  assert.equal(other(), 'waiting');
  become(entry('active', hero, { key: 'active', state: 'sent' }), failed);
  assert.equal(other(), 'active');
  become({ ...saved, state: 'saved' }, failed);
  assert.equal(other(), 'saved');
  // Who asks now knows of it: the file may have been deleted since.
  assert.equal(files.otherFor(hero), undefined);
  become(entry('finished', hero, { key: 'refused', state: 'refused' }), failed);
  assert.equal(other(), undefined);
  assert.equal(files.otherFor({ ...hero, fileName: '${slug}', ending: undefined }), undefined);
});
