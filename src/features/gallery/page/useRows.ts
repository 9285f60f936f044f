import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { gap } from './layout';

/**
 * The rows in or near the view, and the one to keep so that its focus isn't lost. All rows have the same height, px.
 */
export function useRows(options: {
  readonly scroller: () => HTMLElement | null;
  readonly count: number;
  readonly rowHeight: number;
  readonly keep: number;
}): Virtualizer<HTMLElement, HTMLElement> {
  const [, showAgain] = useReducer((times: number) => times + 1, 0);
  const { count, rowHeight, keep } = options;
  const settings = {
    count,
    gap,
    paddingStart: gap,
    paddingEnd: gap,
    scrollPaddingStart: gap,
    scrollPaddingEnd: gap,
    overscan: 2,
    getScrollElement: options.scroller,
    estimateSize: () => rowHeight,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const rows = defaultRangeExtractor(range);
      return rows.includes(keep) || keep >= count ? rows : [...rows, keep].sort((a, b) => a - b);
    },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => showAgain(undefined),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(settings));
  rows.setOptions(settings);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  return rows;
}
