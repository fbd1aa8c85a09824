import { setTimeout as pause } from 'node:timers/promises';
import { type AgentName, MORE_ROUNDS, type Seats, type Target } from './target.ts';

/** A request that `role` repeats to make its session as large as possible. */
interface Fattening {
  readonly name: string;
  readonly role: 'agent_a' | 'agent_b' | 'moderator';
  readonly path: string;
  /** Returns the body of request `number`, counted from 0. `last` is the answer to the previous request. */
  body(number: number, last: Readonly<Record<string, unknown>>): object;
  /** Whether agent_b must post a turn after each request. */
  readonly byTurns?: boolean;
  /** Whether the owner has to appoint agent_a as Contract Author before the first request. */
  readonly inContract?: boolean;
  readonly isInShort?: boolean;
}

/**
 * A character outside Latin-1. If a string contains it, JavaScript stores every character of the string in two bytes.
 */
const WIDE = '→';

const filled = (chars: number, number: number): string => `${number} ${WIDE}`.padEnd(chars, 'x');

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const evidence = (number: number) =>
  many(50, (index) => ({
    kind: 'file',
    reference: filled(500, 50 * number + index),
    excerpt: filled(600, index),
  }));

export const FATTENINGS: readonly Fattening[] = [
  {
    name: 'standing decisions',
    isInShort: true,
    role: 'agent_a',
    path: 'turns',
    byTurns: true,
    body: (number) => ({
      summary: 'Positions.',
      proposed_decisions: many(3, (index) => ({
        topic: `Topic ${number} ${index}`,
        position: filled(4_000, index),
        evidence: evidence(3 * number + index),
      })),
    }),
  },
  {
    name: 'findings',
    role: 'agent_b',
    path: 'findings',
    inContract: true,
    body: (number) => ({ text: filled(4_000, number), evidence: evidence(number) }),
  },
  {
    name: 'questions',
    role: 'moderator',
    path: 'moderator/questions',
    body: (number) => ({ text: filled(4_000, number), blocking: true, evidence: evidence(number) }),
  },
  {
    name: 'evidence',
    role: 'agent_a',
    path: 'evidence',
    body: (number) => ({ evidence: evidence(number) }),
  },
  {
    name: 'contract revisions',
    role: 'agent_a',
    path: 'contract',
    inContract: true,
    body: (number, last) => ({
      contract: { title: filled(4_000, number), notes: many(46, (index) => filled(4_000, number + index)) },
      expected_parent_id: last.revision_id ?? '',
      reason: 'Another one.',
    }),
  },
  {
    name: 'messages',
    isInShort: true,
    role: 'agent_a',
    path: 'turns',
    byTurns: true,
    body: (number) => {
      const statements = (index: number) => many(23, (at) => filled(2_000, 100 * index + at));
      return {
        summary: filled(8_000, number),
        concerns: statements(0),
        dependencies: statements(1),
        safety_conditions: statements(2),
        disagreements: statements(3),
      };
    },
  },
];

interface Plan {
  readonly seats: Seats;
  readonly fattening: Fattening;
  readonly forMs: number;
}

interface Fattened {
  readonly stored: number;
  readonly refusal: string | undefined;
}

/** Repeats the request until `forMs` has passed or the service refuses a request. */
export async function fatten(target: Target, { seats, fattening, forMs }: Plan): Promise<Fattened> {
  const { id, tokens } = seats;
  if (fattening.byTurns) await target.owner(`/sessions/${id}/extend-rounds`, MORE_ROUNDS);
  if (fattening.inContract) await target.owner(`/sessions/${id}/appoint-author`, { candidate: 'agent_a', seen: 1 });
  const post = (role: AgentName, path: string, body: object) =>
    target.agent(tokens[role], `/agent/sessions/${id}/${path}`, body);
  if (fattening.path === 'evidence') await post('agent_a', 'turns', { summary: 'Mine.' });
  const lanes = fattening.byTurns || fattening.path === 'contract' ? 1 : 4;
  let [sent, stored] = [0, 0];
  let refusal: string | undefined;
  const end = Date.now() + forMs;
  const lane = async (): Promise<void> => {
    let last: Readonly<Record<string, unknown>> = {};
    while (refusal === undefined && Date.now() < end) {
      const number = sent;
      sent += 1;
      const { status, body } = await post(fattening.role, fattening.path, fattening.body(number, last));
      last = body;
      if (status === 200) stored += 1;
      else if (status === 429) await pause(Math.min(end - Date.now(), 1_000 * Number(body.retry_after_seconds)));
      else refusal = String(body.error ?? status);
      if (fattening.byTurns) await post('agent_b', 'turns', { summary: 'Go on.' });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { stored, refusal };
}
