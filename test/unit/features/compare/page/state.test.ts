import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComparisonView } from '../../../../../src/features/compare/page/compareMessages';
import {
  type Action,
  initialComparison,
  type CompareState,
  keptComparisonOf,
  keyAction,
  modeOf,
  reduce,
  sizesDiffer,
  slidOf,
} from '../../../../../src/features/compare/page/state';

function told(count: number, part: Partial<ComparisonView> = {}): Action {
  const images = Array.from({ length: count }, (_, index) => ({ title: `p${index}`, address: `webview:${index}` }));
  return {
    type: 'received',
    message: {
      type: 'comparison',
      id: 'one',
      images: images,
      mode: 'slider',
      decisions: [],
      identical: false,
      ...part,
    },
  };
}

function after(...actions: Action[]): CompareState {
  return actions.reduce(reduce, initialComparison(undefined));
}

function press(state: CompareState, ...keys: readonly (readonly [key: string, shift?: boolean])[]): CompareState {
  return keys.reduce((now, [key, shift = false]) => {
    const action = keyAction(key, shift, now);
    return action ? reduce(now, action) : now;
  }, state);
}

test('it starts in the host’s mode, and keeps the user’s choice when a file changes', () => {
  const state = after(told(2), { type: 'chosen', mode: 'difference' }, told(2));
  assert.equal(modeOf(after(told(2))), 'slider');
  assert.equal(modeOf(state), 'difference');
});

test('the kept state returns only to its own comparison', () => {
  const state = press(after(told(2), { type: 'slid', to: 0.2 }), ['+']);
  const back = (id: string) => reduce(initialComparison(keptComparisonOf(state)), told(2, { id }));
  assert.deepEqual([back('one').divider, back('one').zoom.scale], [0.2, 1.25]);
  assert.deepEqual([back('other').divider, back('other').zoom.scale], [0.5, 1]);
});

test('the images marked to be kept are still marked when their comparison is shown again', () => {
  const state = after(told(3), { type: 'toggled', index: 0 }, { type: 'toggled', index: 2 });
  const back = (id: string) => reduce(initialComparison(keptComparisonOf(state)), told(3, { id }));
  assert.deepEqual([[...back('one').selected], [...back('other').selected]], [[0, 2], []]);
});

test('keys 1 to 4 choose how two images are compared, and do nothing for more than two', () => {
  const two = after(told(2));
  assert.deepEqual(
    ['1', '2', '3', '4'].map((key) => modeOf(press(two, [key]))),
    ['slider', 'sideBySide', 'onionSkin', 'difference'],
  );
  assert.equal(keyAction('5', false, two), undefined);
  assert.equal(keyAction('1', false, after(told(3))), undefined);
  assert.equal(modeOf(after(told(3))), 'sideBySide');
});

test('if one image is missing or damaged, the other is shown in full', () => {
  const damaged: Action = { type: 'loaded', address: 'webview:1', size: undefined };
  const gone = after(told(2, { images: [{ title: 'p0' }, { title: 'p1', address: 'webview:1' }] }));
  for (const state of [gone, after(told(2), damaged)]) {
    assert.equal(modeOf(state), 'sideBySide');
    assert.equal(keyAction('1', false, state), undefined);
  }
  assert.equal(modeOf(reduce(gone, told(2))), 'slider');
});

test('arrow keys move the images, and with Shift the divider or the opacity', () => {
  const state = press(after(told(2)), ['+'], ['ArrowRight']);
  assert.ok(state.zoom.x < 0);
  assert.equal(slidOf(press(state, ['ArrowRight', true])), 0.52);
  assert.equal(slidOf(press(state, ['3'], ['ArrowLeft', true])), 0.48);
  assert.equal(slidOf(press(state, ['3'], ['ArrowLeft', true], ['1'])), 0.5);
  assert.ok(press(state, ['4'], ['ArrowDown', true]).zoom.y < 0, 'without a slider Shift changes nothing');
  assert.equal(press(state, ['0']).zoom.scale, 1);
});

test('the divider stays in the view', () => {
  assert.equal(after(told(2), { type: 'slid', to: 7 }).divider, 1);
  assert.equal(after(told(2), { type: 'slid', to: -1 }).divider, 0);
});

test('whether images differ in size is known once both are loaded', () => {
  const loaded = (index: number, width: number): Action => ({
    type: 'loaded',
    address: `webview:${index}`,
    size: { width, height: 100 },
  });
  assert.equal(sizesDiffer(after(told(2), loaded(0, 200))), false);
  assert.equal(sizesDiffer(after(told(2), loaded(0, 200), loaded(1, 200))), false);
  assert.equal(sizesDiffer(after(told(2), loaded(0, 200), loaded(1, 300))), true);
});
