import { HostileFolder } from '../editor/hostileFolder';
import type { Row } from './row';

const windows = 3;

/**
 * The longest time that the extension host, which all extensions share, is blocked while a hostile folder and each of
 * its documents is opened. The editor's own extensions also read them, and its start alone blocks the host.
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
        aim: { of: 'ratio', atMost: 1.1 },
      });
    }
    return rows;
  } finally {
    await folder.remove();
  }
}
