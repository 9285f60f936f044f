import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { test } from 'node:test';

/** What a room's files may import besides their own room: other rooms, their files, packages, and `node:` modules. */
interface Rule {
  readonly may: readonly string[];
  /** What they may import only as types. */
  readonly types?: readonly string[];
  /** What individual files may also import. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** The rooms, and what each may import. */
const rooms: Readonly<Record<string, Rule>> = {
  base: { may: [] },
  catalog: {
    may: ['base', 'zod'],
    types: ['node:'],
    only: {
      'catalog/dispatchers.ts': ['undici'],
      'catalog/transport.ts': ['undici'],
      // Decodes what a service stores encoded: computes only.
      'catalog/body.ts': ['node:stream', 'node:zlib'],
    },
  },
  renders: {
    may: ['base', 'catalog', 'files', 'fit', 'node:', 'zod'],
    only: {
      'renders/ledger.ts': ['node:sqlite'],
      'renders/ledgerLayout.ts': ['node:sqlite'],
      'renders/heavyWork.ts': ['node:sqlite'],
    },
  },
  files: {
    may: ['base', 'node:'],
    types: ['catalog', 'fit', 'renders'],
    only: { 'files/pictureSize.ts': ['image-size'] },
  },
  fit: { may: ['base', 'files', 'node:'], only: { 'fit/codecs.ts': ['@jsquash'] } },
  documents: {
    may: ['base', 'catalog/fields', 'zod'],
    types: ['catalog/types'],
    only: { 'documents/program.ts': ['node:worker_threads'] },
  },
  renderFiles: {
    may: ['base', 'catalog/fields', 'catalog/issueText', 'documents', 'files', 'fit/fit', 'jsonc-parser'],
    types: ['catalog'],
  },
  pages: { may: ['catalog/issueText'], types: ['base', 'catalog'] },
  webview: {
    may: ['base', 'catalog/fields', 'catalog/issueText', 'pages', 'preact', '@tanstack/virtual-core'],
    types: ['app', 'catalog'],
  },
  sandbox: { may: ['base', 'node:', 'node:sqlite', 'zod', 'fast-png'] },
  check: { may: ['base', 'documents', 'files', 'renderFiles', 'node:'] },
  relay: { may: ['base', 'node:', 'zod'], types: ['app/tools'] },
  app: {
    may: ['base', 'catalog', 'renders', 'files', 'fit', 'documents', 'renderFiles', 'pages', 'node:path', 'zod'],
    only: {
      'app/documents/linkReader.ts': ['node:worker_threads'],
      'app/account/workspaceAddress.ts': ['jsonc-parser'],
      'app/agents/agentEntry.ts': ['jsonc-parser'],
      'app/agents/configFile.ts': ['node:url'],
    },
  },
  host: {
    may: [
      ...['base', 'catalog', 'renders', 'files', 'fit', 'documents', 'renderFiles', 'pages', 'app'],
      ...['relay', 'sandbox/server', 'vscode', 'node:path', 'node:url', 'zod'],
    ],
    types: ['foundation'],
  },
};

interface Import {
  readonly file: string;
  readonly what: string;
  readonly typesOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join('src', file), 'utf8');
  const lines = text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^;'"]*?from\s+'([^']+)'/g);
  const lazy = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)(\.\w+)?/g);
  const bare = text.matchAll(/(?:^|\n)import\s+'([^']+)'/g);
  return [
    ...[...lines].map(([, types, from]) => ({ file, what: named(file, from!), typesOnly: types !== undefined })),
    ...[...lazy].map(([, from]) => ({ file, what: named(file, from!), typesOnly: false })),
    ...[...bare].map(([, from]) => ({ file, what: named(file, from!), typesOnly: false })),
  ];
}

/** Our files go by their path below src, packages by their name. */
function named(file: string, from: string): string {
  return from.startsWith('.') ? posix.join(dirname(file), from) : from;
}

function allows(names: readonly string[], what: string): boolean {
  return names.some((name) => {
    if (name === 'node:') return what.startsWith('node:') && what !== 'node:sqlite';
    return what === name || what.startsWith(`${name}/`);
  });
}

function isAllowed({ file, what, typesOnly }: Import): boolean {
  const room = file.split('/')[0]!;
  const rule = rooms[room];
  if (!rule) return false;
  const { may, types = [], only = {} } = rule;
  return allows([room, ...may, ...(only[file] ?? []), ...(typesOnly ? types : [])], what);
}

const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative('src', join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  // These two assemble the rooms.
  .filter((file) => !['extension.ts', 'app.ts', 'foundation.ts'].includes(file) && !file.endsWith('.d.ts'));

test('every file imports only what its room allows', () => {
  const slips = files
    .flatMap(importsOf)
    .filter((one) => !isAllowed(one))
    .map(({ file, what }) => `${file} imports ${what}`);
  assert.deepEqual(slips, []);
  assert.ok(files.length > 20, 'the sources were found');
});

test('views can’t reach what spends, or its records', () => {
  const machinery = ['renderer', 'poller', 'recovery', 'downloader', 'ledger', 'windowLease', 'budgets'];
  const reaching = files
    .filter((file) => file.startsWith('host/') && !file.startsWith('host/renders/'))
    .flatMap(importsOf)
    .filter(({ what, typesOnly }) => !typesOnly && machinery.some((name) => what === `renders/${name}`));
  assert.deepEqual(reaching, []);
  const handed = readFileSync('src/host/renders/renders.ts', 'utf8')
    .split('export interface Renders ')[1]
    ?.split('\n}\n')[0];
  assert.doesNotMatch(handed ?? '', /\b(?:Renderer|Poller|Recovery|Downloader|Ledger|WindowLease|Budgets)\b/);
});

test('the sandbox and the client share nothing, so that they can’t share a mistake', () => {
  const shared = files
    .filter((file) => file.startsWith('sandbox/'))
    .flatMap(importsOf)
    .filter(({ what }) => !what.startsWith('sandbox/') && !what.startsWith('base/') && !what.startsWith('node:'));
  assert.deepEqual(
    [...new Set(shared.map(({ what }) => what))].filter((what) => /^(catalog|renders|host|files|pages)/.test(what)),
    [],
  );
});

test('an import that breaks the rules is found', () => {
  const slip = (file: string, what: string, typesOnly = false) => !isAllowed({ file, what, typesOnly });
  assert.ok(slip('base/log.ts', 'node:fs'));
  assert.ok(slip('catalog/client.ts', 'vscode', true));
  assert.ok(slip('catalog/schema.ts', 'undici'));
  assert.ok(slip('sandbox/server.ts', 'catalog/types', true));
  assert.ok(slip('renders/renderer.ts', 'node:sqlite'));
  assert.ok(slip('host/settings.ts', 'node:fs'));
  assert.ok(slip('files/names.ts', 'catalog/fields'));
  assert.ok(!slip('files/names.ts', 'catalog/types', true));
});
