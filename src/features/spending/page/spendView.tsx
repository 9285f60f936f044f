import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Select } from '../../../editor/page/controls';
import { Icon } from '../../../editor/page/icon';
import { Words } from '../../../editor/page/words';
import type { FromSpend } from '../model/spendConversation';
import {
  type Period,
  periods,
  type RowView,
  type SpendReport,
  type SpendStrings,
  type SumsView,
  type TableView,
} from './spendMessages';

interface Props {
  /** Undefined until the host sends the first one. */
  readonly report: SpendReport | undefined;
  readonly tell: (message: FromSpend) => void;
}

const periodTexts = { week: 'week', month: 'month', year: 'year', all: 'allTime' } as const;

/** The whole page: what was spent with one account in one period, and on what. */
export function SpendView({ texts, report, tell }: Props & { readonly texts: SpendTexts }) {
  return (
    <SpendTextsProvider value={texts}>
      <main class="spend">
        <h1>{texts.say('title')}</h1>
        {report ? <Content report={report} tell={tell} /> : <p>{texts.say('loading')}</p>}
      </main>
    </SpendTextsProvider>
  );
}

function Content({ report, tell }: { readonly report: SpendReport; readonly tell: Props['tell'] }) {
  const texts = useSpendTexts();
  if (report.isEmpty) {
    return (
      <>
        <Choices report={report} tell={tell} />
        <div class="message">
          <Icon name="sparkle" />
          <h2>{texts.say('nothingYet')}</h2>
          <p>{texts.say('nothingYetHelp')}</p>
          <button type="button" class="vscode-button" onClick={() => tell({ type: 'openModel' })}>
            {texts.say('openModel')}
          </button>
        </div>
      </>
    );
  }
  return (
    <>
      <Choices report={report} tell={tell} />
      <div class="overview">
        <Total sums={report.total} />
        <BalanceStatement report={report} />
      </div>
      {report.total.renders === 0 ? (
        <p class="nothing">{texts.say('nothingInPeriod')}</p>
      ) : (
        <>
          <Chart report={report} />
          <div class="tables">
            <SumsTable title={texts.say('byModel')} table={report.models} />
            <SumsTable title={texts.say('byProject')} table={report.projects} />
            <SumsTable title={texts.say('byOrderer')} table={report.orderers} />
            <SumsTable title={texts.say('byFile')} table={report.files} />
          </div>
        </>
      )}
    </>
  );
}

/** The account and the period, and the export. */
function Choices({ report, tell }: { readonly report: SpendReport; readonly tell: Props['tell'] }) {
  const texts = useSpendTexts();
  const { accounts, account, period, agents, agent } = report;
  return (
    <div class="choices">
      {accounts.length > 1 ? (
        <Select
          label={texts.say('account')}
          value={String(account)}
          options={accounts.map((name, index) => [String(index), name] as const)}
          onChange={(index) => tell({ type: 'chooseAccount', account: Number(index) })}
        />
      ) : (
        <span class="account">{accounts[0]}</span>
      )}
      <Select<Period>
        label={texts.say('period')}
        value={period}
        options={periods.map((one) => [one, texts.say(periodTexts[one])] as const)}
        onChange={(chosen) => tell({ type: 'choosePeriod', period: chosen })}
      />
      {agents.length > 0 && (
        <Select
          label={texts.say('startedBy')}
          value={agent === undefined ? '' : String(agent)}
          options={[['', texts.say('anyone')], ...agents.map((name, index) => [String(index), `“${name}”`] as const)]}
          onChange={(index) => tell({ type: 'chooseAgent', agent: index === '' ? undefined : Number(index) })}
        />
      )}
      <button
        type="button"
        class="vscode-button secondary"
        disabled={report.total.renders === 0}
        onClick={() => tell({ type: 'export' })}
      >
        <Icon name="save-as" />
        {texts.say('exportCsv')}
      </button>
    </div>
  );
}

/** Names with their costs, and a bar for each relative to the largest. */
function SumsTable({ title, table }: { readonly title: string; readonly table: TableView }) {
  const texts = useSpendTexts();
  const most = Math.max(...table.rows.map(({ sums }) => sums.spentCents), table.others?.sums.spentCents ?? 0, 1);
  return (
    <section>
      <h2>{title}</h2>
      <table class="sums" aria-label={title}>
        <colgroup>
          <col />
          <col class="count" />
          <col class="cost" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{texts.say('name')}</th>
            <th scope="col">{texts.say('renders')}</th>
            <th scope="col">{texts.say('spent')}</th>
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <Row key={index} row={row} most={most} />
          ))}
          {table.others && (
            <Row row={{ name: texts.say('others', table.others.count), sums: table.others.sums }} most={most} />
          )}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row: { name, detail, sums }, most }: { readonly row: RowView; readonly most: number }) {
  const texts = useSpendTexts();
  const width = { width: `${(100 * sums.spentCents) / most}%` };
  const notes = notesOf(sums, texts);
  return (
    <tr>
      <th scope="row" title={detail ?? name}>
        <span class="name">{name}</span>
        {sums.spentCents > 0 && (
          <span class="track" aria-hidden="true">
            <span class="bar" style={width} />
          </span>
        )}
        {notes.length > 0 && <span class="notes">{notes.join(' · ')}</span>}
      </th>
      <td class="count">{texts.number(sums.renders)}</td>
      <td class="cost">{texts.amount(sums)}</td>
    </tr>
  );
}

function notesOf(sums: SumsView, texts: ReturnType<typeof useSpendTexts>): string[] {
  const { unknown, underWay } = sums;
  const notes = [
    texts.refund(sums),
    unknown > 0 ? texts.say('unknownCount', unknown) : undefined,
    underWay > 0 ? texts.say('underWayCount', underWay) : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}

/** The total of the period, and the renders that it doesn't include. */
function Total({ sums }: { readonly sums: SumsView }) {
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

/** How the balance changed, as in a bank statement: the lines add up. */
function BalanceStatement({ report: { balance, statement } }: { readonly report: SpendReport }) {
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
const SpendTextsProvider = context.Provider;

/** The texts of the page; it isn't shown before they arrive. */
function useSpendTexts(): SpendTexts {
  const texts = useContext(context);
  if (!texts) throw new Error('The spending page was shown before its texts arrived');
  return texts;
}

type Bar = SpendReport['bars'][number];

/** About how many labels fit below the bars. */
const mostTicks = 7;

/** How many days or months are shown even if there is nothing in the first ones. */
const fewestBars = 7;

/** One bar for each day or month since the first render, and a table with the same figures. */
function Chart({ report: { bars: all, unit } }: { readonly report: SpendReport }) {
  const texts = useSpendTexts();
  const first = all.findIndex(({ sums }) => sums.renders > 0);
  const bars = all.slice(Math.max(0, Math.min(first, all.length - fewestBars)));
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
