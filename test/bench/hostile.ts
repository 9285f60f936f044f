import { HostileFolder } from '../editor/hostileFolder';
import type { Row } from './row';

const windows = 3;

/**
 * How long the extension host, which all extensions share, stands still at most while a hostile folder is opened, and
 * each of its documents. The editor's own extensions read them too, and its start holds the host up by itself.
 */
export async function hostileFolder(): Promise<Row[]> {
  const folder = await HostileFolder.create();
  try {
    const rows: Row[] = [];
    for (const isTrusted of [true, false]) {
      const [ours, figures]: [number[], number[]] = [[], []];
      for (let window = 0; window < windows; window++) {
        ours.push((await folder.open({ isTrusted, isOurs: true })).pauseMs);
        figures.push((await folder.open({ isTrusted, isOurs: false })).pauseMs);
      }
      rows.push({
        what: `longest stop of the extension host while a hostile folder is opened, ${isTrusted ? 'trusted' : 'in Restricted Mode'}`,
        unit: 'ms',
        ours,
        yardstick: { what: 'the same without the extension', figures },
        aim: { of: 'ratio', atMost: 1.2 },
      });
    }
    return rows;
  } finally {
    await folder.remove();
  }
}
