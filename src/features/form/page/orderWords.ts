import { countOf, type FormState, type Readiness } from './state';
import type { Texts } from './texts';

/** The button shows the price only while it's the price of the current inputs, as often as they're rendered. */
export function buttonWords(readiness: Readiness, count: number, texts: Texts): string {
  switch (readiness.kind) {
    case 'ready':
      return readiness.costCents === undefined
        ? texts.say('renderNotStated')
        : pricedWords(readiness.costCents, count, texts);
    case 'tooLittle':
      return pricedWords(readiness.costCents, count, texts);
    case 'asking':
      if (readiness.lastCents !== undefined) return pricedWords(readiness.lastCents, count, texts);
      return count === 1 ? texts.say('renderAsking') : texts.say('renderVariantsAsking', count);
    case 'starting':
      return texts.say('starting');
    case 'invalid':
    case 'failed':
      return texts.say('render');
  }
}

function pricedWords(cents: number, count: number, texts: Texts): string {
  return count === 1
    ? texts.say('renderPriced', texts.money(cents))
    : texts.say('renderVariantsPriced', count, texts.money(cents));
}

/** That the balance doesn't cover the price, with both amounts as `amount` has them. */
export function shortWords(
  { balanceCents, costCents }: Extract<Readiness, { kind: 'tooLittle' }>,
  count: number,
  texts: Texts,
  amount: (cents: number) => string,
): string {
  const amounts = [amount(balanceCents), amount(costCents - balanceCents)] as const;
  return count === 1 ? texts.say('tooLittle', ...amounts) : texts.say('tooLittleVariants', ...amounts, count);
}

/** The words next to the button: the balance after the render, or why it can't be pressed. */
export function noteWords(
  readiness: Readiness,
  { balanceCents, variants }: Pick<FormState, 'balanceCents' | 'variants'>,
  texts: Texts,
): string {
  switch (readiness.kind) {
    case 'ready':
      if (readiness.costCents === undefined) return texts.say('priceNotStated');
      return balanceCents === undefined
        ? ''
        : texts.say('balanceAfter', texts.money(balanceCents - readiness.costCents));
    case 'asking':
    case 'starting':
      return balanceCents === undefined ? '' : balanceWords(readiness, balanceCents, texts);
    case 'failed':
      return texts.say('priceFailed', readiness.problem);
    case 'tooLittle':
      return shortWords(readiness, countOf({ variants }), texts, (cents) => texts.money(cents));
    case 'invalid':
      return texts.say(readiness.missing ? 'fieldsNeeded' : 'fieldsWrong', named(readiness, texts));
  }
}

/** The balance after the last price, while a fresh one is being requested. */
function balanceWords(readiness: Readiness, balanceCents: number, texts: Texts): string {
  const cents = readiness.kind === 'asking' ? readiness.lastCents : undefined;
  return cents === undefined || cents > balanceCents
    ? texts.say('balance', texts.money(balanceCents))
    : texts.say('balanceAfter', texts.money(balanceCents - cents));
}

/** Names the first three. */
function named({ fields }: Extract<Readiness, { kind: 'invalid' }>, texts: Texts): string {
  const names = fields
    .slice(0, 3)
    .map((field) => field.label)
    .join(', ');
  return fields.length > 3 ? texts.say('andMore', names, fields.length - 3) : names;
}
