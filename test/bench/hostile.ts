import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFile } from '../editor/choose';
import { openWorkbench } from '../editor/workbench';
import { exchange, exchangeFolder } from './exchange';
import type { Row } from './row';
import { yardstick } from './yardstick';

const windows = 3;
/** How long a document is looked at, ms: whatever is done with it by itself is done by then. */
const lookMs = 3000;

/** What somebody may put into a repository to hold up whoever opens it: each took seconds to minutes to read once. */
const hostile: Readonly<Record<string, string>> = {
  '.vscode/settings.json': `{ "modelCatalog.baseUrl": "${'\\"a'.repeat(70_000)}`,
  'underscores.md': `![${'_'.repeat(100_000)}](a.png)\n`,
  'brackets.md': `${'!['.repeat(50_000)}\n`,
  'dots.md': `![${'.'.repeat(50_000)}](a.png "${'.'.repeat(50_000)}")\n`,
  'backticks.rst': `.. image:: a.png\n   :alt: \`${' '.repeat(100_000)}x\n`,
  'tags.html': `<${'A'.repeat(100_000)} src>`,
  'sources.html': `<picture>${'<source srcset="a.png">'.repeat(3000)}<img ${'a="b" '.repeat(3000)}src="c.png">`,
  'folders.tex': `\\graphicspath{${'{a/}'.repeat(2000)}}\n${'\\includegraphics{b}\n'.repeat(1000)}`,
};

/** Beats every 5 ms beside the extension, and writes down the longest pause between two beats, ms. */
const heart = {
  'package.json': JSON.stringify({
    name: 'heart',
    publisher: 'model-catalog',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    main: './heart.js',
    activationEvents: ['*'],
    capabilities: { untrustedWorkspaces: { supported: true } },
  }),
  'heart.js': `
    let last = performance.now(), longest = 0;
    exports.activate = () => void setInterval(() => {
      const now = performance.now();
      if (now - last > longest) require('fs').writeFileSync(process.env.${exchangeFolder} + '/answer.json', String(longest = now - last));
      last = performance.now();
    }, 5);`,
};

/**
 * How long the extension host, which all extensions share, stands still at most while a hostile folder is opened, and
 * each of its documents. The editor's own extensions read them too, and its start holds the host up by itself.
 */
export async function hostileFolder(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  try {
    await put(join(folder, 'heart'), heart);
    await put(join(folder, 'hostile'), hostile);
    const rows: Row[] = [];
    for (const isTrusted of [true, false]) {
      const [ours, figures]: [number[], number[]] = [[], []];
      for (let window = 0; window < windows; window++) {
        ours.push(await longestPause(folder, true, isTrusted));
        figures.push(await longestPause(folder, false, isTrusted));
      }
      rows.push({
        what: `longest stop of the extension host while a hostile folder is opened, ${isTrusted ? 'trusted' : 'in Restricted Mode'}`,
        unit: 'ms',
        ours,
        yardstick: { what: 'the same without the extension', figures },
        aim: { of: 'ratio', atMost: 1.2 },
      });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function longestPause(folder: string, isOurs: boolean, isTrusted: boolean): Promise<number> {
  const env = { [exchangeFolder]: folder };
  const workbench = await openWorkbench({
    version: 'latest',
    workspace: join(folder, 'hostile'),
    ...(isOurs ? {} : { extension: yardstick }),
    beside: [join(folder, 'heart')],
    env,
    settings: {
      'security.workspace.trust.enabled': !isTrusted,
      'security.workspace.trust.startupPrompt': 'never',
    },
  });
  try {
    for (const document of Object.keys(hostile).filter((name) => !name.startsWith('.'))) {
      await openFile(workbench, document);
      await workbench.page.waitForTimeout(lookMs);
    }
    return Number(await readFile(exchange(env).answer, 'utf8'));
  } finally {
    await workbench.close();
  }
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
