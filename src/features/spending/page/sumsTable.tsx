import type { RowView, SumsView, TableView } from './spendMessages';
import { useSpendTexts } from './spendTexts';

/** Names with their costs, and a bar for each relative to the largest. */
export function SumsTable({ title, table }: { readonly title: string; readonly table: TableView }) {
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
