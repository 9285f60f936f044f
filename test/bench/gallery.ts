import { link, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeFolder } from '../removeFolder';
import { imageOf } from '../editor/webviewPage';
import type { Workbench } from '../editor/workbench';
import { alternate } from './alternate';
import { openConnected } from './connected';
import { writeHistory, writeThumbnails } from './history';
import type { Row } from './row';
import { startService, type BenchService } from './service';
import { keyToWebview } from './watch';

const counts = { few: 20, many: 2000 } as const;
const keys = { open: 'Control+F8', close: 'Control+F9', older: 'Control+F10' } as const;
const keybindings = [
  { key: 'ctrl+f8', command: 'modelCatalog.openGallery' },
  { key: 'ctrl+f9', command: 'workbench.action.closeAllEditors' },
  { key: 'ctrl+f10', command: 'modelCatalog.showOlder' },
];
const settings = { 'modelCatalog.notifications': 'never' };

interface Project {
  readonly workbench: Workbench;
  readonly renders: number;
  close(): Promise<void>;
}

/** The gallery of a long history against that of a short one, in two windows: opened, and scrolled to its end. */
export async function gallery(): Promise<Row[]> {
  const service = await startService();
  const [few, many] = [await openHistory(service, counts.few), await openHistory(service, counts.many)];
  try {
    const held = { opened: [] as number[], scrolled: [] as number[] };
    const figures = await alternate({
      ours: async () => {
        const { took, heldOnOpening, heldOnScrolling } = await opened(many);
        held.opened.push(heldOnOpening);
        held.scrolled.push(heldOnScrolling);
        return took;
      },
      few: async () => (await opened(few)).took,
    });
    const long = `gallery of ${counts.many.toLocaleString('en')} renders`;
    return [
      {
        what: `command → first image of a ${long}`,
        unit: 'ms',
        ours: figures.ours,
        yardstick: { what: `a gallery of ${counts.few}`, figures: figures.few },
        aim: { of: 'ratio', atMost: 1.3 },
      },
      {
        what: `longest task of the page: ${long} opened`,
        unit: 'ms',
        ours: held.opened,
        aim: { of: 'value', atMost: 50 },
      },
      {
        what: `longest task of the page: ${long} scrolled to its end`,
        unit: 'ms',
        ours: held.scrolled,
        aim: { of: 'value', atMost: 50 },
      },
    ];
  } finally {
    await Promise.all([few.close(), many.close()]);
    await service.stop();
  }
}

/**
 * A window whose project has this many saved images of a million pixels, one per minute, all of them listed, each with
 * the thumbnail that it gets when it's saved.
 */
async function openHistory(service: BenchService, renders: number): Promise<Project> {
  const workspace = await mkdtemp(join(tmpdir(), 'model-catalog-bench-'));
  const folder = join(workspace, 'renders');
  await mkdir(folder);
  const first = join(folder, 'lighthouse.png');
  const image = imageOf('lighthouse', [1024, 1024]);
  await writeFile(first, image);
  for (let n = 1; n < renders; n++) await link(first, join(folder, `lighthouse-${n}.png`));
  const about = { project: pathToFileURL(workspace).href, image };
  const prepare = async (storage: string) => {
    const ledger = await writeHistory(storage, service.base, renders, about);
    await writeThumbnails(storage, ledger, image);
  };
  const workbench = await openConnected(service, { workspace, keybindings, settings }, prepare);
  await workbench.page.keyboard.press(keys.older);
  const close = async () => {
    await workbench.close();
    await removeFolder(workspace);
  };
  return { workbench, renders, close };
}

/** Opens the gallery, scrolls through all of it, and closes it. Everything in ms. */
async function opened({ workbench, renders }: Project) {
  const { page } = workbench;
  const { frame, took } = await keyToWebview(page, keys.open, 'pictured');
  await frame
    .getByText(`${renders.toLocaleString('en')} of ${renders.toLocaleString('en')}`)
    .first()
    .waitFor();
  const heldOnOpening = await frame.evaluate(heldSince);
  await frame.evaluate(async () => {
    const scroller = document.querySelector('.scroller')!;
    const step = scroller.clientHeight / 2;
    while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
      scroller.scrollTop += step;
      await new Promise(requestAnimationFrame);
    }
  });
  const heldOnScrolling = await frame.evaluate(heldSince);
  // The editor goes on loading what was scrolled past, even for a closed page; the next gallery would wait for that.
  await frame.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.keyboard.press(keys.close);
  await page.locator('iframe.webview').waitFor({ state: 'detached' });
  return { took, heldOnOpening, heldOnScrolling };
}

/** Runs in the page: its longest task since the last call, ms. */
async function heldSince(): Promise<number> {
  // What was observed is told in a task of its own.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { heldMs } = window.modelCatalogBench;
  window.modelCatalogBench.heldMs = 0;
  return heldMs;
}
