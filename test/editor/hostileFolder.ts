import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFile } from './choose';
import { openWorkbench } from './workbench';

/** How long each document is open, ms: all automatic work is done by then. */
const lookMs = 3000;

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

/** The environment variable with the file that the longest pause is written to. */
const answerFile = 'MODEL_CATALOG_HEART';

/**
 * Beats every 5 ms next to the extension, and records the longest pause between two beats, and the longest time that
 * the thread itself worked during one. Editors whose Node can't measure one thread count all of them.
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
    const work = () => {
      const { user, system } = process.threadCpuUsage ? process.threadCpuUsage() : process.cpuUsage();
      return (user + system) / 1000;
    };
    let last = { at: performance.now(), worked: work() };
    const longest = { pauseMs: 0, workMs: 0 };
    exports.activate = () => void setInterval(() => {
      const now = { at: performance.now(), worked: work() };
      const [pauseMs, workMs] = [now.at - last.at, now.worked - last.worked];
      if (pauseMs > longest.pauseMs || workMs > longest.workMs) {
        longest.pauseMs = Math.max(longest.pauseMs, pauseMs);
        longest.workMs = Math.max(longest.workMs, Math.min(workMs, pauseMs));
        require('fs').writeFileSync(process.env.${answerFile}, JSON.stringify(longest));
      }
      last = { at: performance.now(), worked: work() };
    }, 5);`,
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

/** The longest time that the extension host, which all extensions share, was blocked, ms. */
export interface LongestPause {
  /** From one beat to the next: includes time that the machine gave to others. */
  readonly pauseMs: number;
  /** Work of the thread itself in one pause. */
  readonly workMs: number;
}

/** A hostile folder that can be opened repeatedly. */
export class HostileFolder {
  private constructor(private readonly folder: string) {}

  static async create(): Promise<HostileFolder> {
    const folder = await mkdtemp(join(tmpdir(), 'model-catalog-hostile-'));
    await put(join(folder, 'heart'), heart);
    await put(join(folder, 'nobody'), nobody);
    await put(join(folder, 'hostile'), hostile);
    return new HostileFolder(folder);
  }

  /** Opens it and each of its documents, with or without our extension. */
  async open({ isTrusted, isOurs }: { isTrusted: boolean; isOurs: boolean }): Promise<LongestPause> {
    const answer = join(this.folder, 'answer.json');
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
      return JSON.parse(await readFile(answer, 'utf8')) as LongestPause;
    } finally {
      await workbench.close();
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
