import type { Readiness } from './state';
import type { Texts } from './texts';

/** The button shows the price only while it's the price of the current inputs. */
export function buttonWords(readiness: Readiness, texts: Texts): string {
  switch (readiness.kind) {
    case 'ready':
      return readiness.costCents === undefined
        ? texts.say('renderNotStated')
        : texts.say('renderPriced', texts.money(readiness.costCents));
    case 'tooLittle':
      return texts.say('renderPriced', texts.money(readiness.costCents));
    case 'asking':
      return readiness.lastCents === undefined
        ? texts.say('renderAsking')
        : texts.say('renderPriced', texts.money(readiness.lastCents));
    case 'starting':
      return texts.say('starting');
    case 'invalid':
    case 'failed':
      return texts.say('render');
  }
}

/** The words next to the button: the balance after the render, or why it can't be pressed. */
export function noteWords(readiness: Readiness, balanceCents: number | undefined, texts: Texts): string {
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
      return texts.say(
        'tooLittle',
        texts.money(readiness.balanceCents),
        texts.money(readiness.costCents - readiness.balanceCents),
      );
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
