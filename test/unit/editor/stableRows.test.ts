import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StableRows } from '../../../src/editor/stableRows';

interface Row {
  readonly id?: string;
  readonly label: string;
  readonly detail?: string;
  readonly model?: object;
}

/** A box that counts how often its rows are replaced; the editor makes the first of new rows the active one. */
class Box {
  replaced = 0;
  activeItems: readonly Row[] = [];
  private rows: readonly Row[] = [];

  get items(): readonly Row[] {
    return this.rows;
  }

  set items(rows: readonly Row[]) {
    this.replaced += 1;
    this.rows = rows;
    this.activeItems = rows.slice(0, 1);
  }
}

const box = () => {
  const picker = new Box();
  return { picker, rows: new StableRows(picker, ({ id }: Row) => id) };
};
const fox = { id: 'fox', label: 'Fox' };
const sea = { id: 'sea', label: 'Sea' };

test('rows that show the same aren’t replaced, since a click on one would be lost', () => {
  const { picker, rows } = box();
  assert.equal(rows.show([fox, sea]), true);
  assert.equal(rows.show([{ ...fox }, { ...sea, detail: undefined }]), false);
  assert.equal(picker.replaced, 1);
});

test('rows are replaced when one is added, removed, or changed', () => {
  const { picker, rows } = box();
  for (const shown of [[fox], [fox, sea], [sea, fox], [sea], [{ ...sea, detail: '€0.04' }], []]) rows.show(shown);
  assert.equal(picker.replaced, 6);
});

test('the active row stays active wherever it moves and however it changes', () => {
  const { picker, rows } = box();
  rows.show([fox, sea]);
  picker.activeItems = [sea];
  rows.show([{ ...sea, detail: '€0.04' }, fox]);
  assert.deepEqual(
    picker.activeItems.map(({ id }) => id),
    ['sea'],
  );
});

test('no row is active once the active one has gone', () => {
  const { picker, rows } = box();
  rows.show([fox, sea]);
  picker.activeItems = [sea];
  rows.show([fox]);
  assert.deepEqual(picker.activeItems, []);
});

test('the requested row becomes active', () => {
  const { picker, rows } = box();
  rows.show([fox, sea], 'sea');
  assert.deepEqual(picker.activeItems, [sea]);
});

test('identical references aren’t compared deeply', () => {
  const { rows } = box();
  const model = {
    toJSON: () => {
      throw new Error('read');
    },
  };
  rows.show([{ ...fox, model }]);
  assert.equal(rows.show([{ ...fox, model }]), false);
});
