import type { Fault } from '../chaos/plan.ts';
import type { RunRecord } from '../record.ts';
import { type CheckResult, counted } from './check-result.ts';
import { checkFresh, checkWakes } from './look-checks.ts';
import { checkCursors } from './page-checks.ts';
import type { StoredSession } from './stored.ts';
import { checkLogs, checkNothingDoubled, checkNothingLost, checkSameAnswers, type Pair } from './write-checks.ts';

export interface Evidence {
  readonly record: RunRecord;
  readonly stored: readonly StoredSession[];
  readonly plan: readonly Fault[];
}

export function judgeRun({ record, stored, plan }: Evidence): CheckResult[] {
  const pairs = record.sessions.map((seen): Pair => ({ seen, stored: storedOf(stored, seen.sessionId) }));
  return [
    checkNothingLost(pairs),
    checkNothingDoubled(pairs),
    checkSameAnswers(pairs),
    checkWakes(pairs, record),
    checkFresh(pairs),
    checkCursors(pairs),
    checkLogs(pairs),
    ...(plan.some(({ kind }) => kind === 'round') ? [checkNoneFailed(record)] : []),
    { check: 'every answer is in order', looked: counted(record.requests, 'requests'), faults: record.wrong },
    { check: 'no process needs a hand', looked: faultsMade(record), faults: record.fallen },
    { check: 'what was begun is done', looked: `${pairs.length} sessions`, faults: unfinishedIn(record) },
    {
      check: 'the faults were made',
      looked: counted(plan.length, 'faults planned'),
      faults: faultsLeftOut(record, plan),
    },
  ];
}

/** Checks a rolling restart. The only allowed error is 503 SHUTTING_DOWN with Retry-After. No connection may break. */
function checkNoneFailed({ away, requests }: RunRecord): CheckResult {
  const told = away.get('SHUTTING_DOWN') ?? 0;
  const failed = Array.from(away).filter(([why]) => why !== 'SHUTTING_DOWN');
  return {
    check: 'no request fails',
    looked: `${counted(requests, 'requests')}, ${told} told to come again`,
    faults: failed.map(([why, times]) => `${times} times ${why}`),
  };
}

const storedOf = (stored: readonly StoredSession[], sessionId: string): StoredSession =>
  stored.find((one) => one.sessionId === sessionId) ?? {
    ...{ sessionId, events: [], messages: [], feed: [] },
    broken: 'the session is gone',
  };

const FAULTS = {
  kill: 'hosts killed',
  restart: 'restarts of PostgreSQL',
  cut: 'cuts of LISTEN',
  round: 'rolling restarts',
};

const faultsMade = ({ faults }: RunRecord): string =>
  Object.entries(FAULTS)
    .filter(([kind]) => (faults.get(kind) ?? 0) > 0)
    .map(([kind, name]) => counted(faults.get(kind) ?? 0, name))
    .join(', ');

function faultsLeftOut({ faults }: RunRecord, plan: readonly Fault[]): string[] {
  return Object.entries(FAULTS).flatMap(([kind, name]) => {
    const [planned, made] = [plan.filter((fault) => fault.kind === kind).length, faults.get(kind) ?? 0];
    return made < planned ? [`${made} of ${planned} ${name}`] : [];
  });
}

/** Lists unfinished work, and sessions without recorded writes, state reads or pages: their checks prove nothing. */
function unfinishedIn({ unfinished, sessions }: RunRecord): string[] {
  const silent = sessions.filter(({ acknowledged, looks, pages }) =>
    [acknowledged, looks, pages].some(({ length }) => length === 0),
  );
  return [...unfinished, ...silent.map(({ sessionId }) => `${sessionId} has no writes, looks or pages to judge`)];
}
