import type { ResultView } from './formMessages';
import { variantCount, type FormState, type Readiness, readinessOf } from './state';
import type { Texts } from './texts';

/** The screen reader announcement for a change of state: at most one, the most important; '' withdraws a price. */
export function announcement(before: FormState, after: FormState, texts: Texts): string | undefined {
  // A prompt that the page itself brought back isn't read otherwise.
  if (after.recalled && after.recalled !== before.recalled) return after.recalled.prompt;
  return (
    ofResults(before, after, texts) ??
    ofProblem(before, after) ??
    ofImage(before, after) ??
    ofPrice(before, after, texts)
  );
}

/** The text to be heard after an announcement, if there is one. Only a change is read, so a repeated one differs. */
export function heard(last: string, next: string | undefined): string {
  return next && next === last ? `${next}\u00a0` : (next ?? last);
}

function ofResults(before: FormState, after: FormState, texts: Texts): string | undefined {
  if (before.results === after.results) return undefined;
  for (const result of after.results) {
    const earlier = before.results.find((other) => other.id === result.id);
    const words = ofResult(earlier, result, texts);
    if (words !== undefined) return words;
  }
  return undefined;
}

function ofResult(before: ResultView | undefined, after: ResultView, texts: Texts): string | undefined {
  if (before?.stage === after.stage) return undefined;
  // Results that existed when the form opened aren't announced.
  if (!before) return after.stage === 'active' ? texts.say('announceStarted') : undefined;
  if (after.stage === 'active') return undefined;
  if (after.file) return texts.say('announceSaved', after.file.name);
  if (after.problem !== undefined || after.isStaged || after.stage === 'ended') return after.problem ?? after.status;
  return texts.say('announceReady');
}

function ofProblem(before: FormState, after: FormState): string | undefined {
  return before.problem === after.problem ? undefined : after.problem;
}

function ofImage({ imageProblems: before }: FormState, { imageProblems: after }: FormState): string | undefined {
  return [...after].find(([field, problem]) => before.get(field) !== problem)?.[1].problem;
}

/** The balance changed elsewhere, so the last announced one isn't left to be read. */
function isOldBalance(before: FormState, after: FormState): boolean {
  const isChanged = before.balanceCents !== undefined && before.balanceCents !== after.balanceCents;
  // A render of this form is what was announced last.
  return isChanged && after.results.every(({ stage }) => stage !== 'active');
}

function ofPrice(before: FormState, after: FormState, texts: Texts): string | undefined {
  const was = readinessOf(before);
  const now = readinessOf(after);
  if (JSON.stringify(was) === JSON.stringify(now)) return isOldBalance(before, after) ? '' : undefined;
  // The same price reappears once a render has started, perhaps after another request: only the start is news.
  if (was.kind === 'starting' && now.kind === 'ready') return undefined;
  if (after.orderedRevision === after.revision && isSamePrice(was, now)) return undefined;
  switch (now.kind) {
    case 'ready':
      if (now.costCents === undefined) return texts.say('priceNotStated');
      if (after.balanceCents === undefined) return texts.say('announcePrice', texts.spokenMoney(now.costCents));
      return texts.say(
        'announcePriceAndBalance',
        texts.spokenMoney(now.costCents),
        texts.spokenMoney(after.balanceCents - now.costCents),
      );
    case 'tooLittle':
      return shortWords(now, variantCount(after), texts, (cents) => texts.spokenMoney(cents));
    case 'failed':
      return texts.say('priceFailed', now.problem);
    case 'held':
      return texts.say('priceHeld');
    case 'asking':
    case 'invalid':
      // The last announced price is no longer current: don't leave it to be read.
      return '';
    case 'starting':
      return undefined;
  }
}

/** The price remains, while it's requested again too. */
function isSamePrice(was: Readiness, now: Readiness): boolean {
  const [before, after] = [was, now].map((one) => {
    if (one.kind === 'asking') return one.lastCents;
    return one.kind === 'starting' || one.kind === 'ready' ? one.costCents : undefined;
  });
  return before !== undefined && before === after;
}

/** The price of the current inputs, as often as they're rendered; while that's asked for, the last one. */
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
    case 'held':
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
function shortWords(
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
    case 'held':
      return texts.say('priceHeld');
    case 'failed':
      return texts.say('priceFailed', readiness.problem);
    case 'tooLittle':
      return shortWords(readiness, variantCount({ variants }), texts, (cents) => texts.money(cents));
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
