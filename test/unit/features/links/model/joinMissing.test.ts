import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Field, type Model, Seeds } from '../../../../../src/catalog/fields';
import { Quotes } from '../../../../../src/catalog/quotes';
import { imageLinks } from '../../../../../src/documents/imageLinks';
import { joinMissing, type MissingImage, MissingList } from '../../../../../src/features/links/model/missingList';
import { clientOf, json, serve } from '../../../catalog/service';
import { TestClock } from '../../../clock';
import { TestShelf } from '../../../compose/shelf';

/** The images of documents in the project's folder, all of which are missing. */
function missingIn(documents: Readonly<Record<string, string>>): MissingImage[] {
  const images = new Map<string, MissingImage>();
  for (const [name, text] of Object.entries(documents)) {
    for (const link of imageLinks(text, 'markdown'))
      joinMissing(images, name, { link, file: `file:///project/${encodeURIComponent(link.path)}`, problem: undefined });
  }
  return [...images.values()];
}

test('an image that links write in different case or Unicode form is rendered and charged once', () => {
  const images = missingIn({
    'a.md': '![](Hero.png) ![a fox](hero.PNG)',
    'b.md': '![](caf\u00e9.png)\n![](cafe\u0301.png)',
  });
  assert.deepEqual(
    images.map(({ file, documents, prompt }) => [file, documents, prompt]),
    [
      ['file:///project/Hero.png', ['a.md', 'a.md'], 'a fox'],
      ['file:///project/caf%C3%A9.png', ['b.md', 'b.md'], undefined],
    ],
  );
});

test('images with different names are each rendered, with the description from the first link that has one', () => {
  const images = missingIn({ 'a.md': '![a fox](fox.png) ![a hen](hen.png)', 'b.md': '![a red fox](fox.png)' });
  assert.deepEqual(
    images.map(({ documents, prompt, offset }) => [documents, prompt, offset]),
    [
      [['a.md', 'b.md'], 'a fox', 9],
      [['a.md'], 'a hen', 27],
    ],
  );
});

const field: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'c', kind: 'image', fields: [field] };

test('an image is worth rendering if the description that is used is', () => {
  const images = missingIn({
    'a.md': '![](fox.png) ![a red fox](fox.png) ![logo](fox.png) ![logo](hen.png) ![a red hen](hen.png) ![](owl.png)',
  });
  assert.deepEqual(
    images.map(({ prompt, isWorth }) => [prompt, isWorth]),
    [
      ['a red fox', true],
      ['logo', false],
      [undefined, true],
    ],
  );
});

test('an image with several links, in one or several documents, is priced once, and so are two with the same prompt', async (t) => {
  const images = missingIn({
    'a.md': '![a red fox](fox.png) ![a sly fox](fox.png)',
    'b.md': '![](FOX.png) ![a brown hen](hen.png) ![the fox once more](fox.png) ![a red fox](copy.png)',
  });
  const service = await serve(t, json({ costCents: 4 }));
  const [client, quotes] = [clientOf(t, service.base), new Quotes(new TestClock())];
  const list = new MissingList(
    images,
    async (id, inputs) => (await quotes.of(client, id, inputs, {})).quote.costCents,
    new Seeds({ unit: () => 0.5 }),
    new TestShelf(),
  );
  list.use(model, undefined);
  await list.renew();
  // In the meantime, another model was selected and the list reopened for the order.
  list.use(model, undefined);
  await list.renew();
  const posts = service.arrived.filter(({ method, url }) => method === 'POST' && url.endsWith('/quote'));
  assert.deepEqual(
    posts.map(({ body }) => (JSON.parse(body) as { inputs: unknown }).inputs),
    [{ prompt: 'a red fox' }, { prompt: 'a brown hen' }],
  );
  assert.deepEqual(
    list.agreed.map(({ item, cents }) => [item.image.documents, cents]),
    [
      [['a.md', 'a.md', 'b.md', 'b.md'], 4],
      [['b.md'], 4],
      [['b.md'], 4],
    ],
  );
});
