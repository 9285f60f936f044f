import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { safeFolder } from '../../../src/files/folder';
import { FileProblem } from '../../../src/files/problem';

test('a folder inside the workspace gives its segments', () => {
  assert.equal(safeFolder('renders'), 'renders');
  assert.equal(safeFolder('./assets\\Bilder & Töne//100%/'), 'assets/Bilder & Töne/100%');
  assert.equal(safeFolder(''), '');
  assert.equal(safeFolder('.'), '');
});

test('a folder that leads elsewhere, or belongs to tools, is rejected', () => {
  const refused = [
    ...[
      '..',
      '../..',
      'a/../b',
      'a\\..\\b',
      '/tmp',
      '\\tmp',
      '\\\\srv\\share',
      '//srv/share',
      'C:\\x',
      'C:x',
      'c:/x',
      'a/b:stream',
    ],
    ...[
      '~',
      '~/.ssh',
      '~root/x',
      '.git',
      'a/.git/hooks',
      '.GIT',
      '.vscode',
      '.ssh',
      'GIT~1',
      'x/git~1/hooks',
      '\u200c.git',
    ],
    ...[
      '.g\u200cit',
      'a./b',
      'a /b',
      '...',
      '$HOME/x',
      '${env:HOME}',
      '$(id)',
      '%APPDATA%\\x',
      'nul',
      'a/com1.x',
      'a\0b',
      'a\nb',
      'a*',
    ],
  ];
  for (const setting of refused) {
    assert.throws(
      () => safeFolder(setting),
      (error) => error instanceof FileProblem && error.code === 'outsideFolder',
      setting,
    );
  }
});

test('no setting leads out of the workspace', () => {
  const pieces = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '~',
    'a',
    ' ',
    'C:',
    '.git',
    '\u200d',
    '$',
    '%',
    '{',
    'nul',
    '\u0000',
  );
  const setting = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(setting, (given) => {
      let folder: string;
      try {
        folder = safeFolder(given);
      } catch (error) {
        assert.ok(error instanceof FileProblem);
        return;
      }
      for (const [path, home] of [
        [posix, '/home/w'],
        [win32, 'C:\\w'],
      ] as const) {
        const there = path.relative(home, path.join(home, folder));
        assert.ok(!path.isAbsolute(there) && !there.split(path.sep).some((segment) => segment.startsWith('.')), given);
      }
      assert.equal(safeFolder(folder), folder);
    }),
    { numRuns: 20_000 },
  );
});
