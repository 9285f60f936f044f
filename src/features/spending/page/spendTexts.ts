import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SumsView } from './spendMessages';
import type { SpendStrings } from './spendStrings';
import { Words } from '../../../editor/page/words';

/** The texts of the spending page in the editor's language. */
export class SpendTexts extends Words<keyof SpendStrings> {
  /** The cost of some renders. An unknown charge is never shown as 0; the words say that it's missing. */
  amount({ spentCents, unknown, underWay }: SumsView): string {
    const unstated = unknown + underWay;
    if (unstated === 0) return this.money(spentCents);
    if (spentCents > 0) return this.say('atLeast', this.money(spentCents));
    return this.say(unknown > 0 ? 'notKnown' : 'notYetKnown');
  }

  /** An amount that was added or, if negative, spent, with its sign. Euro cents. */
  change(cents: number): string {
    if (cents === 0) return this.money(0);
    return cents < 0 ? `−${this.money(-cents)}` : `+${this.money(cents)}`;
  }

  /** The refunded amount; undefined if nothing was refunded. */
  refund({ refunds, refundedCents }: SumsView): string | undefined {
    return refunds === 0 ? undefined : this.say('refunded', this.money(refundedCents));
  }

  /** Date and time, from ms since 1970. */
  moment(ms: number): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
  }

  /** A day (`2026-03-29`) or a month (`2026-03`) in full. */
  period(key: string): string {
    const isDay = key.length > 7;
    return this.format(key, isDay ? { dateStyle: 'full' } : { month: 'long', year: 'numeric' });
  }

  /** The short form for below a bar. */
  tick(key: string): string {
    const isDay = key.length > 7;
    return this.format(key, isDay ? { day: 'numeric', month: 'short' } : { month: 'short', year: '2-digit' });
  }

  private format(key: string, options: Intl.DateTimeFormatOptions): string {
    // The key is a local day already: no time zone applies.
    return new Intl.DateTimeFormat(this.language, { ...options, timeZone: 'UTC' }).format(Date.parse(key));
  }
}

const context = createContext<SpendTexts | undefined>(undefined);

/** Provides the texts to everything below. */
export const SpendTextsProvider = context.Provider;

/** The texts of the page; it isn't shown before they arrive. */
export function useSpendTexts(): SpendTexts {
  const texts = useContext(context);
  if (!texts) throw new Error('The spending page was shown before its texts arrived');
  return texts;
}
