import type { SpendReport } from './spendMessages';
import { useSpendTexts } from './spendTexts';

type Bar = SpendReport['bars'][number];

/** About how many labels fit below the bars. */
const mostTicks = 7;

/** One bar for each day or month, and a table with the same figures. */
export function Chart({ report: { bars, unit } }: { readonly report: SpendReport }) {
  const texts = useSpendTexts();
  const highest = Math.max(...bars.map(({ sums }) => sums.spentCents + sums.refundedCents), 1);
  const step = Math.ceil(bars.length / mostTicks);
  return (
    <section class="chart" aria-labelledby="chart">
      <h2 id="chart">{texts.say(unit === 'day' ? 'byDay' : 'byMonth')}</h2>
      <div class="plot" aria-hidden="true">
        <span class="highest">{texts.money(highest)}</span>
        <div class="bars">
          {bars.map((bar, index) => (
            <Column
              key={bar.key}
              bar={bar}
              highest={highest}
              // Counted back from the last one, which is today.
              hasTick={(bars.length - 1 - index) % step === 0}
            />
          ))}
        </div>
      </div>
      <Legend bars={bars} />
      <BarsTable bars={bars} unit={unit} />
    </section>
  );
}

function Column(props: { readonly bar: Bar; readonly highest: number; readonly hasTick: boolean }) {
  const texts = useSpendTexts();
  const { key, sums } = props.bar;
  const height = (cents: number) => ({ height: `${(100 * cents) / props.highest}%` });
  const words = [texts.amount(sums), texts.say('rendersCount', sums.renders), texts.refund(sums)];
  return (
    <div class="column" title={`${texts.period(key)}\n${words.filter((one) => one !== undefined).join(' · ')}`}>
      <div class="rise">
        {sums.unknown > 0 && <span class="mark">?</span>}
        {sums.refundedCents > 0 && <div class="bar back" style={height(sums.refundedCents)} />}
        {sums.spentCents > 0 && <div class="bar" style={height(sums.spentCents)} />}
      </div>
      <span class="tick">{props.hasTick && <span>{texts.tick(key)}</span>}</span>
    </div>
  );
}

/** The legend, for the colors used in the chart. */
function Legend({ bars }: { readonly bars: readonly Bar[] }) {
  const texts = useSpendTexts();
  const isThere = (key: 'refundedCents' | 'unknown') => bars.some(({ sums }) => sums[key] > 0);
  if (!isThere('refundedCents') && !isThere('unknown')) return null;
  return (
    <ul class="legend" aria-hidden="true">
      <li>
        <span class="swatch" />
        {texts.say('spent')}
      </li>
      {isThere('refundedCents') && (
        <li>
          <span class="swatch back" />
          {texts.say('refundedColumn')}
        </li>
      )}
      {isThere('unknown') && (
        <li>
          <span class="mark">?</span>
          {texts.say('notKnownColumn')}
        </li>
      )}
    </ul>
  );
}

/** The bars as numbers; empty ones are left out. */
function BarsTable({ bars, unit }: Pick<SpendReport, 'bars' | 'unit'>) {
  const texts = useSpendTexts();
  return (
    <details>
      <summary>{texts.say('asTable')}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.say(unit === 'day' ? 'day' : 'monthColumn')}</th>
            <th scope="col">{texts.say('renders')}</th>
            <th scope="col">{texts.say('refundedColumn')}</th>
            <th scope="col">{texts.say('notKnownColumn')}</th>
            <th scope="col">{texts.say('spent')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.flatMap(({ key, sums }) =>
            sums.renders === 0
              ? []
              : [
                  <tr key={key}>
                    <th scope="row">{texts.period(key)}</th>
                    <td>{texts.number(sums.renders)}</td>
                    <td>{texts.money(sums.refundedCents)}</td>
                    <td>{texts.number(sums.unknown)}</td>
                    <td>{texts.amount(sums)}</td>
                  </tr>,
                ],
          )}
        </tbody>
      </table>
    </details>
  );
}
