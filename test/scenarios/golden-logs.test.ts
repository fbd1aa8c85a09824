import { isDeepStrictEqual } from 'node:util';
import { verifyLog } from '@parley/core';
import { wrongMember } from '@parley/core/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { domain } from '../../packages/core/src/areas/domain.ts';
import type { SessionState } from '../../packages/core/src/areas/state.ts';
import { readEvent } from '../../packages/core/src/kernel/log/event.ts';
import { decodeState, encodeState } from '../../packages/core/src/kernel/log/persistent-collections.ts';
import { shown } from '../../packages/core/test/kernel/support/shown.ts';
import {
  begun,
  type Digests,
  digestsOf,
  folded,
  logOf,
  readDigests,
  readLogs,
  writeGoldenLogs,
} from './support/golden-logs.ts';
import { STORIES } from './support/stories.ts';

/** Whether the run writes the logs. `pnpm golden:logs` sets the variable. */
const IS_WRITING = process.env.GOLDEN_LOGS === 'write';

/**
 * Number of events between two snapshots. A `decoded` snapshot is compared with the state. From a `folded` snapshot,
 * the rest of the log is folded again.
 */
const EVENTS_BETWEEN = { decoded: 1, folded: 10 };
/** Less often in logs of old fold versions, because no process starts from their snapshots. */
const EVENTS_BETWEEN_IN_OLD_LOGS = { decoded: 20, folded: 40 };

const RAISE =
  'A stored log folds into another state than before: raise FOLD_VERSION in packages/core/src/areas/domain.ts and run pnpm golden:logs. Else processes of this release would begin from snapshots of another fold.';
const WRITE = 'FOLD_VERSION was raised: run pnpm golden:logs and commit what it writes.';

const changesOf = (before: Digests, { catalog, logs }: Digests): string[] => [
  ...(before.catalog === catalog ? [] : ['the kinds of events']),
  ...Object.entries(before.logs).flatMap(([name, digest]) => (logs[name] === digest ? [] : [name])),
];

beforeAll(async () => {
  if (!IS_WRITING) return;
  const before = await readDigests().catch(() => null);
  const isOld = before?.foldVersion === domain.foldVersion;
  expect(isOld ? changesOf(before, await digestsOf(await readLogs())) : [], RAISE).toEqual([]);
  await writeGoldenLogs();
});

test('the stored logs, those of earlier fold versions too, fold into what is written down', async () => {
  const [written, found] = [await readDigests(), await digestsOf(await readLogs())];
  if (written.foldVersion === found.foldVersion) expect(changesOf(written, found), RAISE).toEqual([]);
  expect(found, WRITE).toEqual(written);
});

test('there are logs of every story for the fold version in force', async () => {
  const names = [...(await readLogs()).keys()].filter((name) => name.startsWith(`${domain.foldVersion}-`));
  expect(names, WRITE).toEqual(STORIES.map(logOf).toSorted());
});

describe('a stored log', async () => {
  const logs = [...(await readLogs())];

  test.each(logs)('%s verifies', async (_name, log) => {
    expect(await verifyLog(log)).toMatchObject({ ok: true, events: log.length });
  });

  test.each(logs)('%s has events of the forms that clients check', async (_name, log) => {
    for (const { seq, at, v, kind, actor, data } of log.map(readEvent)) {
      const sent: unknown = JSON.parse(JSON.stringify({ seq, at, v, kind, actor, data }));
      expect(wrongMember('watch', sent), `event ${seq}, ${kind}`).toBeUndefined();
    }
  });

  test.each(logs)('%s folds on from a snapshot as it folds from the first event', async (name, log) => {
    const step = name.startsWith(`${domain.foldVersion}-`) ? EVENTS_BETWEEN : EVENTS_BETWEEN_IN_OLD_LOGS;
    const end = await encodeState(folded(log));
    let state = begun(log);
    for (const [index, event] of log.entries()) {
      state = folded([event], state);
      if (index % step.decoded > 0) continue;
      const restored = decodeState(await encodeState(state)) as SessionState;
      expect(isDeepStrictEqual(shown(restored), shown(state)), `at ${event.seq}`).toBe(true);
      if (index % step.folded > 0) continue;
      const isEnd = (await encodeState(folded(log.slice(index + 1), restored))) === end;
      expect(isEnd, `from ${event.seq}`).toBe(true);
    }
  });
});
