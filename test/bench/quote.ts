import type { Frame } from 'playwright-core';
import { openModelForm } from '../editor/modelForm';
import type { Workbench } from '../editor/workbench';
import { alternate, timed } from './alternate';
import { BareClient } from './bare';
import { openConnected } from './connected';
import type { Row } from './row';
import { benchModel, startService } from './service';
import { typeLikeAPerson } from './typist';
import { keyToText } from './watch';

/** 60 characters each, all with different beginnings, since a cached price wouldn't be requested. */
const prompts = [
  'A lighthouse on a cliff at sunset, calm sea and warm colours',
  'Seven paper boats on a dark pond, seen from above, ink, soft',
  'The old harbour in winter, snow on the nets, nobody outside.',
  'Mountains behind a quiet lake in the first light of a Monday',
  'Poster for a small circus, two colours, a dancing white bear',
  'Red kites over a yellow field, wide angle, in the late light',
  'Kitchen table with bread, salt and a blue jug, oil on canvas',
];

const keybindings = [{ key: 'ctrl+f8', command: 'modelCatalog.quickRender' }];

/**
 * How often the price is requested while somebody types a prompt into the form, and how soon it's there after a paste.
 */
export async function quote(): Promise<Row[]> {
  const service = await startService();
  const workbench = await openConnected(service, { keybindings });
  const bare = new BareClient(service.base);
  try {
    const form = await openModelForm(workbench, benchModel);
    const prompt = form.getByRole('textbox', { name: /prompt/i });
    const priced = form.getByRole('button', { name: /^Render · €/, disabled: false });
    const asked: number[] = [];
    for (const [seed, text] of prompts.entries()) {
      await prompt.fill('');
      await priced.waitFor({ state: 'detached' });
      const before = service.quotes();
      await prompt.focus();
      await typeLikeAPerson(workbench.page, text, seed + 1);
      await priced.waitFor();
      asked.push(service.quotes() - before);
    }
    const pasted = await alternate({
      form: () => pasteIntoForm(workbench, form),
      quickRender: () => pasteIntoQuickRender(workbench),
      bare: () => timed(() => bare.post('/quote', Buffer.from(JSON.stringify({ modelId: benchModel, inputs: {} })))),
    });
    const yardstick = { what: 'a bare request for it', figures: pasted.bare };
    const aim = { of: 'over', atMost: 60 } as const;
    return [
      { what: 'prompt pasted into the form → its price', unit: 'ms', ours: pasted.form, yardstick, aim },
      { what: 'prompt pasted into Quick Render → its price', unit: 'ms', ours: pasted.quickRender, yardstick, aim },
      {
        what: 'requests for the price while 60 characters are typed',
        unit: 'requests',
        ours: asked,
        aim: { of: 'value', atMost: 3 },
      },
    ];
  } finally {
    await bare.close();
    await workbench.close();
    await service.stop();
  }
}

let pasted = 0;

/** Copies a prompt that was never priced. */
async function copyPrompt({ page }: Workbench): Promise<void> {
  pasted += 1;
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${prompts[0]}, number ${pasted}`);
}

/** From the paste to the frame with the price on the button, ms. */
async function pasteIntoForm(workbench: Workbench, form: Frame): Promise<number> {
  const prompt = form.getByRole('textbox', { name: /prompt/i });
  await prompt.fill('');
  await form.getByRole('button', { name: /^Render · €/, disabled: false }).waitFor({ state: 'detached' });
  await copyPrompt(workbench);
  await prompt.focus();
  // The page must listen before the key comes.
  const shown = await form.evaluateHandle(() => {
    const pasted = new Promise<number>((resolve) =>
      addEventListener('paste', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true }),
    );
    const isPriced = () =>
      [...document.querySelectorAll('button')].some((b) => !b.disabled && b.innerText.includes('€'));
    const priced = async () => {
      const since = await pasted;
      while (!isPriced()) await new Promise(requestAnimationFrame);
      return performance.now() - since;
    };
    return { took: priced() };
  });
  await workbench.page.keyboard.press('Control+V');
  return shown.evaluate(({ took }) => took);
}

/** From the key that pastes to the frame with the price on the first row, ms. */
async function pasteIntoQuickRender(workbench: Workbench): Promise<number> {
  const { page } = workbench;
  await copyPrompt(workbench);
  await keyToText(page, 'Control+F8', '.quick-input-titlebar', 'Quick Render');
  const row = '.quick-input-list .monaco-list-row';
  // Its title is there before it has the focus.
  await page.locator('.quick-input-widget input:focus').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  // The price of the earlier prompt must be gone.
  await page.locator(row).filter({ hasText: 'Render · €' }).waitFor({ state: 'detached' });
  const took = await keyToText(page, 'Control+V', row, 'Render · €');
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  return took;
}
