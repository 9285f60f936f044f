import tseslint from 'typescript-eslint';

/** Imports that are wrong everywhere. */
const neverImported = [
  {
    name: 'undici',
    message: "Its index sets process-wide dispatchers: import 'undici/lib/…' in catalog/dispatchers.",
  },
  {
    name: 'zod',
    importNames: ['z'],
    message: "Use `import * as z from 'zod/mini'`: the other form bundles every locale.",
  },
];

/** The core takes the outside world as arguments, so that it runs in both the editor and the simulator. */
const byArgument = 'The core takes its world as arguments: see Clock, Random, Disk and Transport.';
const worldlyGlobals = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance', 'fetch', 'globalThis', 'global'],
].map((name) => ({ name, message: byArgument }));
const worldlyProperties = [
  { object: 'Date', property: 'now', message: byArgument },
  { object: 'Math', property: 'random', message: byArgument },
  { object: 'AbortSignal', property: 'timeout', message: byArgument },
  { object: 'process', property: 'nextTick', message: byArgument },
  { object: 'process', property: 'hrtime', message: byArgument },
  ...['randomUUID', 'getRandomValues'].map((property) => ({ object: 'crypto', property, message: byArgument })),
];
const worldlySyntax = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: byArgument },
  { selector: 'CallExpression[callee.name="Date"]', message: byArgument },
];
/** Only Node modules that compute; the files that may touch the outside world are listed below. */
const worldlyImports = {
  paths: [
    ...neverImported,
    { name: 'node:crypto', allowImportNames: ['createHash'], message: byArgument },
    {
      name: 'node:stream',
      allowImportNames: ['Readable', 'Transform', 'addAbortSignal', 'pipeline'],
      message: byArgument,
    },
  ],
  patterns: [
    {
      regex:
        '^(?!node:(?:crypto|path|stream|url|util|zlib)$)(?:node:|fs|timers|crypto$|child_process|https?$|net$|os$|worker_threads)',
      message: byArgument,
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', 'test/fixtures/'] },
  {
    files: ['src/**/*.{ts,tsx}', 'test/**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { checkThenables: true, ignoreVoid: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': ['error', { paths: neverImported }],
    },
  },
  {
    files: ['src/renders/**/*.ts', 'src/files/*.ts', 'src/catalog/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...worldlyGlobals],
      'no-restricted-properties': ['error', ...worldlyProperties],
      'no-restricted-syntax': ['error', ...worldlySyntax],
      'no-restricted-imports': ['error', worldlyImports],
    },
  },
  {
    // Where the core meets the outside world: the disk, and the database (SQLite guarantees its own durability).
    files: [
      'src/files/disk.ts',
      'src/files/givenImages.ts',
      ...['ledger', 'ledgerRow', 'heavyWork', 'fileIdentity', 'openLedger', 'bodies'].map(
        (name) => `src/renders/${name}.ts`,
      ),
    ],
    rules: { 'no-restricted-imports': ['error', { paths: neverImported }] },
  },
  {
    files: ['src/features/*/*.ts', 'src/editor/*.ts', 'src/compose/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { property: 'appendText', message: 'It makes links of addresses: put text into Markdown with appendLine.' },
      ],
    },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          checkThenables: true,
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['test', 'describe', 'it', 'suite'] },
          ],
        },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
