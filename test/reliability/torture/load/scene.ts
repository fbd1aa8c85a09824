import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Builder, Json } from '@parley/missions';
import type { Draws } from '../../processes/support/draws.ts';
import type { RunRecord, SessionRecord } from '../record.ts';
import type { TortureSeats } from '../support/company.ts';
import type { Call, Caller, Outcome } from './caller.ts';

export interface Client {
  readonly seats: TortureSeats;
  /** Prefix of the idempotency keys of this client's writes. */
  readonly name: string;
  readonly draws: Draws;
  readonly caller: Caller;
  readonly run: RunRecord;
  readonly session: SessionRecord;
  readonly pace: Pace;
  /** If true, waits as long as Retry-After says. If false, retries within 200 ms, like a badly written client. */
  readonly followsRetryAfter: boolean;
  /** When this signal aborts, clients start no new work, but finish pending work. */
  readonly stopping: AbortSignal;
  /** When this signal aborts, clients cancel their long-polls and the pauses between their calls. */
  readonly ending: AbortSignal;
}

/** Shortest and longest pause of an agent before its turn, in milliseconds. */
export interface Pace {
  readonly leastMs: number;
  readonly mostMs: number;
}

export const BUILDERS: readonly Builder[] = ['agent_a', 'agent_b'];

const AGAIN_MS = 200;

const anyWay = ({ draws }: Client): 'rest' | 'mcp' => draws.oneOf(['rest', 'mcp']);

type Asked = Omit<Call, 'seat' | 'over'> & Partial<Pick<Call, 'over'>>;

export const callAs = (client: Client, role: Agent, asked: Asked): Promise<Outcome> =>
  client.caller.call({ seat: client.seats[role], over: anyWay(client), ...asked });

/** Repeats a call until it succeeds or is refused. Returns null if the run ends before. */
export async function callUntilSaid(client: Client, role: Agent, asked: Asked): Promise<Outcome | null> {
  while (!client.ending.aborted) {
    const outcome = await callAs(client, role, asked);
    if (outcome.kind !== 'away' && outcome.kind !== 'left') return outcome;
    await comeAgain(client, outcome);
  }
  return null;
}

export async function comeAgain({ draws, followsRetryAfter }: Client, outcome: Outcome): Promise<void> {
  const told = outcome.kind === 'away' && followsRetryAfter ? outcome.retryAfter : undefined;
  await pause(told === undefined ? draws.whole(AGAIN_MS / 4, AGAIN_MS) : told * 1_000);
}

export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

export const numberIn = (body: Json, name: string): number => Number(body[name]);
