import { expect } from 'vitest';
import { ask } from '../../processes/support/ask.ts';
import { query } from '../../processes/support/database.ts';
import { type HostProcess, startHost } from '../../processes/support/host-process.ts';
import type { Seat } from '../../processes/support/scene.ts';
import { readTranscript } from '../../processes/support/transcript.ts';
import type { Company } from './company.ts';
import type { Talk, Told } from './talk.ts';

/** Expects that every log is one hash chain from its first event to its head, and that no other events are stored. */
export async function expectWholeLogs({ owner, sessions }: Company, url: string): Promise<void> {
  const odd = `select s.session_id from parley_session s join parley_event e using (session_id)
    group by s.session_id, s.seq having count(*) <> s.seq or max(e.seq) <> s.seq or min(e.seq) <> 1`;
  expect(await query(url, odd)).toEqual([]);
  for (const { agent_a } of sessions) expect(await owner.verifyLog(agent_a.sessionId)).toMatchObject({ ok: true });
}

/** Expects the hosts to answer like a new process, which folds every log from its first event. */
export async function expectFreshAnswers({ sessions, hosts }: Company, url: string): Promise<void> {
  const fresh = await startHost({ database: { connectionString: url } });
  for (const seat of sessions.flatMap(({ agent_a, agent_b }) => [agent_a, agent_b])) {
    const answers = await answersOf(fresh, seat);
    expect(await answersOf(hosts.agent_a, seat)).toEqual(answers);
    expect(await answersOf(hosts.agent_b, seat)).toEqual(answers);
  }
  await fresh.kill();
}

const READS = ['GET state', 'GET task', 'GET decisions', 'GET actions', 'GET interventions'];

async function answersOf(host: HostProcess, seat: Seat): Promise<unknown[]> {
  const replies = [];
  for (const route of READS) replies.push(await ask({ host, seat, route }));
  return [...replies.map(({ status, text }) => `${status} ${text}`), await readTranscript(host, seat)];
}

/** Counts of acknowledged turns in all sessions, and of those that the logs lack. */
export interface Losses {
  readonly told: number;
  readonly missing: number;
  /** Number of turns in the logs whose request got no answer. */
  readonly untold: number;
}

/**
 * Counts acknowledged turns that the logs lack. Expects in each session that the missing turns follow each other
 * without a gap, and that the last acknowledged turn is stored.
 */
export async function countLosses(talks: readonly Talk[], url: string): Promise<Losses> {
  const sum = { told: 0, missing: 0, untold: 0 };
  for (const { seats, told } of talks) {
    const stored = await storedTurns(url, seats.agent_a.sessionId);
    const isMissing = told.map(({ messageId, summary }) => stored.get(summary) !== messageId);
    expectOnePiece(told, isMissing);
    const missing = isMissing.filter(Boolean).length;
    sum.told += told.length;
    sum.missing += missing;
    sum.untold += countSince(stored, told) - (told.length - missing);
  }
  return sum;
}

function expectOnePiece(told: readonly Told[], isMissing: readonly boolean[]): void {
  const [first, last] = [isMissing.indexOf(true), isMissing.lastIndexOf(true)];
  const lost = told.filter((_, index) => isMissing[index]);
  expect(lost).toEqual(first < 0 ? [] : told.slice(first, last + 1));
  expect(isMissing.at(-1)).toBe(false);
}

const countSince = (stored: ReadonlyMap<string, number>, [first]: readonly Told[]): number =>
  [...stored.values()].filter((messageId) => messageId >= (first?.messageId ?? 0)).length;

async function storedTurns(url: string, sessionId: string): Promise<Map<string, number>> {
  const bodies = await query<{ seq: number; summary: string }>(
    url,
    `select seq, body::jsonb->'data'->>'summary' as summary from parley_event
     where session_id = '${sessionId}' and body::jsonb->>'kind' = 'turn.posted' order by seq`,
  );
  return new Map(bodies.map(({ seq, summary }) => [summary, seq]));
}
