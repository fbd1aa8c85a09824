import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import { NEAR_PX } from './position.ts';
import { guessHeight, type Row } from './rows.ts';

const OVERSCAN = 6;

export type Rows = Virtualizer<HTMLElement, HTMLElement>;

/** Calculates the rendered rows and their positions. If the reader is at the end, the list scrolls to new rows. */
export function useVirtualRows(rows: readonly Row[], scroller: RefObject<HTMLElement | null>): Rows {
  const [, draw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const getItemKey = useCallback((index: number) => rows[index]?.entry.id ?? index, [rows]);
  const options = {
    count: rows.length,
    getItemKey,
    estimateSize: (index: number) => {
      const row = rows[index];
      return row ? guessHeight(row, scroller.current?.clientWidth ?? 700) : 0;
    },
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: OVERSCAN,
    anchorTo: 'end' as const,
    followOnAppend: true,
    scrollEndThreshold: NEAR_PX,
    onChange: () => draw(undefined),
  };
  const virtualizer = useMemo(() => new Virtualizer<HTMLElement, HTMLElement>(options), []);
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
