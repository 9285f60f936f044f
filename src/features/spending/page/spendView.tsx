import type { FromSpend } from '../model/spendConversation';
import type { SpendReport } from './spendMessages';
import { periods, type Period } from './spendMessages';
import { Icon } from '../../../editor/page/icon';
import { Select } from '../../../editor/page/select';
import { BalanceStatement } from './balanceStatement';
import { Chart } from './chart';
import { SpendTextsProvider, useSpendTexts, type SpendTexts } from './spendTexts';
import { SumsTable } from './sumsTable';
import { Total } from './total';

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
          <h2>{texts.say('nothingYet')}</h2>
          <p>{texts.say('nothingYetHelp')}</p>
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
