import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Builder } from '@parley/missions';
import { ask, type Reply } from '../../processes/support/ask.ts';
import type { Seats } from '../../processes/support/scene.ts';
import type { Company } from './company.ts';

const PACE_MS = 30;
const RETRY_MS = 50;

/** A turn that was answered with 200. */
export interface Told {
  readonly messageId: number;
  readonly summary: string;
  /** Time of the answer, by `performance.now()`. */
  readonly at: number;
}

/** The answers to the two agents of one session. */
export interface Talk {
  readonly seats: Seats;
  readonly told: Told[];
  /** Wrong answers that an unavailable database does not explain. */
  readonly wrong: string[];
  /** Number of turns and cursors that a client got in answers and that the log lacks. */
  surprises: number;
  unavailable: number;
}

export interface Conversation {
  readonly talks: readonly Talk[];
  /**
   * Waits until every session has `turns` further acknowledged turns. Resolves to the time of the first of these turns.
   */
  goesOn(turns: number): Promise<number>;
  /** Stops the agents. Resolves when every pending request is answered. */
  end(): Promise<void>;
}

/** Both agents of each session post turns, each at its own host, and hold long-polls until `end` is called. */
export function startTalking({ sessions, hosts }: Company): Conversation {
  const ending = new AbortController();
  const { signal } = ending;
  const talks = sessions.map((seats): Talk => ({ seats, told: [], wrong: [], surprises: 0, unavailable: 0 }));
  const work = talks.flatMap((talk) => [
    postTurns(talk, hosts, signal),
    holdPolls(talk, 'agent_a', hosts, signal),
    holdPolls(talk, 'agent_b', hosts, signal),
  ]);
  return {
    talks,
    async goesOn(turns) {
      const from = performance.now();
      const since = ({ told }: Talk) => told.filter(({ at }) => at >= from);
      while (talks.some((talk) => since(talk).length < turns && talk.wrong.length === 0)) await pause(10);
      return Math.min(...talks.flatMap((talk) => since(talk).map(({ at }) => at)));
    },
    async end() {
      ending.abort();
      await Promise.all(work);
    },
  };
}

async function postTurns(talk: Talk, hosts: Company['hosts'], signal: AbortSignal): Promise<void> {
  let speaker = await nextSpeaker(talk, hosts);
  while (!signal.aborted && talk.wrong.length === 0) {
    const reply = await postUntilAnswered(talk, speaker, hosts);
    if (reply.status !== 200) talk.surprises += 1;
    speaker = otherThan(reply.status === 200 ? speaker : otherThan(nextAgentOf(reply)));
    await pause(PACE_MS);
  }
}

/** Repeats a turn under the same idempotency key until the service answers whether it is stored. */
async function postUntilAnswered(talk: Talk, speaker: Builder, hosts: Company['hosts']): Promise<Reply> {
  const summary = randomUUID();
  const body = { request_id: summary, summary };
  for (;;) {
    const reply = await ask({ host: hosts[speaker], seat: talk.seats[speaker], route: 'POST turns', body });
    const { status, at } = reply;
    if (status === 200) talk.told.push({ messageId: Number(reply.body.message_id), summary, at });
    if (status === 200 || reply.body.error === 'NOT_YOUR_TURN') return reply;
    note(talk, reply);
    if (status !== 503) return reply;
    await pause(RETRY_MS);
  }
}

/** Sends long-polls one after another, so that one is held most of the time. */
async function holdPolls(talk: Talk, role: Builder, hosts: Company['hosts'], signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const route = `GET state?wait=1&after=${after}`;
    const reply = await ask({ host: hosts[otherThan(role)], seat: talk.seats[role], route });
    if (isBeyondTheHead(reply)) {
      talk.surprises += 1;
      after = 0;
    } else {
      note(talk, reply);
      after = Number(reply.body.cursor ?? after);
    }
    await pause(PACE_MS);
  }
}

/** Whether the client's cursor is beyond the head of the log, because the failover has lost the last events. */
const isBeyondTheHead = ({ status, text }: Reply): boolean => status === 422 && text.includes('"path":"after"');

function note(talk: Talk, { status, text }: Reply): void {
  if (status === 503) talk.unavailable += 1;
  else if (status !== 200) talk.wrong.push(`${status} ${text}`);
}

async function nextSpeaker({ seats }: Talk, hosts: Company['hosts']): Promise<Builder> {
  const { body } = await ask({ host: hosts.agent_a, seat: seats.agent_a, route: 'GET state' });
  return body.next_agent === 'agent_b' ? 'agent_b' : 'agent_a';
}

const nextAgentOf = ({ body }: Reply): Builder => (body.next_agent === 'agent_b' ? 'agent_b' : 'agent_a');

const otherThan = (speaker: Builder): Builder => (speaker === 'agent_a' ? 'agent_b' : 'agent_a');
