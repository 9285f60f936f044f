import { Chance } from './chance';
import { faultKinds, type FaultKind } from './faults';
import type { Policy } from './service';

export const keys = ['ai_live_one', 'ai_live_two'] as const;

/** What a person decides to have rendered, with which account. */
export interface Decision {
  /** Made when the price was shown: the key. */
  readonly intent: string;
  readonly modelId: string;
  readonly inputs: Record<string, string>;
  readonly cents: number;
}

/** Something that a person does, or that befalls the machine, at a time of the schedule. */
export type Action = { readonly at: number; readonly window: number } & (
  | { readonly act: 'open' | 'compare' | 'refresh' | 'powerLoss' | 'windowCloses' }
  | { readonly act: 'order'; readonly decision: number }
  | { readonly act: 'send' | 'discard' | 'downloadAgain' | 'saveAs'; readonly which: number }
  | { readonly act: 'connect'; readonly key: number | undefined }
  | { readonly act: 'folder'; readonly gone: boolean }
  | { readonly act: 'sleep' | 'clockSet'; readonly ms: number }
);

/** All that a run is made of: the same schedule always runs the same. */
export interface Schedule {
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  readonly harshness: number;
  readonly policy: Policy;
  readonly noLinks: boolean;
  readonly balance: number;
  readonly decisions: readonly Decision[];
  readonly actions: readonly Action[];
  /** At the end the windows are closed and one is opened anew; else they stay open. */
  readonly restarts: boolean;
}

const minute = 60_000;

/** When the last action is begun, ms. */
export const longestScheduleMs = 60_000;

/** The schedule of a seed. */
export function scheduleOf(seed: number): Schedule {
  const chance = new Chance(seed);
  const share = chance.pick('share', [0, 0.15, 0.3, 0.3, 0.5, 1]);
  const kinds = faultKinds.filter((kind) => chance.unit(`switch ${kind}`) < share);
  const decisions = Array.from({ length: chance.pick('decisions', [1, 1, 2, 2, 3, 4]) }, (_, n) =>
    decisionOf(chance, n),
  );
  const actions = [...peopleIn(chance, decisions.length, kinds), ...machineIn(chance, kinds)];
  return {
    ...{ seed, kinds, decisions },
    harshness: chance.pick('harshness', [0.5, 1, 1, 2, 3]),
    policy: policyOf(chance),
    noLinks: chance.unit('no links') < 0.1,
    balance: kinds.includes('balanceTooLow') ? chance.between('balance', 0, 20) : 10_000,
    actions: actions.sort((a, b) => a.at - b.at),
    restarts: chance.unit('restarts') < 0.6,
  };
}

function decisionOf(chance: Chance, n: number): Decision {
  const modelId = chance.pick(`model ${n}`, [
    'a/b/picture-model',
    'a/b/picture-model',
    'a/b/text-model',
    'a/b/sound-model',
  ]);
  const size = chance.pick(`size ${n}`, ['small', 'large']);
  const prompt = chance.pick(`prompt ${n}`, ['a red kite', 'a red kite', `a kite numbered ${n}`]);
  return { intent: chance.uuid(`intent ${n}`), modelId, inputs: { prompt, size }, cents: size === 'large' ? 9 : 4 };
}

function policyOf(chance: Chance): Policy {
  return {
    order: chance.pick('order', ['keyFirst', 'balanceFirst']),
    retentionMs: chance.pick('retention', [15, 15, 15, 30, 24 * 60]) * minute,
    clockAheadMs: chance.unit('no date') < 0.1 ? undefined : chance.pick('ahead', [0, 0, -3 * minute, 2 * 60 * minute]),
    bareList: chance.unit('bare list') < 0.3,
    listLength: chance.pick('list length', [1, 50, 50]),
    tellingList: chance.unit('telling list') < 0.8,
    noLength: chance.unit('no length') < 0.3,
  };
}

/** What the person does. */
function peopleIn(chance: Chance, decisions: number, kinds: readonly FaultKind[]): Action[] {
  const windows = chance.pick('windows', [1, 1, 2, 2, 3]);
  const time = (name: string) => chance.between(`when ${name}`, 200, longestScheduleMs * 0.8);
  const somewhere = (name: string) => chance.between(`where ${name}`, 0, windows - 1);
  const actions: Action[] = Array.from({ length: windows }, (_, window) => ({
    ...{
      at: window === 0 ? 0 : chance.mostlySmall(`open ${window}`, 0, longestScheduleMs / 2),
      window,
      act: 'open' as const,
    },
  }));
  for (let decision = 0; decision < decisions; decision++) {
    const at = chance.mostlySmall(`when order ${decision}`, 100, longestScheduleMs / 2);
    const window = somewhere(`order ${decision}`);
    actions.push({ at, window, act: 'order', decision });
    // A double click, and a click in two windows that show the same form.
    const again = chance.unit(`again ${decision}`);
    if (again < 0.15) actions.push({ at, window, act: 'order', decision });
    else if (again < 0.4) {
      const later = at + chance.mostlySmall(`again ${decision} later`, 0, 20_000);
      actions.push({ at: later, window: (window + 1) % windows, act: 'order', decision });
    }
  }
  for (let n = 0; n < chance.between('gestures', 0, 5); n++) {
    const at = time(`gesture ${n}`);
    const window = somewhere(`gesture ${n}`);
    const which = chance.between(`gesture ${n} of`, 0, 3);
    const act = chance.pick(`gesture ${n}`, [
      'send',
      'send',
      'discard',
      'compare',
      'refresh',
      'downloadAgain',
      'saveAs',
    ] as const);
    actions.push(act === 'compare' || act === 'refresh' ? { at, window, act } : { at, window, act, which });
  }
  if (kinds.includes('accountChanges')) {
    // Often while something is being sent.
    const order = actions.find(({ act }) => act === 'order');
    const at =
      chance.unit('account soon') < 0.6 && order ? order.at + chance.between('account at', 1, 3_000) : time('account');
    const window = order?.window ?? 0;
    const key = chance.unit('other account') < 0.7 ? 1 : undefined;
    actions.push({ at, window, act: 'connect', key });
    actions.push({ at: at + chance.mostlySmall('account back', 100, 30_000), window, act: 'connect', key: 0 });
  }
  if (kinds.includes('folderGone')) {
    const at = time('folder');
    actions.push({ at, window: 0, act: 'folder', gone: true });
    actions.push({ at: at + chance.between('folder back', 500, 40_000), window: 0, act: 'folder', gone: false });
  }
  return actions;
}

/** What befalls the machine. */
function machineIn(chance: Chance, kinds: readonly FaultKind[]): Action[] {
  const actions: Action[] = [];
  const times = (kind: FaultKind, most: number) => {
    const count = kinds.includes(kind) ? chance.between(`${kind} times`, 1, most) : 0;
    return Array.from({ length: count }, (_, n) => ({
      name: `${kind} ${n}`,
      at: chance.mostlySmall(`when ${kind} ${n}`, 500, longestScheduleMs),
      window: chance.between(`where ${kind} ${n}`, 0, 2),
    }));
  };
  for (const { at, window } of times('powerLoss', 2)) actions.push({ at, window, act: 'powerLoss' });
  for (const { at, window } of times('windowCloses', 2)) actions.push({ at, window, act: 'windowCloses' });
  for (const { name, at, window } of times('sleep', 3)) {
    const most = chance.pick(`${name} most`, [minute, 40 * minute]);
    actions.push({ at, window, act: 'sleep', ms: chance.between(`${name} ms`, 5_000, most) });
  }
  for (const { name, at, window } of times('clockSet', 2)) {
    const ms = chance.between(`${name} ms`, 1_000, 40 * minute) * chance.pick(`${name} way`, [-1, -1, 1]);
    actions.push({ at, window, act: 'clockSet', ms });
  }
  return actions;
}
