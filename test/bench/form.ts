import type { Workbench } from '../editor/workbench';
import { alternate } from './alternate';
import { openWatched } from './connected';
import type { Row } from './row';
import { keyToField } from './watch';
import { yardstick } from './yardstick';

const model = 'paperlight/strata/strata-2';
const keys = { ours: 'Control+F8', yardstick: 'Control+F9', close: 'Control+F10' } as const;
const keybindings = [
  { key: 'ctrl+f8', command: 'modelCatalog.openModel', args: model },
  { key: 'ctrl+f9', command: 'yardstick.webview' },
  { key: 'ctrl+f10', command: 'workbench.action.closeAllEditors' },
];

/**
 * From the command to the first field on the screen, compared with a webview that shows a field once its host responds.
 */
export async function form(): Promise<Row[]> {
  const workbench = await openWatched({ beside: [yardstick], keybindings });
  try {
    const warm = await alternate({
      ours: () => shown(workbench, keys.ours),
      yardstick: () => shown(workbench, keys.yardstick),
    });
    const anew = async (key: string) => {
      await workbench.open();
      await workbench.statusBarItem('modelCatalog.balance').waitFor();
      return shown(workbench, key);
    };
    const cold = await alternate({ ours: () => anew(keys.ours), yardstick: () => anew(keys.yardstick) }, { warmUp: 0 });
    const held = 'a webview of one field';
    return [
      {
        what: 'command → usable form',
        unit: 'ms',
        ours: warm.ours,
        yardstick: { what: held, figures: warm.yardstick },
        aim: { of: 'ratio', atMost: 1.5 },
      },
      {
        what: 'command → usable form, the first of a window, the sandbox started for it',
        unit: 'ms',
        ours: cold.ours,
        yardstick: { what: held, figures: cold.yardstick },
        aim: { of: 'ratio', atMost: 1.35 },
      },
    ];
  } finally {
    await workbench.close();
  }
}

async function shown({ page }: Workbench, key: string): Promise<number> {
  const took = await keyToField(page, key);
  await page.keyboard.press(keys.close);
  await page.locator('iframe.webview').waitFor({ state: 'detached' });
  return took;
}
