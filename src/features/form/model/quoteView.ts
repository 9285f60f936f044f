import type { QuoteView } from '../page/formMessages';
import type { LiveOffer } from '../../../compose/liveOffer';

/** The state of an offer's price as the form shows it. */
export function quoteView(
  { state, lastCents }: Pick<LiveOffer, 'state' | 'lastCents'>,
  words: { sentence(error: unknown): string },
): QuoteView {
  switch (state.status) {
    case 'priced':
      return { status: 'priced', costCents: state.costCents };
    case 'failed':
      return { status: 'failed', problem: words.sentence(state.error) };
    case 'asking':
      return { status: 'asking', lastCents };
    default:
      return { status: state.status };
  }
}
