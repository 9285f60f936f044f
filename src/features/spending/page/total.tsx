import type { SumsView } from './spendMessages';
import { Icon } from '../../../editor/page/icon';
import { useSpendTexts } from './spendTexts';

/** The total of the period, and the renders that it doesn't include. */
export function Total({ sums }: { readonly sums: SumsView }) {
  const texts = useSpendTexts();
  const { renders, refunds, refundedCents, unknown, unknownShownCents, underWay } = sums;
  return (
    <section class="total" aria-labelledby="spent">
      <h2 id="spent">{texts.say('spent')}</h2>
      <p class="amount">{texts.amount(sums)}</p>
      <ul>
        <li>{texts.say('rendersCount', renders)}</li>
        {refunds > 0 && <li>{texts.say('refundedCount', texts.money(refundedCents), refunds)}</li>}
        {underWay > 0 && <li>{texts.say('underWayCount', underWay)}</li>}
        {unknown > 0 && (
          <li class="unknown">
            <Icon name="question" />
            <div>
              <strong>{texts.say('unknownCount', unknown)}</strong>
              <p>{texts.say('unknownHelp', texts.money(unknownShownCents))}</p>
            </div>
          </li>
        )}
      </ul>
    </section>
  );
}
