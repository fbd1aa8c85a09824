import type { Page } from '../record.ts';
import { type CheckResult, counted } from './check-result.ts';
import type { Pair } from './write-checks.ts';

/**
 * Checks that a reader's cursor never decreases, and that a page contains every record between its start and its end
 * exactly once.
 */
export function checkCursors(pairs: readonly Pair[]): CheckResult {
  const faults = pairs.flatMap(({ seen, stored }) => [
    ...seen.pages.flatMap((page) => faultsOf(page, page.of === 'messages' ? stored.messages : stored.feed)),
    ...readersOf(seen.pages).flatMap((reader) => faultsAtEnd(reader, seen.pages, stored)),
  ]);
  const pages = pairs.flatMap(({ seen }) => seen.pages);
  const records = pages.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    check: 'no cursor goes back or skips',
    looked: `${counted(pages.length, 'pages')}, ${counted(records, 'records')}`,
    faults,
  };
}

function faultsOf({ reader, after, atLeast, ids, next }: Page, stored: readonly number[]): string[] {
  if (after < atLeast) return [`${reader} is back at ${after} after it had ${atLeast} behind it`];
  if (next < after) return [`${reader} was sent back from ${after} to ${next}`];
  const due = stored.filter((id) => id > after && id <= next);
  return due.join() === ids.join()
    ? []
    : [`${reader} was given ${ids.join()} after ${after}, and due was ${due.join()}`];
}

const readersOf = (pages: readonly Page[]): string[] => [...new Set(pages.map(({ reader }) => reader))];

/** Checks that a reader reached the last record. Readers continue until a page is empty after the last write. */
function faultsAtEnd(reader: string, pages: readonly Page[], stored: Pair['stored']): string[] {
  const last = pages.findLast((page) => page.reader === reader);
  const end = (last?.of === 'messages' ? stored.messages : stored.feed).at(-1) ?? 0;
  return (last?.next ?? 0) < end ? [`${reader} ended at ${last?.next} and never came to ${end}`] : [];
}
