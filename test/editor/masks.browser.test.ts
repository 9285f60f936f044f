import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { decode, encode } from 'fast-png';
import { removeFolder } from '../removeFolder';
import { versions } from '../extent';
import { openFile, openPath } from './choose';
import { releases } from './codeServer';
import { openModelForm } from './modelForm';
import { root } from './root';
import { until } from './until';
import { openWorkbench, type Workbench } from './workbench';

const version = versions[0]!;
const screenshots = join(root, 'out', 'screenshots');

suite(`A mask, in VS Code ${releases[version].vscode}`, () => {
  let workbench: Workbench;
  let project: string;
  before(async () => {
    await mkdir(screenshots, { recursive: true });
    project = await mkdtemp(join(tmpdir(), 'model-catalog-mask-'));
    await writeFile(join(project, 'sky.png'), gradient());
    await writeFile(join(project, 'notes.md'), 'Notes\n');
    workbench = await openWorkbench({ version, workspace: project });
    await workbench.command('View: Show Model Catalog');
  });
  after(async () => {
    await workbench.close();
    await removeFolder(project);
  });

  type Form = Awaited<ReturnType<typeof openModelForm>>;
  const painter = (form: Form) => form.getByRole('dialog', { name: 'Paint Mask' });

  /** Paints a vertical line at a part of the image's width. */
  async function paintLine(form: Form, part: number): Promise<void> {
    const box = await painter(form).getByRole('application').boundingBox();
    assert.ok(box);
    // The image is in the middle of its box, as high as that is.
    const width = Math.min(box.width, (box.height * 4) / 3);
    const x = box.x + (box.width - width) / 2 + width * part;
    const { mouse } = workbench.page;
    await mouse.move(x, box.y + box.height * 0.2);
    await mouse.down();
    await mouse.move(x, box.y + box.height * 0.8, { steps: 8 });
    await mouse.up();
  }

  test('is painted over the image with mouse and keys, and only what it marks is changed', async () => {
    const form = await openModelForm(workbench, 'second-hand/reprint/retouch-1');
    await form.getByText('To paint one, first choose a file for Image.').waitFor();
    await form.getByRole('button', { name: 'Choose Image… for Image' }).click();
    await openPath(workbench, join(project, 'sky.png'));
    await form.getByText('sky.png').waitFor();
    await form.getByRole('button', { name: 'Paint Mask… for Mask' }).click();
    await painter(form).getByText('0% painted').waitFor();
    await paintLine(form, 0.2);
    await painter(form)
      .getByText(/^[1-9]\d?% painted/)
      .waitFor();
    await workbench.screenshot(join(screenshots, `mask-${version}.png`));
    await workbench.page.keyboard.press('Control+Z');
    await painter(form).getByText('0% painted').waitFor();
    await workbench.page.keyboard.press('Control+Shift+Z');
    await painter(form)
      .getByText(/^[1-9]\d?% painted/)
      .waitFor();
    // By keys, from the place of the mouse.
    await painter(form).getByRole('button', { name: 'Eraser' }).click();
    await painter(form).getByRole('application').press('Space');
    await painter(form).getByRole('button', { name: 'Brush', exact: true }).click();
    const before = await painter(form).getByRole('status').innerText();
    await painter(form).getByRole('application').press('Space');
    await until(async () => (await painter(form).getByRole('status').innerText()) !== before);
    await painter(form).getByRole('button', { name: 'Use Mask' }).click();
    await form.getByText('sky.png, mask.png').waitFor();
    const focused = () => form.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.equal(await focused(), 'Paint Mask… for Mask', 'the focus is where it was');
    await form.getByRole('textbox', { name: 'Prompt' }).fill('a red boat');
    await workbench.screenshot(join(screenshots, `mask-used-${version}.png`));
    await form.getByRole('button', { name: 'Render · €0.04' }).click();
    await form.getByRole('button', { name: 'Open', exact: true }).waitFor();
    const changed = await changedColumns();
    assert.ok(changed.has(32), 'where it was painted');
    assert.ok(![...changed].some((column) => column > 70), 'and nowhere else');
    await workbench.screenshot(join(screenshots, `mask-rendered-${version}.png`));
  });

  test('that isn’t used yet is still there when its form was hidden, and can be inverted', async () => {
    const form = await workbench.webviewFrame('retouch-1');
    await form.getByRole('button', { name: 'Paint Mask… for Mask' }).click();
    await painter(form)
      .getByText(/^[1-9]\d?% painted/)
      .waitFor();
    const before = await painter(form).getByRole('status').innerText();
    await paintLine(form, 0.8);
    await until(async () => (await painter(form).getByRole('status').innerText()) !== before);
    const painted = await painter(form).getByRole('status').innerText();
    await openFile(workbench, 'notes.md');
    await workbench.page.getByRole('tab', { name: /Retouch 1/ }).click();
    const again = await workbench.webviewFrame('retouch-1');
    await again.getByRole('button', { name: 'Paint Mask… for Mask' }).click();
    await painter(again).getByText(painted).waitFor();
    await painter(again).getByRole('button', { name: 'Invert' }).click();
    await until(async () => Number.parseInt(await painter(again).getByRole('status').innerText()) > 50);
    await workbench.page.keyboard.press('Escape');
    await painter(again).waitFor({ state: 'hidden' });
    await again.getByText('sky.png, mask.png').waitFor();
  });

  /** The columns of the result that differ from the image it was made of. */
  async function changedColumns(): Promise<ReadonlySet<number>> {
    const [name = ''] = (await readdir(join(project, 'renders'))).filter((one) => one.endsWith('.png'));
    const [made, given] = [decode(await readFile(join(project, 'renders', name))), decode(gradient())];
    assert.deepEqual([made.width, made.height], [given.width, given.height]);
    const columns = new Set<number>();
    for (let y = 0; y < made.height; y++)
      for (let x = 0; x < made.width; x++) {
        const at = (image: typeof made) => image.data[(y * image.width + x) * image.channels + 1] ?? 0;
        if (Math.abs(at(made) - at(given)) > 12) columns.add(x);
      }
    return columns;
  }
});

/** Light above, dark below. */
function gradient(): Buffer {
  const [width, height] = [160, 120];
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) data[i] = 230 - Math.floor(i / 3 / width);
  return Buffer.from(encode({ width, height, data, channels: 3 }));
}
