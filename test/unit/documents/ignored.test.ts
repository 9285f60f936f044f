import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Ignored } from '../../../src/documents/ignored';
import { longestConfig } from '../../../src/documents/site';
import { growsInProportionInTurns } from '../growth';

/** A folder's ignore files, by path. */
type Files = Readonly<Record<string, string>>;

async function ignored(files: Files, paths: readonly string[], within = ''): Promise<string[]> {
  const all = new Ignored((path) => Promise.resolve(files[path]), within);
  const are = await Promise.all(paths.map((path) => all.has(path)));
  return paths.filter((_, index) => are[index]);
}

/** The paths that git ignores. */
function ignoredByGit(files: Files, paths: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'model-catalog-ignored-'));
  try {
    const git = (args: string[], input = '') => execFileSync('git', args, { cwd: folder, input, stdio: 'pipe' });
    git(['init', '-q']);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const path of paths) mkdirSync(dirname(join(folder, path)), { recursive: true });
    for (const path of paths) writeFileSync(join(folder, path), '');
    const kept = git(['ls-files', '-z', '-o', '--exclude-per-directory=.gitignore']).toString().split('\0');
    return paths.filter((path) => !kept.includes(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite('What .gitignore leaves out', () => {
  const paths = [
    'a.md',
    'b.md',
    'a/a.md',
    'a/b/c.md',
    'b/a.md',
    'b/a/c.md',
    'c/x1.md',
    'c/[a].md',
    'c/#a.md',
    'ab/a b.md',
  ];

  test('follows .gitignore: folders, wildcards, classes, exceptions, files of nested folders', async () => {
    const cases: Files[] = [
      { '.gitignore': '# a\n\na/\n' },
      { '.gitignore': '/a.md\r\n' },
      { '.gitignore': '*.md\n!b.md\n!a/\n' },
      { '.gitignore': 'a/**\n!a/b/c.md' },
      { '.gitignore': '**/a\n' },
      { '.gitignore': '****/a\n' },
      { '.gitignore': 'b/**/c.md\na/*/c.md' },
      { '.gitignore': 'x[0-9].md\n\\#a.md\n\\[a\\].md' },
      { '.gitignore': '[!a].md\n?/a.md   ' },
      { '.gitignore': '*.md', 'b/.gitignore': '!a.md\n/a/', 'b/a/.gitignore': '!c.md' },
    ];
    for (const files of cases)
      assert.deepEqual(await ignored(files, paths), ignoredByGit(files, paths), JSON.stringify(files));
  });

  test('follows .gitignore for any lines', async () => {
    const piece = fc.constantFrom('a', 'b', 'c', '*', '**', '?', '/', '.md', '[ab]', '[!a]', '\\a', 'x1');
    const line = fc.tuple(fc.constantFrom('', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 4 }));
    const lines = fc.array(line, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lines, lines, async (outer, inner) => {
        // Git treats asterisks after a letter inconsistently, and nobody writes such patterns.
        const text = (some: typeof outer) =>
          some.map(([start, pieces]) => start + pieces.join('').replace(/([^/])\*{2,}/g, '$1*')).join('\n');
        const files = { '.gitignore': text(outer), 'b/.gitignore': text(inner) };
        assert.deepEqual(await ignored(files, paths), ignoredByGit(files, paths));
      }),
      { numRuns: 60 },
    );
  });

  test('is searched if a user chose the folder, even if it’s ignored', async () => {
    const files = { '.gitignore': 'drafts/\n*.tmp.md\n' };
    const inside = ['drafts/a.md', 'drafts/a.tmp.md', 'drafts/more/a.md'];
    assert.deepEqual(await ignored(files, inside), inside);
    assert.deepEqual(await ignored(files, inside, 'drafts'), ['drafts/a.tmp.md']);
  });

  test('takes time proportional to the length, whatever it contains', async () => {
    const runs = [
      '*',
      '*a',
      '**/',
      'a/**/',
      '/**',
      '[',
      '[a',
      '\\',
      '!',
      '*a\n',
      '*a*a*a*a*a*a*b\n',
      '[!-\n',
      ' ',
      '\n',
    ];
    // A long name, and a deep folder: matchers that backtrack take years for one or the other.
    const paths = [`${'a'.repeat(200)}.md`, `${'a/'.repeat(60)}c.md`];
    for (const run of [...runs, `${'a/**/'.repeat(20)}b\n`, `a${'/**'.repeat(20)}/b\n`]) {
      const [short, long] = [longestConfig / 8, longestConfig].map((length) => {
        const files = { '.gitignore': run.repeat(length / run.length) };
        return () => ignored(files, paths);
      });
      assert.ok(await growsInProportionInTurns(short!, long!), JSON.stringify(run));
    }
  });
});

test('reports a file once if its lines are too many or too long', async () => {
  const files: Files = { '.gitignore': '*.log\n', 'a/.gitignore': 'x\n'.repeat(600), 'b/.gitignore': 'y'.repeat(200) };
  const cut: string[] = [];
  const all = new Ignored(
    (path) => Promise.resolve(files[path]),
    '',
    (path) => cut.push(path),
  );
  for (const path of ['a/one.md', 'a/two.md', 'b/three.md', 'four.md']) await all.has(path);
  assert.deepEqual(cut.sort(), ['a/.gitignore', 'b/.gitignore']);
});
