import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import type { JsonObject } from '../../../src/base/json';
import { ServiceError } from '../../../src/catalog/errors';
import type { Model } from '../../../src/catalog/fields';
import { englishFormStrings } from '../../../src/features/form/page/formMessages';
import type { RenderRecord } from '../../../src/renders/record';
import { styleOf } from '../../unit/compose/shelf';
import { launchChromium } from '../chromium';
import { root } from '../root';
import { cutTexts, inLongWords, themes } from '../webviewPage';
import { entryOf, FormPage, savedImage, type FormOptions } from './harness';
import { everyKind, haiku, landscape, manyFields } from './models';

const images = join(root, 'out', 'screenshots');
const snapshot = 'form.aria.txt';

const docsWords = { before: 'Muted blues and warm grays.', after: 'No text, no letters.' };
/** The styles of a project. */
const styles = [
  styleOf('docs', docsWords, { aspect_ratio: '16:9', guidance: 4 }),
  styleOf('sprites', { before: 'Game sprite.' }),
];

/** A model with several inputs to choose from. */
const choices: Model = {
  ...landscape,
  fields: everyKind.fields.filter(({ name }) => ['prompt', 'aspect_ratio', 'quality', 'style'].includes(name)),
};

let browser: Browser;
before(async () => {
  await mkdir(images, { recursive: true });
  browser = await launchChromium();
});
after(() => browser.close());

/** Opens the form, runs the test, and fails on any error of the page. */
async function withForm(options: FormOptions, look: (form: FormPage) => Promise<void>): Promise<void> {
  const form = await FormPage.open(browser, options);
  try {
    await look(form);
    assert.deepEqual(form.complaints, []);
  } finally {
    await form.close();
  }
}

async function priced(form: FormPage): Promise<void> {
  await form.field('Prompt').fill('A red fox in the snow');
  await form.button.getByText('Render · €0.04').waitFor();
}

const accepted = (form: FormPage, model: Model) => {
  form.render = (order) => {
    form.show(entryOf(model, { id: order.intent, group: 'active', state: 'accepted', status: 'queued' }));
    return Promise.resolve({ key: order.intent, state: 'accepted' } as RenderRecord);
  };
};

test('the price follows the typed text, and Render shows it with the balance after it', () =>
  withForm(
    { model: landscape, quote: ({ prompt }) => Promise.resolve({ costCents: JSON.stringify(prompt).length - 2 }) },
    async (form) => {
      assert.equal(await form.button.innerText(), 'Render');
      await form.note.getByText('Required: Prompt').waitFor();
      await form.field('Prompt').fill('four');
      await form.button.getByText('Render · €0.04').waitFor();
      await form.note.getByText('Balance after: €12.30').waitFor();
      await form.field('Prompt').fill('sevenly');
      await form.button.getByText('Render · €0.07').waitFor();
      await form.field('Prompt').fill('');
      await form.note.getByText('Required: Prompt').waitFor();
      assert.equal(await form.button.innerText(), 'Render');
    },
  ));

test('while a price is being requested, the last one stays, dimmed, and pressing it waits for the new one', () => {
  const answers = new Map<unknown, (cents: number) => void>();
  const quote = ({ prompt }: JsonObject) =>
    new Promise<{ costCents: number }>((resolve) => answers.set(prompt, (costCents) => resolve({ costCents })));
  return withForm({ model: landscape, quote }, async (form) => {
    const answer = async (prompt: string, cents: number) => {
      await form.until(() => answers.has(prompt));
      answers.get(prompt)!(cents);
    };
    await form.field('Prompt').fill('a');
    await form.button.getByText('Render · …').waitFor();
    await answer('a', 4);
    await form.button.getByText('Render · €0.04').waitFor();
    const look = () =>
      form.button.evaluate((button) => ({
        color: getComputedStyle(button).backgroundColor,
        strength: getComputedStyle(button.querySelector('.words')!).opacity,
        width: button.getBoundingClientRect().width,
      }));
    const fresh = await look();
    for (const key of 'bcd') {
      await form.page.keyboard.type(key);
      assert.equal(await form.button.innerText(), 'Render · €0.04');
      assert.equal(await form.button.getAttribute('aria-busy'), 'true');
      const { color, strength, width } = await look();
      assert.deepEqual([color, width], [fresh.color, fresh.width], 'nothing flickers and nothing moves');
      assert.ok(Number(strength) < 1, 'it is dimmed');
    }
    await form.button.click();
    await form.button.getByText('Starting…').waitFor();
    await answer('abcd', 9);
    await form.button.getByText('Render · €0.09').waitFor();
    await form.page.getByText(englishFormStrings.priceMoved).first().waitFor();
    assert.deepEqual(form.orders, [], 'a higher price orders nothing');

    await form.field('Prompt').press('End');
    await form.page.keyboard.type('e');
    await form.button.click();
    await answer('abcde', 8);
    await form.until(() => form.orders.length === 1);
    const [{ inputs, shownCents }] = form.orders as [(typeof form.orders)[0]];
    assert.deepEqual([inputs['prompt'], shownCents], ['abcde', 8]);
  });
});

test('a form is filled in, rendered, and used with only the keyboard', () =>
  withForm({ model: landscape }, async (form) => {
    accepted(form, landscape);
    const { keyboard } = form.page;
    const focused = () =>
      form.page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
      });
    const order: string[] = [];
    for (let press = 0; press < 11; press += 1) {
      order.push(await focused());
      if (order.at(-1)!.startsWith('Prompt')) await keyboard.type('a fox');
      if (order.at(-1) === '1:1') await keyboard.press('ArrowRight');
      if (press < 10) await keyboard.press('Tab');
    }
    const [prompt, ratio, moreRatios, resetRatio, seed, dice, folder, name, render, count, reset] = order;
    assert.deepEqual([prompt, ratio, seed, dice], ['Promptrequired', '1:1', 'Seed', 'New random value for Seed']);
    assert.deepEqual([moreRatios, resetRatio], ['More for Aspect ratio', 'Reset Aspect ratio']);
    assert.deepEqual([folder, name, reset], ['Change Folder…', 'Change Name…', 'Reset All']);
    assert.match(render!, /^Render/);
    assert.match(count!, /^Number of images/);
    for (let press = 0; press < 2; press += 1) await keyboard.press('Shift+Tab');
    await form.button.getByText('Render · €0.04').waitFor();
    await keyboard.press('Enter');
    await form.page.getByRole('progressbar', { name: 'Queued…' }).waitFor();
    assert.deepEqual(
      form.orders.map(({ inputs: { seed, ...inputs }, shownCents }) => ({ inputs, seed: typeof seed, shownCents })),
      [{ inputs: { prompt: 'a fox', aspect_ratio: '4:3' }, seed: 'number', shownCents: 4 }],
    );
    form.show(savedImage(landscape, form.orders[0]!.intent));
    await form.page.getByRole('button', { name: 'Open', exact: true }).waitFor();
    await keyboard.press('Shift+Tab');
    for (let press = 0; press < 12 && (await focused()) !== 'Open'; press += 1) await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await form.until(() => form.acts.length === 1);
    assert.deepEqual(form.acts, [{ action: 'openResult', id: form.orders[0]!.intent }]);
  }));

test('Up and Down Arrow at the start of the prompt bring back earlier ones, a list has them all, and typing wins', () =>
  withForm({ model: landscape, prompts: ['a fox', 'a hare\nin the snow', 'a deer'] }, async (form) => {
    const prompt = form.field('Prompt');
    await prompt.press('ArrowUp');
    await prompt.press('ArrowUp');
    assert.equal(await prompt.inputValue(), 'a hare\nin the snow');
    await prompt.press('ArrowDown');
    assert.equal(await prompt.inputValue(), 'a fox');
    await form.button.getByText('Render · €0.04').waitFor();
    await form.screenshot(join(images, 'form-earlier-prompts.png'));
    await form.page.getByRole('button', { name: 'Earlier prompts…' }).click();
    await form.page.waitForFunction(() => document.querySelector('textarea')?.value === 'a deer');
    await prompt.press('End');
    await prompt.pressSequentially('!');
    await prompt.press('Home');
    await prompt.press('ArrowUp');
    assert.equal(await prompt.inputValue(), 'a deer!');
  }));

test('an empty form shows earlier images of the model, and a click takes the prompt of one, which can be undone', () => {
  const history = ['a fox', 'a hare in a meadow', 'a deer'].map((prompt, index) => {
    const entry = savedImage(landscape, `earlier-${index}`);
    const record = {
      ...entry.record,
      inputs: { prompt },
      target: { root: 'file:///project', folder: '', fileName: '' },
    } as RenderRecord;
    return { ...entry, inputs: { prompt }, record };
  });
  return withForm({ model: landscape, history, width: 1280 }, async (form) => {
    accepted(form, landscape);
    const examples = form.page.getByRole('list', { name: englishFormStrings.examples });
    await form.field('Prompt').fill('my own words');
    assert.deepEqual(await examples.getByRole('button').allInnerTexts(), ['a fox', 'a hare in a meadow', 'a deer']);
    assert.deepEqual(await form.axe(), []);
    for (const theme of ['light', 'dark']) {
      await form.dress(theme);
      for (const width of [620, 900, 1280]) {
        await form.page.setViewportSize({ width, height: 800 });
        await form.screenshot(join(images, `form-examples-${theme}-${width}.png`));
      }
    }
    await examples.getByRole('button', { name: 'a hare' }).click();
    await form.button.getByText('Render · €0.04').waitFor();
    assert.equal(await form.field('Prompt').inputValue(), 'a hare in a meadow');
    assert.deepEqual(form.orders, [], 'nothing is ordered');
    await form.page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await form.field('Prompt').inputValue(), 'my own words');

    const top = () => form.field('Prompt').evaluate((box) => box.getBoundingClientRect().top);
    const before = await top();
    const frame = await form.page.locator('.frame.empty').boundingBox();
    await form.button.click();
    await form.page.locator('.result .frame').waitFor();
    assert.equal(await examples.count(), 0);
    assert.deepEqual(await form.page.locator('.result .frame').boundingBox(), frame, 'the result has the same room');
    assert.equal(await top(), before);
  });
});

test('without earlier images, an empty form has the prompts that the service suggests', () => {
  const fields = landscape.fields.map((field) =>
    field.name === 'prompt' ? { ...field, examples: ['a lighthouse', 'a village'] } : field,
  );
  return withForm({ model: { ...landscape, fields } }, async (form) => {
    const examples = form.page.getByRole('list', { name: englishFormStrings.examples });
    await form.screenshot(join(images, 'form-suggested.png'));
    await form.page.setViewportSize({ width: 545, height: 605 });
    await form.screenshot(join(images, 'form-suggested-low.png'));
    const [prompts, bar] = await Promise.all([examples.boundingBox(), form.page.locator('.bar').boundingBox()]);
    assert.ok(prompts!.y + prompts!.height <= bar!.y, 'the bar covers no prompt');
    await examples.getByRole('button', { name: 'a village' }).click();
    assert.equal(await form.field('Prompt').inputValue(), 'a village');
  });
});

test('several images have one sum on the button, and are ordered by one press', () =>
  withForm({ model: landscape, width: 700 }, async (form) => {
    accepted(form, landscape);
    await priced(form);
    await form.page.getByRole('combobox', { name: /^Number of images/ }).selectOption('4');
    await form.button.getByText('Render 4 · €0.16').waitFor();
    await form.note.getByText('Balance after: €12.18').waitFor();
    await form.screenshot(join(images, 'form-variants.png'));
    await form.button.click();
    await form.until(() => form.orders.length === 4);
    assert.equal(new Set(form.orders.map(({ inputs }) => inputs['seed'])).size, 4);
  }));

test('four images of one press stand in their order, and those not kept are trashed with one button', () =>
  withForm({ model: landscape, width: 1280 }, async (form) => {
    accepted(form, landscape);
    await priced(form);
    await form.page.getByRole('combobox', { name: /^Number of images/ }).selectOption('4');
    await form.button.getByText('Render 4 · €0.16').waitFor();
    await form.button.click();
    await form.until(() => form.orders.length === 4);
    const { orders, page } = form;
    // The last one is finished first.
    for (const { intent, inputs } of orders.toReversed())
      form.show({ ...savedImage(landscape, intent), inputs: { ...inputs } });
    const tiles = page.locator('.variants li');
    await page.getByText('Charged €0.16').waitFor();
    assert.deepEqual(
      await tiles.locator('p').allInnerTexts(),
      orders.map(({ inputs }, index) => `${index + 1} · seed ${JSON.stringify(inputs['seed'])}`),
    );
    for (const theme of ['light', 'dark']) {
      await form.dress(theme);
      for (const [width, height] of [
        [1280, 800],
        [900, 700],
        [620, 700],
      ] as const) {
        await page.setViewportSize({ width, height });
        await form.screenshot(join(images, `form-four-${theme}-${width}.png`));
        const boxes = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().width));
        assert.ok(new Set(boxes.map(Math.round)).size === 1 && boxes[0]! > 120, `${boxes.join()} at ${width}`);
        assert.ok(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)));
      }
    }
    assert.deepEqual(await form.axe(), []);
    await page.setViewportSize({ width: 1280, height: 800 });
    const keep = page.getByRole('button', { name: 'Keep Only Selected' });
    assert.equal(await keep.getAttribute('aria-disabled'), 'true');
    await tiles.nth(1).getByText('Keep', { exact: true }).click();
    await page.getByRole('button', { name: 'Keep 1, Trash 3' }).click();
    const others = orders.filter((_, index) => index !== 1).map(({ intent }) => intent);
    await form.until(() => form.removed.length === 3);
    assert.deepEqual(form.removed, others);
    await tiles.first().waitFor({ state: 'detached' });
    await page.locator('.result .picture').waitFor();
    assert.equal(await page.locator('.strip').count(), 0);
  }));

test('in one column, four tiles keep their places from the press to the images, clear of earlier results', () =>
  withForm({ model: landscape, width: 620 }, async (form) => {
    const { page, orders } = form;
    await page.setViewportSize({ width: 620, height: 700 });
    accepted(form, landscape);
    await priced(form);
    await form.button.click();
    await form.until(() => orders.length === 1);
    form.show(savedImage(landscape, orders[0]!.intent));
    await page.locator('.result .picture').waitFor();
    await page.getByRole('combobox', { name: /^Number of images/ }).selectOption('4');
    await form.button.getByText('Render 4 · €0.16').waitFor();
    await form.button.click();
    await form.until(() => orders.length === 5);
    const tiles = page.locator('.variants li');
    await tiles.nth(3).waitFor();
    const faces = () =>
      tiles.evaluateAll((all) =>
        all.map((tile) => {
          const { x, y, width, height } = tile.querySelector('.view, .frame')!.getBoundingClientRect();
          return [x, y, width, height].map(Math.round);
        }),
      );
    const before = await faces();
    await form.screenshot(join(images, 'form-four-waiting-620.png'));
    for (const { intent, inputs } of orders.slice(1))
      form.show({ ...savedImage(landscape, intent), inputs: { ...inputs } });
    await page.getByText('Charged €0.16').waitFor();
    await form.screenshot(join(images, 'form-four-earlier-620.png'));
    assert.deepEqual(await faces(), before);
    assert.ok(
      before.every(([, , , height = 0]) => height >= 88),
      before.join(' '),
    );
    const keep = await page.getByRole('button', { name: 'Keep Only Selected' }).boundingBox();
    const strip = await page.locator('.strip').boundingBox();
    assert.ok(keep && strip && keep.y + keep.height <= strip.y, 'the earlier results are below');
  }));

test('a style of the project adds its words and its inputs, says so, and leaves the user’s own as they are', () =>
  withForm({ model: landscape, styles }, async (form) => {
    accepted(form, landscape);
    await priced(form);
    const style = form.page.getByRole('combobox', { name: 'Project style' });
    await style.selectOption('docs');
    const words = form.page.getByText('Adds to the prompt: Muted blues and warm grays. … No text, no letters.');
    await words.waitFor();
    await form.page.getByText('Not supported by this model: guidance').waitFor();
    const fixed = form.page.getByRole('group', { name: 'Aspect ratio' });
    for (const text of ['16:9', 'Set by the style “docs”']) await fixed.getByText(text).waitFor();
    await form.button.getByText('Render · €0.04').waitFor();
    await form.button.click();
    await form.until(() => form.orders.length === 1);
    const { seed, ...sent } = form.orders[0]!.inputs;
    const prompt = 'Muted blues and warm grays. A red fox in the snow No text, no letters.';
    assert.deepEqual([sent, typeof seed], [{ prompt, aspect_ratio: '16:9' }, 'number']);
    await form.reload();
    assert.equal(await form.field('Prompt').inputValue(), 'A red fox in the snow');
    assert.equal(await style.inputValue(), 'renders.jsonc#docs');
    await style.selectOption('None');
    await words.waitFor({ state: 'detached' });
    await form.page.getByRole('radio', { name: '1:1' }).waitFor();
  }));

test('several options of two inputs are rendered in every combination, at one sum, and the last ones are kept', () =>
  withForm({ model: choices, height: 1200 }, async (form) => {
    accepted(form, choices);
    await form.field('Prompt').fill('a fox');
    const count = form.page.getByRole('combobox', { name: /^Number of images/ });
    const option = (input: string, name: string) =>
      form.page.getByRole('group', { name: input }).getByRole('checkbox', { name, exact: true });
    await count.selectOption('Try combinations');
    for (const name of ['16:9', '9:16']) await option('Aspect ratio', name).click();
    await form.note.getByText('Required: Quality').waitFor();
    for (const name of ['Draft', 'Fine']) await option('Quality', name).click();
    await form.button.getByText('Render 6 · €0.24').waitFor();
    await option('Style', 'Linocut').click();
    await option('Style', 'Gouache').click();
    assert.equal(await option('Style', 'Linocut').isChecked(), false);
    await form.button.getByText('Render 6 · €0.24').waitFor();
    await option('Aspect ratio', '1:1').click();
    await form.button.getByText('Render 4 · €0.16').waitFor();
    await form.button.click();
    await form.until(() => form.orders.length === 4);
    assert.deepEqual(
      form.orders.map(({ inputs }) => [inputs['aspect_ratio'], inputs['quality'], inputs['style']]),
      [
        ['16:9', 'draft', 'gouache'],
        ['16:9', 'fine', 'gouache'],
        ['9:16', 'draft', 'gouache'],
        ['9:16', 'fine', 'gouache'],
      ],
    );
    await form.reload();
    assert.equal(await option('Quality', 'Fine').isChecked(), true);
    await count.selectOption('× 1');
    await form.button.getByText('Render · €0.04').waitFor();
    assert.equal(await form.page.getByRole('radio', { name: '16:9' }).isChecked(), true);
  }));

test('to combine many options, the usual ones are check boxes, and others come from the list and stay', () =>
  withForm({ model: choices, height: 1200 }, async (form) => {
    await form.field('Prompt').fill('a fox');
    await form.page.getByRole('combobox', { name: /^Number of images/ }).selectOption('Try combinations');
    const boxes = form.page.getByRole('group', { name: 'Aspect ratio' }).getByRole('checkbox');
    const more = form.page.getByRole('combobox', { name: 'More for Aspect ratio' });
    assert.equal(await boxes.count(), 7);
    await more.selectOption('21:9');
    const added = form.page.getByRole('checkbox', { name: '21:9', exact: true });
    assert.deepEqual([await added.isChecked(), await boxes.count()], [true, 8]);
    assert.deepEqual(await more.locator('option').allInnerTexts(), ['More…', '3:1', '1:3']);
    await form.screenshot(join(images, 'form-varied-added.png'));
    await added.click();
    assert.deepEqual([await added.isChecked(), await boxes.count()], [false, 8]);
    assert.deepEqual(await form.axe(), []);
  }));

test('Ctrl+Enter renders from within a field', () =>
  withForm({ model: landscape }, async (form) => {
    accepted(form, landscape);
    await priced(form);
    await form.field('Prompt').press('Control+Enter');
    await form.page.getByRole('progressbar').waitFor();
    assert.equal(form.orders.length, 1);
  }));

test('a double click, or holding a key down, is one render', () =>
  // Each prompt has its own price: a price on the button means that the previous request got its response.
  withForm(
    { model: landscape, quote: ({ prompt }) => Promise.resolve({ costCents: JSON.stringify(prompt).length - 2 }) },
    async (form) => {
      const { keyboard } = form.page;
      const ready = async (prompt: string) => {
        await form.field('Prompt').fill(prompt);
        await form.button.getByText(`Render · €0.0${prompt.length}`).waitFor();
      };
      const hold = async () => {
        for (let repeat = 0; repeat < 20; repeat += 1) await keyboard.down('Enter');
        await keyboard.up('Enter');
      };
      accepted(form, landscape);
      await ready('fox');
      await form.button.dblclick();
      await ready('wolf');
      assert.equal(form.orders.length, 1);

      await form.button.focus();
      await hold();
      await ready('otter');
      assert.equal(form.orders.length, 2);

      await form.field('Prompt').focus();
      await keyboard.down('Control');
      await hold();
      await keyboard.up('Control');
      await ready('beaver');
      assert.deepEqual(
        form.orders.map(({ inputs }) => inputs.prompt),
        ['fox', 'wolf', 'otter'],
      );
      assert.equal(new Set(form.orders.map(({ intent }) => intent)).size, 3);
    },
  ));

test('pressing Render on an incomplete form focuses what is missing, and only then shows errors', () =>
  withForm({ model: everyKind }, async (form) => {
    assert.equal(await form.page.locator('.issue').count(), 0);
    const lead = form.page.getByRole('button', { name: /^Required: / });
    assert.match(await lead.innerText(), /^Required: Prompt/);
    await form.page.getByRole('textbox', { name: 'Width' }).fill('2');
    assert.equal(await form.page.locator('.issue').count(), 0, 'nothing is wrong while it is typed');
    await form.button.focus();
    await form.page.getByText('Enter 64 or more.').waitFor();
    await form.page.keyboard.press('Enter');
    await form.page.locator('textarea:focus').waitFor();
    const prompt = form.page.getByRole('textbox', { name: 'Prompt' });
    assert.equal(await prompt.getAttribute('aria-invalid'), 'true');
    assert.match(await form.descriptionOf(prompt), /What the picture shows\..*Enter a value\./);
    await form.page.keyboard.insertText('x'.repeat(2001));
    await form.page.getByText('2,001 of 2,000 characters. Shorten the text.').waitFor();
    const colorOf = (box: Locator, property: 'borderColor' | 'outlineColor') =>
      box.evaluate((element, name) => getComputedStyle(element)[name], property);
    const wrong = await colorOf(form.page.getByRole('textbox', { name: 'Width' }), 'borderColor');
    assert.equal(await colorOf(prompt, 'borderColor'), wrong, 'also while it has the focus');
    assert.equal(await colorOf(prompt, 'outlineColor'), wrong);
    await form.button.focus();
    await form.page.getByRole('button', { name: /^Fix first: Prompt/ }).click();
    await form.page.locator('textarea:focus').waitFor();
    assert.deepEqual(form.orders, []);
  }));

test('a rejection by the service shows at its field and focuses it, even in the collapsed section', () =>
  withForm({ model: manyFields }, async (form) => {
    const name = manyFields.fields.at(-1)!.name;
    const fields = [{ field: name, message: 'not with this prompt' }];
    form.render = (order) => {
      form.show(
        entryOf(manyFields, {
          id: order.intent,
          group: 'finished',
          state: 'refused',
          problem: { code: 'invalidInput', fields },
        }),
      );
      return Promise.resolve({ key: order.intent, state: 'sent' } as RenderRecord);
    };
    await priced(form);
    await form.button.click();
    const words = form.page.getByText('The service says: not with this prompt');
    await words.waitFor();
    const focused = form.page.locator(':focus');
    await focused.waitFor();
    assert.match(await form.descriptionOf(focused), /not with this prompt/);
    await form.page.keyboard.type('1');
    await words.waitFor({ state: 'detached' });
  }));

test('a balance that is too low is shown before the click, and the click does nothing', () =>
  withForm({ model: landscape, balanceCents: 3 }, async (form) => {
    await form.field('Prompt').fill('a fox');
    await form.note.getByText('Your balance is €0.03. This render needs €0.01 more.').waitFor();
    await form.button.click({ force: true });
    form.balance(500);
    await form.note.getByText('Balance after: €4.96').waitFor();
    assert.deepEqual(form.orders, []);
  }));

test('an unavailable price is reported, and requested again on demand', () => {
  let down = true;
  const quote = () =>
    down ? Promise.reject(new ServiceError('noAnswer', 'The service is down.')) : Promise.resolve({ costCents: 4 });
  return withForm({ model: landscape, quote }, async (form) => {
    await form.field('Prompt').fill('a fox');
    await form.note.getByText('No price: The service is down.').waitFor();
    assert.equal(await form.button.innerText(), 'Render');
    down = false;
    await form.page.getByRole('button', { name: 'Try again' }).click();
    await form.button.getByText('Render · €0.04').waitFor();
  });
});

test('a screen reader announces the price, the start and end of a render, and failures', () =>
  withForm({ model: landscape }, async (form) => {
    accepted(form, landscape);
    const heard = form.page.getByRole('status');
    await priced(form);
    await heard.getByText('Price 0.04 euros. Balance after: 12.30 euros.').waitFor({ state: 'attached' });
    await form.button.click();
    await heard.getByText('Render started.').waitFor({ state: 'attached' });
    const { intent } = form.orders[0]!;
    form.show(savedImage(landscape, intent));
    await heard.getByText('Saved as 2026-11-21-landscape-1-a-red-fox-in-the-snow.png.').waitFor({ state: 'attached' });
    form.render = () => Promise.reject(new Error('The disk is full.'));
    await form.button.click();
    await heard.getByText('The disk is full.').waitFor({ state: 'attached' });
    assert.equal(await heard.getAttribute('aria-live'), 'polite');
  }));

test('typed text survives hiding the form and reloading the window', () =>
  withForm({ model: landscape }, async (form) => {
    await priced(form);
    await form.page.getByRole('radio', { name: '16:9' }).check();
    await form.reload();
    assert.equal(await form.field('Prompt').inputValue(), 'A red fox in the snow');
    await form.button.getByText('Render · €0.04').waitFor();
    form.restart();
    await form.reload();
    assert.equal(await form.field('Prompt').inputValue(), 'A red fox in the snow');
    assert.ok(await form.page.getByRole('radio', { name: '16:9' }).isChecked());
    assert.deepEqual(new Map(form.kept?.values).get('aspect_ratio'), '16:9');
    assert.deepEqual(form.orders, [], 'nothing is ordered by coming back');
  }));

test('Reset All scrolls away with the title, and covers no input', () =>
  withForm({ model: manyFields }, async (form) => {
    const reset = form.page.getByRole('button', { name: 'Reset All' });
    const bottom = async () => {
      const { y = 0, height = 0 } = (await reset.boundingBox()) ?? {};
      return y + height;
    };
    assert.ok((await bottom()) > 0);
    await form.page.locator('.filled-in').evaluate((inputs) => (inputs.scrollTop = 300));
    await form.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.ok((await bottom()) <= 0);
    await reset.focus();
    await form.page.keyboard.press('Tab');
    await form.page.keyboard.press('Shift+Tab');
    assert.ok((await bottom()) > 0, 'the keyboard reaches it where it can be seen');
  }));

test('Reset All restores the defaults and can be undone', () =>
  withForm({ model: landscape }, async (form) => {
    await priced(form);
    await form.page.getByRole('button', { name: 'Reset All' }).click();
    assert.equal(await form.field('Prompt').inputValue(), '');
    await form.page.getByRole('button', { name: 'Undo', exact: true }).click();
    assert.equal(await form.field('Prompt').inputValue(), 'A red fox in the snow');
  }));

test('a changed field has a bar and goes back to its default, and a long list shows the changed ones alone', () =>
  withForm({ model: manyFields }, async (form) => {
    const title = form.page.getByRole('textbox', { name: 'Title 1', exact: true });
    const row = form.page.locator('.field').filter({ has: title });
    const bar = () => row.evaluate((element) => getComputedStyle(element, '::before').width);
    assert.equal(await bar(), 'auto');
    await title.fill('Foxes');
    assert.equal(await bar(), '2px');
    const left = (selector: string) => form.page.locator(selector).evaluate((at) => at.getBoundingClientRect().left);
    assert.ok((await left('.field.changed')) - 10 >= (await left('.filled-in')), 'the bar isn’t cut off');
    await form.page.getByRole('button', { name: 'Changed Only' }).click();
    assert.deepEqual(await form.page.locator('.field > .vscode-label').allInnerTexts(), ['Title 1']);
    await form.screenshot(join(images, 'form-changed.png'));
    await form.page.getByRole('button', { name: 'Reset Title 1' }).click();
    assert.equal(await title.inputValue(), '');
    await form.page.getByRole('button', { name: 'Changed Only' }).click();
    await form.page.getByRole('searchbox', { name: 'Search inputs' }).fill('seed 33');
    assert.deepEqual(await form.page.locator('.field > .vscode-label').allInnerTexts(), ['Seed 33']);
    await form.button.click({ force: true });
    await form.page.locator('textarea:focus').waitFor();
    assert.ok(await form.field('Prompt').isVisible(), 'what is missing is found again');
  }));

test('while the service isn’t responding, the price isn’t offered in the color of what works', () =>
  withForm({ model: landscape }, async (form) => {
    await priced(form);
    const color = () => form.button.evaluate((button) => getComputedStyle(button).backgroundColor);
    const before = await color();
    await form.showOrdered(entryOf(landscape, { id: 'r', group: 'active', state: 'accepted', status: 'queued' }));
    form.offline();
    await form.page.getByRole('progressbar', { name: 'Waiting for the service…' }).waitFor();
    assert.notEqual(await color(), before);
    await form.screenshot(join(images, 'form-offline.png'));
  }));

test('a long list of choices is filtered and chosen from with the keyboard', () =>
  withForm({ model: everyKind }, async (form) => {
    const box = form.page.getByRole('combobox', { name: 'Palette' });
    await box.focus();
    await form.page.keyboard.press('ArrowDown');
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    await box.fill('12 cool');
    await form.page.getByRole('listbox').getByRole('option').nth(1).waitFor({ state: 'detached' });
    const active = await box.getAttribute('aria-activedescendant');
    assert.equal(await form.page.locator(`#${active}`).innerText(), 'Cool palette 12');
    await form.page.keyboard.press('Enter');
    assert.equal(await box.inputValue(), 'Cool palette 12');
    await form.page.keyboard.press('ArrowDown');
    await form.page.keyboard.press('Escape');
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    assert.equal(await box.inputValue(), 'Cool palette 12');
  }));

test('what a long list of choices shows is what Ctrl+Enter orders, at no higher price than the one shown', () => {
  const model = { ...landscape, fields: everyKind.fields.filter(({ name }) => ['prompt', 'voice'].includes(name)) };
  const quote = ({ voice }: JsonObject) => Promise.resolve({ costCents: voice === 'cool-palette-6' ? 9 : 4 });
  return withForm({ model, quote }, async (form) => {
    accepted(form, model);
    await priced(form);
    const box = form.page.getByRole('combobox', { name: 'Palette' });
    const ordered = async (count: number, voice: string | undefined) => {
      await form.until(() => form.orders.length === count);
      assert.equal(form.orders.at(-1)!.inputs['voice'], voice);
      await form.page.locator('.render[aria-disabled="false"][aria-busy="false"]').waitFor();
    };
    await box.click();
    await box.press('Control+Enter');
    await ordered(1, undefined);
    await box.fill('12 cool');
    await box.press('Control+Enter');
    await ordered(2, 'cool-palette-12');
    assert.equal(await box.inputValue(), 'Cool palette 12');
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    await box.press('Control+Enter');
    await ordered(3, 'warm-palette-13');
    await box.fill('cool palette 2');
    await box.press('Tab');
    assert.equal(await box.inputValue(), 'Cool palette 2');
    await box.press('Control+Enter');
    await ordered(4, 'cool-palette-2');
    await box.fill('cool palette 99');
    await box.press('Control+Enter');
    await form.page.getByRole('status').getByText(englishFormStrings.noChoice).waitFor();
    await box.fill('cool palette 6');
    await box.press('Control+Enter');
    await form.page.getByText(englishFormStrings.priceMoved).first().waitFor();
    assert.equal(form.orders.length, 4);
  });
});

test('a number moves with the slider and the arrow keys, and stays within its bounds', () =>
  withForm({ model: everyKind }, async (form) => {
    const box = form.page.getByRole('textbox', { name: 'Guidance' });
    const slider = form.page.getByRole('slider', { name: 'Guidance' });
    await slider.press('ArrowRight');
    assert.equal(await box.inputValue(), '4');
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), '4.5');
    assert.equal(await slider.inputValue(), '4.5');
    await box.fill('10');
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), '10');
  }));

test('aspect ratios are one row at any width, with a list of the others by keyboard', () =>
  withForm({ model: landscape }, async (form) => {
    accepted(form, landscape);
    for (const width of [420, 620, 900, 1100]) {
      await form.page.setViewportSize({ width, height: 800 });
      const tops = await form.page.locator('.one-row :is(.tile, select)').evaluateAll((all) => {
        const right = document.documentElement.clientWidth;
        return all.map((one) => [one.getBoundingClientRect().top, one.getBoundingClientRect().right <= right]);
      });
      assert.deepEqual(
        tops.map((top) => JSON.stringify(top)),
        Array.from({ length: 8 }, () => JSON.stringify([tops[0]?.[0], true])),
        `${width} px`,
      );
      await form.page.locator('.one-row').screenshot({ path: join(images, `form-ratios-${width}.png`) });
    }
    const more = form.page.getByRole('combobox', { name: 'More for Aspect ratio' });
    await more.focus();
    await form.page.keyboard.type('21');
    assert.equal(await more.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label), '21:9');
    assert.equal(await form.page.getByRole('radio', { checked: true }).count(), 0);
    await form.screenshot(join(images, 'form-ratio-of-the-list.png'));
    await priced(form);
    await form.button.click();
    await form.page.getByRole('progressbar').waitFor();
    assert.equal(form.orders[0]?.inputs['aspect_ratio'], '21:9');
  }));

test('the dice gives a number that the field accepts', () =>
  withForm({ model: landscape }, async (form) => {
    await form.page.getByRole('button', { name: 'New random value for Seed' }).click();
    const seed = Number(await form.page.getByRole('textbox', { name: 'Seed' }).inputValue());
    assert.ok(Number.isInteger(seed) && seed >= 0 && seed <= 4_294_967_295, String(seed));
  }));

test('a field of an unknown type takes text, and JSON on demand', () =>
  withForm({ model: { ...landscape, fields: [landscape.fields[0]!, everyKind.fields.at(-1)!] } }, async (form) => {
    await priced(form);
    accepted(form, landscape);
    const extras = form.page.getByRole('textbox', { name: 'Extras' });
    await extras.fill('{"a": 1');
    await form.page.getByRole('button', { name: 'Treat Extras as JSON' }).click();
    await form.button.focus();
    await form.page.getByText('Enter valid JSON.').waitFor();
    await extras.fill('{"a": ["images/fox.png"]}');
    await form.page
      .getByText(
        'Enter a URL that starts with https:// instead of the path “images/fox.png”. This input takes no files.',
      )
      .waitFor();
    await form.page.getByText('Fix first: Extras').waitFor();
    await extras.fill('{"a": 1}');
    await form.button.getByText('Render · €0.04').waitFor();
    await form.button.click();
    await form.page.getByRole('progressbar').waitFor();
    assert.deepEqual(Object.entries(form.orders[0]!.inputs), [
      ['prompt', 'A red fox in the snow'],
      ['__proto__', { a: 1 }],
    ]);
  }));

/** Several options, and a color. */
const badges: Model = {
  ...landscape,
  fields: [
    landscape.fields[0]!,
    {
      ...{ name: 'parts', label: 'Parts', kind: 'choices', statedType: 'array', required: false, maximum: 2 },
      choices: ['Sky', 'Sea', 'Land'].map((label) => ({ value: label.toLowerCase(), label })),
    },
    { name: 'tint', label: 'Tint', kind: 'color', statedType: 'color', required: false, default: '#ff8800' },
  ],
};

test('several options are chips, and a color has a swatch, by keyboard too', () =>
  withForm({ model: badges }, async (form) => {
    accepted(form, badges);
    await priced(form);
    const part = (name: string) => form.page.getByRole('checkbox', { name });
    await part('Sky').focus();
    await form.page.keyboard.press('Space');
    await form.page.keyboard.press('Tab');
    await form.page.keyboard.press('Tab');
    await form.page.keyboard.press('Space');
    await part('Sea').check();
    await form.button.focus();
    await form.page.getByText('Choose 2 or fewer.').waitFor();
    await part('Sea').uncheck();
    await form.page.getByText('Choose 2 or fewer.').waitFor({ state: 'detached' });
    const tint = form.page.getByRole('textbox', { name: 'Tint', exact: true });
    const swatch = form.page.getByLabel('Pick a color for Tint');
    assert.deepEqual([await swatch.inputValue(), await tint.inputValue()], ['#ff8800', '']);
    await swatch.fill('#336699');
    assert.equal(await tint.inputValue(), '#336699');
    await tint.fill('#abc');
    assert.equal(await swatch.inputValue(), '#aabbcc');
    for (const theme of Object.keys(themes)) {
      await form.dress(theme);
      await form.screenshot(join(images, `form-choices-color-${theme}.png`));
    }
    await form.button.getByText('Render · €0.04').waitFor();
    await form.button.click();
    await form.page.getByRole('progressbar').waitFor();
    const { prompt, ...inputs } = form.orders[0]!.inputs;
    assert.deepEqual([prompt, inputs], ['A red fox in the snow', { parts: ['sky', 'land'], tint: '#abc' }]);
  }));

test('a seed changes with each render, unless it’s pinned', () =>
  withForm({ model: landscape }, async (form) => {
    accepted(form, landscape);
    await priced(form);
    assert.equal(await form.field('Seed').getAttribute('placeholder'), 'Random each time');
    for (let order = 1; order <= 3; order += 1) {
      if (order === 3) await form.field('Seed').fill('7');
      await form.page.locator('.render[aria-disabled="false"][aria-busy="false"]').click();
      await form.until(() => form.orders.length === order);
    }
    const [first, second, third] = form.orders.map(({ inputs }) => inputs['seed']);
    assert.notEqual(first, second);
    assert.equal(typeof second, 'number');
    assert.equal(third, 7);
    assert.equal(await form.field('Seed').inputValue(), '7');
  }));

test('the prompt has the focus first, with the cursor at its end', () =>
  withForm({ model: landscape }, async (form) => {
    await form.page.keyboard.type('a fox');
    await form.button.getByText('Render · €0.04').waitFor();
    await form.reload();
    await form.page.locator('textarea:focus').waitFor();
    await form.page.keyboard.type(' in snow');
    assert.equal(await form.field('Prompt').inputValue(), 'a fox in snow');
  }));

test('at any height, the result’s actions and the strip of earlier ones can be clicked', () =>
  withForm({ model: landscape, width: 1280, height: 800 }, async (form) => {
    await priced(form);
    await form.showOrdered(savedImage(landscape, 'a'), savedImage(landscape, 'b'), savedImage(landscape, 'c'));
    for (const height of [800, 560]) {
      await form.page.setViewportSize({ width: 1280, height });
      await form.page.getByRole('button', { name: 'Copy Path' }).click();
      const bar = (await form.page.locator('.bar').boundingBox())!;
      const strip = (await form.page.locator('.strip').boundingBox())!;
      assert.ok(strip.y + strip.height <= bar.y, `${height} pixels high`);
    }
    await form.until(() => form.acts.length === 2);
    await form.page.setViewportSize({ width: 620, height: 800 });
    await form.page.locator('.inputs .results').waitFor();
    const room = (await form.page.locator('.results').boundingBox())!;
    const chosen = (await form.page.locator('.strip [aria-pressed="true"]').boundingBox())!;
    assert.ok(chosen.x - 3 >= room.x, 'nothing cuts the outline of the chosen one');
  }));

test('a result opens with a click, becomes a link where it’s dragged, and four more like it are a press away', async () => {
  for (const [theme, width] of [
    ['dark', 1280],
    ['light', 900],
    ['dark', 620],
  ] as const)
    await withForm({ model: landscape, theme, width, height: 800 }, async (form) => {
      await priced(form);
      const saved = savedImage(landscape, 'a');
      await form.showOrdered({ ...saved, inputs: { ...saved.inputs, seed: 7 } });
      const opens = form.page.getByRole('button', { name: 'Open', exact: true });
      await opens.locator('img').evaluate((image: HTMLImageElement) => image.decode());
      await form.screenshot(join(images, `form-result-${theme}-${width}.png`));
      await opens.click();
      const dragged = await opens.evaluate((handle) => {
        const dataTransfer = new DataTransfer();
        handle.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
        return dataTransfer.getData('application/vnd.code.tree.modelcatalog.generations');
      });
      assert.equal(dragged, saved.file);
      await form.page.getByRole('button', { name: '4 More · €0.16' }).click();
      await form.until(() => form.more.length === 1);
      assert.deepEqual([form.acts, form.more], [[{ action: 'openResult', id: saved.id }], [[saved.id, 4, 4]]]);
    });
});

test('in Restricted Mode, the form says that the project’s own places for results aren’t used', () =>
  withForm({ model: landscape, isRestricted: true }, async (form) => {
    await form.page
      .getByText('In Restricted Mode, this project’s settings for folders and names aren’t used.')
      .waitFor();
    await form.screenshot(join(images, 'form-restricted.png'));
  }));

test('in one column, the paid image stands directly under the prompt, in sight', async () => {
  for (const width of [620, 700, 819]) {
    await withForm({ model: landscape, width, height: 640 }, async (form) => {
      await priced(form);
      await form.showOrdered(savedImage(landscape, 'a'));
      const { top, bottom, below } = await placesOf(form.page.locator('.picture'), form);
      assert.ok(top >= below && top - below < 60, `${top} is right under the prompt, which ends at ${below}`);
      const bar = (await form.page.locator('.bar').boundingBox())!;
      assert.ok(bottom <= bar.y, `${width} pixels wide: ${bottom} is above the bar at ${bar.y}`);
      await form.field('Seed').scrollIntoViewIfNeeded();
      await form.page.getByRole('button', { name: 'Show result' }).click();
      await form.page.getByRole('button', { name: 'Copy Path' }).click();
    });
  }
});

/** Where the picture is on the page, and where the prompt above it ends. */
async function placesOf(picture: Locator, form: FormPage) {
  await picture.evaluate((image: HTMLImageElement) => image.decode());
  const box = (await picture.boundingBox())!;
  const prompt = (await form.field('Prompt').boundingBox())!;
  return { top: box.y, bottom: box.y + box.height, below: prompt.y + prompt.height };
}

test('nothing the form shows later moves a control: a render, earlier prompts, and Show Result have their places', async () => {
  for (const width of [620, 900, 1280]) {
    const prompts: string[] = [];
    await withForm({ model: landscape, width, height: 700, prompts }, async (form) => {
      await priced(form);
      const before = await controlsOf(form);
      accepted(form, landscape);
      prompts.push('A red fox in the snow');
      await form.field('Prompt').press('Control+Enter');
      await form.page.getByRole('button', { name: 'Earlier prompts…' }).waitFor();
      assert.deepEqual(await controlsOf(form), before, `while it renders, ${width} pixels wide`);
      form.show(savedImage(landscape, form.orders[0]?.intent));
      await form.page.locator('.picture').waitFor();
      assert.deepEqual(await controlsOf(form), before, `with the result, ${width} pixels wide`);
    });
  }
});

/** The place of every control outside the results that was there from the start. */
function controlsOf(form: FormPage): Promise<(string | number)[][]> {
  return form.page.evaluate(() =>
    [...document.querySelectorAll('main :is(input, textarea, select, button)')]
      .filter((control) => !control.closest('.results') && !control.matches('.latest, .earlier'))
      .map((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        return [control.id || control.className, x, y, width, height];
      }),
  );
}

test('the result’s folder and name are shown and can be changed', () =>
  withForm({ model: landscape }, async (form) => {
    await priced(form);
    await form.page.getByText('renders/a-red-fox-in-the-snow').waitFor();
    await form.page.getByRole('button', { name: 'Change Folder…' }).click();
    await form.page.getByText('assets/pictures/a-red-fox').waitFor();
    await form.page.getByRole('button', { name: 'Change Name…' }).click();
    await form.page.getByLabel('File name').fill('hero');
    await form.page.getByText('assets/pictures/hero').waitFor();
    await form.page.getByLabel('File name').fill('../hero');
    await form.page.getByText('A file name can’t contain /.').first().waitFor();
  }));

/** The cursor of an open document. */
const guide = { uri: 'file:///project/docs/guide.md', name: 'guide.md', line: 12, character: 0, text: '' };

test('a link to the result is inserted where the user was last typing, on request', () =>
  withForm({ model: landscape, place: guide }, async (form) => {
    await priced(form);
    const choice = form.page.getByLabel('Insert a link in guide.md, line 12');
    assert.equal(await choice.isChecked(), false);
    const scrolled = () => form.page.evaluate(() => window.scrollY);
    const before = await scrolled();
    await choice.press('Space');
    assert.equal(await scrolled(), before, 'the bar stays in sight anyway');
    await form.button.focus();
    assert.ok(await choice.isChecked());
    await form.button.press('Enter');
    await form.until(() => form.places.length === 1);
    assert.deepEqual(form.places, [guide]);
  }));

test('the image is shown with its name, size, and charge, and any difference from the quoted price', () =>
  withForm({ model: landscape }, async (form) => {
    await priced(form);
    await form.showOrdered(savedImage(landscape, 'dearer', 6));
    const picture = form.page.getByRole('img', { name: 'Image by Landscape 1: a red fox in the snow' });
    await picture.waitFor();
    const widthOnceLoaded = async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth;
    };
    assert.equal(await picture.evaluate(widthOnceLoaded), 640);
    await form.page.getByText('1.4 MB').waitFor();
    await form.page.getByText('Charged €0.06 (€0.04 quoted)').waitFor();
  }));

test('a failure and its refund are said once', () =>
  withForm({ model: landscape }, async (form) => {
    await priced(form);
    await form.showOrdered(entryOf(landscape, { id: 'f', group: 'finished', state: 'refunded', costCents: 4 }));
    const words = await form.page.locator('.result').innerText();
    assert.equal(words.match(/failed/gi)?.length, 1, words);
    assert.equal(words.match(/refunded/gi)?.length, 1, words);
  }));

test('hostile text of the service stays text everywhere', () => {
  const hostile = '<img src=x onerror="window.hit=1">[x](command:y)${date}';
  const field = {
    ...landscape.fields[1]!,
    required: false,
    label: hostile,
    help: hostile,
    choices: [{ value: hostile, label: hostile }],
  };
  const model = {
    ...landscape,
    title: hostile,
    description: hostile,
    fields: [landscape.fields[0]!, { ...field, default: hostile }],
  };
  return withForm({ model }, async (form) => {
    assert.equal(await form.page.getByRole('heading', { level: 1 }).innerText(), hostile);
    await form.page.getByRole('combobox', { name: hostile }).waitFor();
    await form.field('Prompt').fill('a fox');
    await form.button.getByText('Render · €0.04').waitFor();
    await form.showOrdered(
      entryOf(model, { id: 'text', group: 'finished', state: 'saved', textOutput: hostile, file: 'file:///p/a.md' }),
    );
    assert.equal(await form.page.locator('.answer').innerText(), hostile);
    assert.equal(await form.page.evaluate(() => (window as { hit?: number }).hit), undefined);
  });
});

test('reduced motion reduces all motion', () =>
  withForm({ model: landscape, reducedMotion: true }, async (form) => {
    await priced(form);
    await form.showOrdered(entryOf(landscape, { id: 'r', group: 'active', state: 'accepted', status: 'queued' }));
    const animation = await form.page
      .getByRole('progressbar')
      .evaluate((bar) => getComputedStyle(bar, '::after').animationName);
    assert.equal(animation, 'none');
  }));

test('a render with a known usual duration shows it, and its progress bar advances', () =>
  withForm({ model: landscape, usualMs: 42_000 }, async (form) => {
    await priced(form);
    const startedAt = Date.now() - 21_000;
    const entry = entryOf(landscape, { id: 'r', group: 'active', state: 'accepted', status: 'queued', startedAt });
    await form.showOrdered(entry);
    await form.page.getByText(/^\d+ s, usually 42 s$/).waitFor();
    const bar = form.page.getByRole('progressbar');
    const share = async () => Number(await bar.getAttribute('aria-valuenow'));
    const before = await share();
    assert.ok(before >= 35 && before <= 80, `${before} %`);
    await form.page.waitForFunction(
      (from) => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) > from,
      before,
    );
  }));

test('a screen reader reads the form exactly as recorded', () =>
  withForm({ model: everyKind }, async (form) => {
    await form.field('Prompt').fill('a fox');
    await form.page.getByRole('radio', { name: 'Fine' }).check();
    await form.page.getByRole('radio', { name: 'No' }).check();
    await form.button.getByText('Render · €0.04').waitFor();
    await form.showOrdered(savedImage(everyKind));
    const seen = `${await form.page.getByRole('main').ariaSnapshot()}\n`;
    await writeFile(join(images, snapshot), seen);
    const written = await readFile(join(root, 'test', 'editor', 'form', snapshot), 'utf8');
    assert.equal(seen, written, `what was seen is in ${images}`);
  }));

/** The forms to examine: axe checks each, and takes a screenshot in every kind of theme. */
const scenes: Record<
  string,
  { model: Model; options?: Partial<FormOptions>; prepare: (form: FormPage) => Promise<void> }
> = {
  ready: { model: landscape, prepare: priced },
  fields: { model: everyKind, options: { height: 1500 }, prepare: (form) => form.field('Prompt').fill('a fox') },
  issues: {
    model: everyKind,
    options: { height: 1600, width: 420 },
    prepare: async (form) => {
      await form.page.getByRole('textbox', { name: 'Width' }).fill('2');
      await form.button.click({ force: true });
      await form.page.getByText('Enter a value.').first().waitFor();
    },
  },
  many: {
    model: manyFields,
    prepare: async (form) => {
      await priced(form);
      await form.page.getByText('More options (31)').click();
      await form.page.getByText('Seed 11').scrollIntoViewIfNeeded();
    },
  },
  choosing: {
    model: everyKind,
    prepare: async (form) => {
      await form.page.getByRole('combobox', { name: 'Palette' }).click();
      await form.page.getByRole('listbox').getByRole('option').first().waitFor();
    },
  },
  poor: {
    model: landscape,
    options: { balanceCents: 2 },
    prepare: async (form) => {
      await form.field('Prompt').fill('a fox');
      await form.page.getByText('This render needs').first().waitFor();
    },
  },
  rendering: {
    model: landscape,
    prepare: async (form) => {
      await priced(form);
      await form.showOrdered(entryOf(landscape, { id: 'r', group: 'active', state: 'accepted', status: 'queued' }));
    },
  },
  image: {
    model: landscape,
    options: { place: guide },
    prepare: async (form) => {
      await priced(form);
      await form.page.getByText('Insert a link').click();
      await form.showOrdered(
        savedImage(landscape, 'a'),
        entryOf(landscape, { id: 'f', group: 'finished', state: 'failed' }),
        savedImage(landscape, 'c', 6),
      );
    },
  },
  styled: {
    model: landscape,
    options: { styles, prompts: ['a fox'] },
    prepare: async (form) => {
      await priced(form);
      await form.page.getByRole('combobox', { name: 'Project style' }).selectOption('docs');
      await form.page.getByText('Set by the style').waitFor();
      await form.button.getByText('Render · €0.04').waitFor();
    },
  },
  varied: {
    model: choices,
    options: { height: 1100 },
    prepare: async (form) => {
      await form.field('Prompt').fill('a fox');
      await form.page.getByRole('combobox', { name: /^Number of images/ }).selectOption('Try combinations');
      for (const name of ['16:9', 'Draft', 'Fine'])
        await form.page.getByRole('checkbox', { name, exact: true }).click();
      await form.button.getByText('Render 4 · €0.16').waitFor();
    },
  },
  answer: {
    model: haiku,
    options: { width: 320 },
    prepare: async (form) => {
      await form.field('Subject').fill('snow');
      await form.button.getByText('Render · €0.04').waitFor();
      const textOutput = 'Snow falls on the pond\nthe heron lifts one grey foot\nand forgets the word';
      const file = 'file:///project/renders/2026-11-21-haiku-snow.md';
      await form.showOrdered(
        entryOf(haiku, { id: 't', group: 'finished', state: 'saved', costCents: 4, textOutput, file }),
      );
    },
  },
};

for (const [name, { model, options, prepare }] of Object.entries(scenes)) {
  test(`axe finds nothing wrong with "${name}" in any kind of theme`, () =>
    withForm({ model, ...options }, async (form) => {
      await prepare(form);
      for (const theme of Object.keys(themes)) {
        await form.dress(theme);
        await form.screenshot(join(images, `form-${name}-${theme}.png`));
        assert.deepEqual(await form.axe(), [], theme);
      }
    }));

  test(`no text of "${name}" is cut in a language of long words, wide or narrow`, () =>
    withForm({ model, ...options }, async (form) => {
      await prepare(form);
      await form.speak(inLongWords(englishFormStrings));
      for (const width of [1200, 700, 420, 300]) {
        await form.page.setViewportSize({ width, height: 900 });
        await form.screenshot(join(images, `form-${name}-long-${width}.png`));
        assert.deepEqual(await cutTexts(form.page), [], `${width} pixels wide`);
      }
    }));
}
