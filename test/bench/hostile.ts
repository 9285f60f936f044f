import type { Held } from '../editor/heldThread';
import { HostileFolder } from '../editor/hostileFolder';
import type { Row } from './row';

const windows = 3;

/**
 * The longest time that the extension host, which all extensions share, is blocked while a hostile folder and each of
 * its documents is opened. The editor's own extensions also read them, and its start alone blocks the host. How long a
 * stop lasts depends on the processors, too; what the thread does in it, and our share of that, doesn't.
 */
export async function hostileFolder(): Promise<Row[]> {
  const folder = await HostileFolder.create();
  try {
    const rows: Row[] = [];
    for (const isTrusted of [true, false]) {
      const [ours, others]: [Held[], Held[]] = [[], []];
      for (let window = 0; window < windows; window++) {
        ours.push(await folder.open({ isTrusted, isOurs: true }));
        others.push(await folder.open({ isTrusted, isOurs: false }));
      }
      const where = `while a hostile folder is opened, ${isTrusted ? 'trusted' : 'in Restricted Mode'}`;
      const against = (figure: (held: Held) => number) => ({
        unit: 'ms' as const,
        ours: ours.map(figure),
        yardstick: { what: 'the same without the extension', figures: others.map(figure) },
      });
      rows.push(
        {
          what: `longest stop of the extension host ${where}`,
          ...against(({ pauseMs }) => pauseMs),
          aim: { of: 'ratio', atMost: 1.1 },
        },
        { what: `longest work of its thread in one stop ${where}`, ...against(({ workMs }) => workMs) },
        {
          what: `longest work of our code in one stop ${where}`,
          unit: 'ms',
          ours: ours.map(({ oursMs }) => oursMs),
          aim: { of: 'value', atMost: 50 },
        },
      );
    }
    return rows;
  } finally {
    await folder.remove();
  }
}
