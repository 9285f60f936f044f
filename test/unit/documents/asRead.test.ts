import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editAsRead } from '../../../src/documents/link';
import { repathed } from '../../../src/documents/edits';
import { imageLinks } from '../../../src/documents/imageLinks';
import { edited } from '../../../src/documents/passage';

/** A document that someone else edits at given moments. */
class TypedDocument {
  version = 1;

  constructor(
    public text: string,
    private readonly typed: string[],
  ) {}

  /** A moment when a key may be pressed; '' for none. */
  async moment(): Promise<void> {
    await Promise.resolve();
    const key = this.typed.shift() ?? '';
    if (key !== '') this.set(key + this.text);
  }

  set(text: string): void {
    this.text = text;
    this.version++;
  }
}

/** Changes every link to `hero.png` like *Change the Link*. */
function follow(document: TypedDocument): Promise<boolean> {
  return editAsRead(
    async () => {
      const { version, text } = document;
      await document.moment();
      const edits = imageLinks(text, 'markdown').map((link) => repathed(link, 'hero.webp'));
      await document.moment();
      return [{ document, version, edits }];
    },
    async ([read]) => {
      const text = read!.edits.reduce(edited, document.text);
      await Promise.resolve();
      document.set(text);
      return true;
    },
  );
}

test('a link is changed, and text typed at any moment stays as typed', async () => {
  const key = fc.constantFrom('', '', 'a', '\n', 'word ', '# A title\n\n');
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 14 }), async (keys) => {
      const typed = [...keys];
      const document = new TypedDocument('![hero](hero.png)', typed);
      const isDone = await follow(document);
      const above = keys.slice(0, keys.length - typed.length).reduce<string>((text, one) => one + text, '');
      assert.equal(document.text, `${above}![hero](${isDone ? 'hero.webp' : 'hero.png'})`);
    }),
    { numRuns: 1000 },
  );
});

test('a failed change is retried, then reported', async () => {
  let tries = 0;
  const document = new TypedDocument('', []);
  const refuse = () => Promise.resolve(++tries < 0);
  assert.equal(await editAsRead(() => Promise.resolve([{ document, version: 1, edits: [] }]), refuse), false);
  assert.ok(tries > 1);
});
