import type { ResultView } from './formMessages';
import type { Texts } from './texts';

/** The amount that the service reports as charged, with the quoted price if it differs. */
export function chargeWords(result: ResultView, texts: Texts): string | undefined {
  if (result.costCents === undefined) return result.stage === 'done' ? texts.say('chargeNotStated') : undefined;
  return isDifferent(result)
    ? texts.say('chargedOther', texts.money(result.costCents), texts.money(result.shownCents ?? 0))
    : texts.say('charged', texts.money(result.costCents));
}

/** True when the service's charge differs from the price on the button. */
export function isDifferent({ costCents, shownCents }: ResultView): boolean {
  return costCents !== undefined && shownCents !== undefined && costCents !== shownCents;
}
