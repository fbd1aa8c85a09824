import type { Builder } from '@parley/missions';
import { type Client, callAs, callUntilSaid, comeAgain, numberIn, rest } from './scene.ts';

const SPIN_MS = 20;
const CUT_SHARE = 0.05;
const AGAIN_SHARE = 0.1;
const LONG_SHARE = 0.2;

/** Until the run ends, waits for the agent's turn and posts the turn. */
export async function takeTurns(client: Client, role: Builder): Promise<void> {
  let after = 0;
  for (let turn = 0; !client.ending.aborted; ) {
    const outcome = await look(client, role, after);
    if (outcome === null) continue;
    after = Math.max(after, outcome.cursor);
    if (outcome.isMine && !client.stopping.aborted) {
      turn += 1;
      await rest(client.draws.whole(client.pace.leastMs, client.pace.mostMs), client.stopping);
      await postTurn(client, role, `${client.name}-${role}-${turn}`);
    } else await rest(outcome.isMine ? 10 * SPIN_MS : SPIN_MS, client.ending);
  }
}

interface Seen {
  readonly cursor: number;
  readonly isMine: boolean;
}

async function look(client: Client, role: Builder, after: number): Promise<Seen | null> {
  const { session, ending } = client;
  const input = { wait: 25, after };
  const outcome = await callAs(client, role, { tool: 'read_session_state', input, signal: ending });
  const { kind, sentAt, at } = outcome;
  if (kind === 'left') session.looks.push({ by: role, isHeld: true, after, sentAt, at, head: null });
  if (kind !== 'answered') {
    await comeAgain(client, outcome);
    return null;
  }
  const cursor = numberIn(outcome.body, 'cursor');
  session.looks.push({ by: role, isHeld: true, after, sentAt, at, head: cursor });
  return { cursor, isMine: outcome.body.next_agent === role };
}

/** Posts a turn, with the same `request_id`, until it is answered. Sometimes posts it once more after the answer. */
async function postTurn(client: Client, role: Builder, name: string): Promise<void> {
  const { draws, session, run } = client;
  const filler = draws.share() < LONG_SHARE ? ` ${'Levels are shown. '.repeat(draws.whole(1, 100))}` : '';
  const input = { request_id: name, summary: name, ...(filler && { concerns: [filler.trim()] }) };
  const key = `turn:${name}`;
  session.sent.add(key);
  if (draws.share() < CUT_SHARE)
    await callAs(client, role, { tool: 'post_turn', input, signal: AbortSignal.timeout(draws.whole(1, 20)) });
  const times = draws.share() < AGAIN_SHARE ? 2 : 1;
  for (let n = 0; n < times; n += 1) {
    const outcome = await callUntilSaid(client, role, { tool: 'post_turn', input });
    if (outcome?.kind === 'answered')
      session.acknowledged.push({ key, by: role, at: outcome.at, answer: JSON.stringify(outcome.body) });
    else run.unfinished.push(`${key} was not answered with success`);
  }
}
