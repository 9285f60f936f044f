import type { Readiness } from './state';
import type { Texts } from './texts';

/** The price stands on the button only while it is the price of what is on the screen. */
export function buttonWords(readiness: Readiness, texts: Texts): string {
  switch (readiness.kind) {
    case 'ready':
      return readiness.costCents === undefined
        ? texts.say('renderNotStated')
        : texts.say('renderPriced', texts.money(readiness.costCents));
    case 'tooLittle':
      return texts.say('renderPriced', texts.money(readiness.costCents));
    case 'asking':
      return texts.say('renderAsking');
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
    case 'starting':
    case 'asking':
      return balanceCents === undefined ? '' : texts.say('balance', texts.money(balanceCents));
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

/** The first three by name. */
function named({ fields }: Extract<Readiness, { kind: 'invalid' }>, texts: Texts): string {
  const names = fields
    .slice(0, 3)
    .map((field) => field.label)
    .join(', ');
  return fields.length > 3 ? texts.say('andMore', names, fields.length - 3) : names;
}
