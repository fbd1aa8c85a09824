import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Builder, Json } from '@parley/missions';
import type { Draws } from '../../processes/support/draws.ts';
import type { RunRecord, SessionRecord } from '../record.ts';
import type { TortureSeats } from '../support/company.ts';
import type { Call, Caller, Outcome } from './caller.ts';

/** What a client of one session works with. */
export interface Client {
  readonly seats: TortureSeats;
  /** Names what it writes. */
  readonly name: string;
  readonly draws: Draws;
  readonly caller: Caller;
  readonly run: RunRecord;
  readonly session: SessionRecord;
  readonly pace: Pace;
  /** Comes again when Retry-After says; else at once, as a client does that nobody should write. */
  readonly followsRetryAfter: boolean;
  /** Nothing new is begun, and what is begun is brought to its end. */
  readonly stopping: AbortSignal;
  /** Nobody waits any longer. */
  readonly ending: AbortSignal;
}

/** How long an agent thinks before its turn, in milliseconds. */
export interface Pace {
  readonly leastMs: number;
  readonly mostMs: number;
}

export const BUILDERS: readonly Builder[] = ['agent_a', 'agent_b'];

const AGAIN_MS = 200;

/** REST and MCP, the one as often as the other. */
const anyWay = ({ draws }: Client): 'rest' | 'mcp' => draws.oneOf(['rest', 'mcp']);

type Asked = Omit<Call, 'seat' | 'over'> & Partial<Pick<Call, 'over'>>;

export const callAs = (client: Client, role: Agent, asked: Asked): Promise<Outcome> =>
  client.caller.call({ seat: client.seats[role], over: anyWay(client), ...asked });

/** Sends a call that may be repeated until it is answered or refused; null where the run ended before. */
export async function callUntilSaid(client: Client, role: Agent, asked: Asked): Promise<Outcome | null> {
  while (!client.ending.aborted) {
    const outcome = await callAs(client, role, asked);
    if (outcome.kind !== 'away' && outcome.kind !== 'left') return outcome;
    await comeAgain(client, outcome);
  }
  return null;
}

/** The pause before a call is sent again. */
export async function comeAgain({ draws, followsRetryAfter }: Client, outcome: Outcome): Promise<void> {
  const told = outcome.kind === 'away' && followsRetryAfter ? outcome.retryAfter : undefined;
  await pause(told === undefined ? draws.whole(AGAIN_MS / 4, AGAIN_MS) : told * 1_000);
}

/** A pause that ends with the run. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

export const numberIn = (body: Json, name: string): number => Number(body[name]);
