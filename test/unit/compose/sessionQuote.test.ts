import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogClient } from '../../../src/catalog/client';
import { Quotes } from '../../../src/catalog/quotes';
import { priceListOf } from '../../../src/compose/fitting';
import { sessionQuote } from '../../../src/compose/offer';
import { TestClock } from '../clock';

/** A window with a form, and the price list that other features use. */
function windowOf(...prices: number[]) {
  const asked: unknown[] = [];
  const client = { quote: (_: string, inputs: unknown) => (asked.push(inputs), { costCents: prices.shift() }) };
  const session = { client: client as unknown as CatalogClient, model: () => Promise.reject(new Error('no model')) };
  const quotes = new Quotes(new TestClock());
  const form = () => sessionQuote(session, quotes, { debounceMs: 0 });
  const { signal } = new AbortController();
  const listed = async () =>
    (await priceListOf(session.client, session, quotes).quote('a/b/c', { n: 1 }, signal)).costCents;
  return { asked, form, listed };
}

/** The form's state once it's priced. */
async function shown(form: ReturnType<typeof sessionQuote>): Promise<unknown> {
  form.ask('a/b/c', { n: 1 });
  while (form.state.status === 'asking') await new Promise((resolve) => form.onDidChange(resolve));
  return form.state.status === 'priced' && form.state.costCents;
}

test('a price comparison reuses the form’s price without another request', async () => {
  const { asked, form, listed } = windowOf(4, 5);
  assert.equal(await shown(form()), 4);
  assert.equal(await listed(), 4);
  assert.equal(asked.length, 1);
});

test('a form requests its price itself, whatever the window knows', async () => {
  const { asked, form, listed } = windowOf(4, 5);
  assert.equal(await listed(), 4);
  assert.equal(await shown(form()), 5);
  assert.equal(await listed(), 5);
  assert.equal(asked.length, 2);
});
