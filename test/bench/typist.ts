import type { Page } from 'playwright-core';

/**
 * The pause between two keys for an average typist: mean and deviation of 136 million keystrokes (Dhakal and others,
 * CHI 2018), ms.
 */
const between = { mean: 238, deviation: 112 };

/**
 * The pauses of a user at a keyboard, ms; equal for equal seeds. Long ones are rare but occur, as in a log-normal
 * distribution.
 */
export function* pauses(seed: number): Generator<number, never> {
  const spread = Math.log(1 + (between.deviation / between.mean) ** 2);
  const middle = Math.log(between.mean) - spread / 2;
  const unit = units(seed);
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
    yield Math.exp(middle + Math.sqrt(spread) * normal);
  }
}

/** Types the text at human speed into the focused element. */
export async function typeLikeAPerson(page: Page, text: string, seed: number): Promise<void> {
  const pause = pauses(seed);
  for (const character of text) {
    await page.keyboard.type(character);
    await page.waitForTimeout(pause.next().value);
  }
}

/** Pseudorandom numbers, at least 0 and less than 1. */
function units(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
