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

/** What decides: the core, and what features share. */
const core = ['base', 'catalog', 'renders', 'files', 'documents', 'renderFiles', 'compose'];

/** Features from the ground up: each uses only those before it. */
const features = [
  ...['account', 'models', 'rendering', 'links', 'compare', 'comparePrices', 'generations', 'agents', 'form'],
  ...['origin', 'gallery', 'renderFiles', 'spending', 'quickRender', 'selection'],
];

/** The rooms, and what each may import. `model` and `page` are the shelves of every feature, `art` is the sandbox's. */
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
    may: ['base', 'catalog', 'files', 'node:', 'zod'],
    only: {
      'renders/ledger.ts': ['node:sqlite'],
      'renders/ledgerRow.ts': ['node:sqlite'],
      'renders/heavyWork.ts': ['node:sqlite'],
    },
  },
  files: {
    may: ['base', 'node:'],
    types: ['catalog', 'renders'],
    only: { 'files/imageSize.ts': ['image-size'], 'files/fit/program.ts': ['@jsquash'] },
  },
  documents: {
    may: ['base', 'catalog/fields', 'zod'],
    only: { 'documents/program.ts': ['node:worker_threads'] },
  },
  renderFiles: {
    may: ['base', 'catalog/fields', 'documents', 'files', 'jsonc-parser'],
    types: ['catalog'],
  },
  compose: { may: [...core, 'editor', 'vscode', 'zod'] },
  editor: {
    may: [...core.filter((room) => room !== 'compose'), 'vscode', 'node:path', 'node:url', 'zod'],
    types: ['foundation', 'editor/page/page'],
    only: { 'editor/pages.ts': ['node:fs'] },
  },
  model: {
    may: [...core, 'editor', 'model', 'page', 'node:path', 'zod'],
    only: {
      'features/links/model/linkReader.ts': ['node:worker_threads'],
      'features/account/model/serviceAddress.ts': ['jsonc-parser'],
      'features/agents/model/agentConfig.ts': ['jsonc-parser', 'node:url'],
    },
  },
  page: {
    may: [...['base', 'catalog/fields', 'compose/varying', 'page'], ...['preact', '@tanstack/virtual-core']],
    types: ['catalog', 'compose', 'editor', 'model'],
  },
  features: {
    may: [
      ...[...core, 'editor', 'features', 'model', 'page', 'relay', 'sandbox/thread'],
      ...['vscode', 'node:path', 'node:url', 'zod'],
    ],
    types: ['foundation'],
  },
  sandbox: { may: ['base', 'node:', 'node:sqlite', 'node:worker_threads', 'fast-png', 'sandbox/art/artist'] },
  art: { may: ['fast-png'] },
  check: { may: ['base', 'documents', 'files', 'renderFiles', 'node:'] },
  relay: { may: ['base', 'node:', 'zod', '@modelcontextprotocol/server'], types: ['features/agents/model'] },
};

/** The room of a file of ours: its folder, and of a feature, of `editor`, or of the sandbox the shelf in it. */
function roomOf(file: string): string {
  return /\/(model|page|art)\//.exec(file)?.[1] ?? file.split('/')[0]!;
}

function featureOf(file: string): string | undefined {
  return /^features\/(\w+)\//.exec(file)?.[1];
}

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
    // A room is not its shelves.
    return what === name || (what.startsWith(`${name}/`) && roomOf(what) === roomOf(`${name}/`));
  });
}

function isAllowed({ file, what, typesOnly }: Import): boolean {
  const room = roomOf(file);
  const rule = rooms[room];
  if (!rule || !isBelow(file, what)) return false;
  const { may, types = [], only = {} } = rule;
  const names = [room, ...may, ...(only[file] ?? []), ...(typesOnly ? types : [])];
  return allows(names, what) || (!isPackage(what) && names.includes(roomOf(what)));
}

/** A feature imports only itself and those before it; a page, of other features, nothing. */
function isBelow(file: string, what: string): boolean {
  const [own, other] = [featureOf(file), featureOf(what)];
  if (other === undefined || own === other) return true;
  if (own === undefined) return roomOf(file) === 'relay';
  return roomOf(file) !== 'page' && features.indexOf(other) < features.indexOf(own);
}

function isPackage(what: string): boolean {
  return Object.keys(rooms).every((room) => !what.startsWith(`${room}/`));
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
  const machinery = [
    'renderer',
    'poller',
    'recovery',
    'downloader',
    'ledger',
    'windowLease',
    'limits',
    'agreement',
    'orders',
  ];
  const reaching = files
    .filter((file) => /^(features|editor|compose)\//.test(file) && !file.startsWith('features/rendering/'))
    .flatMap(importsOf)
    .filter(({ what, typesOnly }) => !typesOnly && machinery.some((name) => what === `renders/${name}`));
  assert.deepEqual(reaching, []);
  const handed = readFileSync('src/features/rendering/renders.ts', 'utf8')
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
    [...new Set(shared.map(({ what }) => what))].filter((what) =>
      /^(catalog|renders|features|files|editor)/.test(what),
    ),
    [],
  );
});

test('only the foundation reaches the editor’s store of all windows, which loses what is updated at the same time', () => {
  // As a property of the editor's context, or taken out of that.
  const reaches = /\bcontext\.globalState\b|\bglobalState\b[^;]*\} = (\w+\.)*context\b/;
  const direct = ['app.ts', 'extension.ts', ...files].filter((file) =>
    reaches.test(readFileSync(join('src', file), 'utf8')),
  );
  assert.deepEqual(direct, []);
  assert.match(readFileSync('src/foundation.ts', 'utf8'), reaches);
});

test('an import that breaks the rules is found', () => {
  const slip = (file: string, what: string, typesOnly = false) => !isAllowed({ file, what, typesOnly });
  assert.ok(slip('base/log.ts', 'node:fs'));
  assert.ok(slip('catalog/client.ts', 'vscode', true));
  assert.ok(slip('catalog/records.ts', 'undici'));
  assert.ok(slip('sandbox/server.ts', 'catalog/fields', true));
  assert.ok(slip('sandbox/writer.ts', 'sandbox/art/vocabulary'));
  assert.ok(!slip('sandbox/writer.ts', 'sandbox/art/artist'));
  assert.ok(slip('sandbox/art/canvas.ts', 'sandbox/fields', true));
  assert.ok(slip('renders/renderer.ts', 'node:sqlite'));
  assert.ok(slip('editor/settings.ts', 'node:fs'));
  assert.ok(slip('features/form/model/formConversation.ts', 'features/gallery/model/galleryView'));
  assert.ok(slip('features/form/page/state.ts', 'features/compare/page/state', true));
  assert.ok(slip('features/form/page/state.ts', 'features/form/model/formConversation'));
  assert.ok(!slip('features/form/page/state.ts', 'features/form/model/formConversation', true));
  assert.ok(!slip('features/gallery/galleryPanel.ts', 'features/form/forms'));
  assert.ok(slip('files/names.ts', 'catalog/fields'));
  assert.ok(!slip('files/names.ts', 'catalog/fields', true));
});
