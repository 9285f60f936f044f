import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder } from '../removeFolder';
import { openFile } from './choose';
import { heldIn, type Held, type Watched } from './heldThread';
import { root } from './root';
import { until } from './until';
import { openWorkbench } from './workbench';

/** How long each document is open, ms: all automatic work is done by then. */
const lookMs = 1500;

/** Content of a hostile repository: each once took seconds to minutes to parse. */
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

/** When this is opened, the extension host records how its thread was blocked. */
const lastDocument = 'end.txt';

/** The variable that tells the extension host which file to write to. */
const answerFile = 'MODEL_CATALOG_HEART';

/**
 * Beats every 5 ms alongside the extension, and profiles the thread. If an editor's Node can't measure a single thread,
 * counts the work of all.
 */
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
    const { Session } = require('inspector');
    const session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 1000 });
    session.post('Profiler.start');
    const work = () => {
      const { user, system } = process.threadCpuUsage ? process.threadCpuUsage() : process.cpuUsage();
      return (user + system) / 1000;
    };
    const beat = () => ({ at: Number(process.hrtime.bigint() / 1000n), worked: work() });
    let last = beat();
    const pauses = [];
    const heart = setInterval(() => {
      const now = beat();
      pauses.push({ from: last.at, to: now.at, workMs: now.worked - last.worked });
      last = beat();
    }, 5);
    exports.activate = () => void require('vscode').workspace.onDidOpenTextDocument(({ fileName }) => {
      if (!fileName.endsWith(${JSON.stringify(lastDocument)})) return;
      clearInterval(heart);
      session.post('Profiler.stop', (error, stopped) => {
        if (error) throw error;
        const file = process.env.${answerFile};
        require('fs').writeFileSync(file + '.part', JSON.stringify({ pauses, profile: stopped.profile }));
        require('fs').renameSync(file + '.part', file);
      });
    });`,
};

/** An empty replacement for our extension; the window waits for its icon. */
const nobody = {
  'package.json': JSON.stringify({
    name: 'nobody',
    publisher: 'model-catalog',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    contributes: {
      viewsContainers: { activitybar: [{ id: 'nobody', title: 'Model Catalog', icon: 'icon.svg' }] },
      views: { nobody: [{ id: 'nobody.nothing', name: 'Nothing' }] },
    },
  }),
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"/>',
};

/** A hostile folder that can be opened repeatedly. */
export class HostileFolder {
  private constructor(private readonly folder: string) {}

  static async create(): Promise<HostileFolder> {
    const folder = await mkdtemp(join(tmpdir(), 'model-catalog-hostile-'));
    await put(join(folder, 'heart'), heart);
    await put(join(folder, 'nobody'), nobody);
    await put(join(folder, 'hostile'), { ...hostile, [lastDocument]: '' });
    return new HostileFolder(folder);
  }

  /** Opens it and each of its documents, with or without our extension. */
  async open({ isTrusted, isOurs }: { isTrusted: boolean; isOurs: boolean }): Promise<Held> {
    const answer = join(this.folder, 'answer.json');
    await rm(answer, { force: true });
    const workbench = await openWorkbench({
      version: 'latest',
      workspace: join(this.folder, 'hostile'),
      ...(isOurs ? {} : { extension: join(this.folder, 'nobody') }),
      beside: [join(this.folder, 'heart')],
      env: { [answerFile]: answer },
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
      await openFile(workbench, lastDocument);
      await until(() => Promise.resolve(existsSync(answer)));
      return heldIn(JSON.parse(await readFile(answer, 'utf8')) as Watched, join(root, 'dist'));
    } finally {
      await workbench.close();
    }
  }

  async remove(): Promise<void> {
    await removeFolder(this.folder);
  }
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
