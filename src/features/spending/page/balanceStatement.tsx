import type { SpendReport } from './spendMessages';
import { Icon } from '../../../editor/page/icon';
import { useSpendTexts } from './spendTexts';

/** How the balance changed, as in a bank statement: the lines add up. */
export function BalanceStatement({ report: { balance, statement } }: { readonly report: SpendReport }) {
  const texts = useSpendTexts();
  if (!balance) return null;
  return (
    <section class="statement" aria-labelledby="balance">
      <h2 id="balance">{texts.say('balance')}</h2>
      {statement ? (
        <>
          <table>
            <tbody>
              <Line
                name={texts.say('balanceAt', texts.moment(statement.from.at))}
                amount={texts.money(statement.from.cents)}
              />
              <Line name={texts.say('oursLine')} amount={texts.change(-statement.oursCents)} />
              <Line name={texts.say('outsideLine')} amount={texts.change(-statement.outsideCents)} />
              <Line name={texts.say('addedLine')} amount={texts.change(statement.addedCents)} />
            </tbody>
            <tfoot>
              <Line
                name={texts.say('balanceAt', texts.moment(statement.to.at))}
                amount={texts.money(statement.to.cents)}
              />
            </tfoot>
          </table>
          {statement.uncertain > 0 && (
            <p class="unknown">
              <Icon name="question" />
              <span>{texts.say('uncertainLine', statement.uncertain)}</span>
            </p>
          )}
        </>
      ) : (
        <>
          <p>{texts.say('balanceAsOf', texts.money(balance.cents), texts.moment(balance.at))}</p>
          <p class="note">{texts.say('notSeenTwice')}</p>
        </>
      )}
    </section>
  );
}

function Line({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{amount}</td>
    </tr>
  );
}
