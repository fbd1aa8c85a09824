import { createParley, type Parley, type Storage } from '@parley/core';
import { RAISED_LIMITS } from './raised-limits.ts';

export const OWNER = 'bench';
const BUILDERS = ['agent_a', 'agent_b'] as const;

/** A started session in which agent A must post the first turn. */
export interface Seats {
  readonly sessionId: string;
  /** The token of agent A, then the token of agent B. */
  readonly tokens: readonly [string, string];
  /** Maximum number of turns of the session. */
  readonly turns: number;
}

export async function openParley(storage: Storage): Promise<Parley> {
  return createParley({ storage, limits: RAISED_LIMITS, sharedLimits: false });
}

/**
 * The highest number of rounds that a session can have: rounds at its creation, and rounds that are added later. A
 * round has two turns.
 */
const ROUNDS = { created: 100, added: 900 };

export const MOST_TURNS = 2 * (ROUNDS.created + ROUNDS.added);

export async function seat(parley: Parley, rounds = ROUNDS): Promise<Seats> {
  const owner = parley.owner(OWNER);
  const { session_id: sessionId } = await owner.createSession({ ...SESSION, round_limit: rounds.created });
  const join = async (role: (typeof BUILDERS)[number]): Promise<string> => {
    const { code } = await owner.invite(sessionId, { role });
    return (await parley.redeem({ code })).token;
  };
  const tokens: [string, string] = [await join('agent_a'), await join('agent_b')];
  await owner.start(sessionId);
  if (rounds.added > 0) await owner.extendRounds(sessionId, { rounds: rounds.added });
  return { sessionId, tokens, turns: 2 * (rounds.created + rounds.added) };
}

export const tokenAt = ({ tokens }: Seats, turnIndex: number): string => tokens[turnIndex % 2 === 0 ? 0 : 1];

export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

export const sessionPath = (sessionId: string, below: string): string =>
  `/api/public/agent/sessions/${sessionId}/${below}`;

let turns = 0;

/** Creates the input of a turn of about 1 KB. Each input has its own `request_id`. */
export function makeTurn() {
  turns += 1;
  return { ...TURN, request_id: `turn-${turns}` };
}

/**
 * Returns the JSON text of a turn. Turns differ only in the `request_id`, so the other members are serialised only
 * once.
 */
export function makeTurnText(): string {
  turns += 1;
  return `${TURN_TEXT},"request_id":"turn-${turns}"}`;
}

const SENTENCES = [
  'The shop reads a level from its own table, which a job fills every minute from the file that the warehouse exports.',
  'Between two runs of the job a shelf can be empty while the shop still sells from it: that is how an order fails today.',
  'The warehouse writes every movement to a journal with a number of its own, so that nothing is counted twice.',
  'I propose that the warehouse sends each movement as soon as it is written, and that the shop adds up the movements in the order of their numbers.',
  'A movement that comes twice has the same number and changes nothing; a missing movement shows as a gap in the numbers.',
  'The shop asks for the whole level when it finds a gap, and shows that a level is being read meanwhile.',
  'Both sides keep the file for a week longer and compare it with what was added up, before the job is taken away.',
].join(' ');

const TURN = {
  summary: SENTENCES,
  concerns: ['The warehouse counts once an hour, so a level may be stale for that long.'],
  next_step: 'Read how the shop shows a level that is older than a second.',
};
const TURN_TEXT = JSON.stringify(TURN).slice(0, -1);

const SESSION = {
  title: 'Stock levels',
  objective: 'Shops see what the warehouse holds within a second.',
  guardrails: [],
  requirements: [{ requirement_id: 'req-1', text: 'A level shown is at most one second old.' }],
  agents: {
    agent_a: { name: 'Shop agent', repository: 'acme/shop', service: 'shop' },
    agent_b: { name: 'Warehouse agent', repository: 'acme/warehouse', service: 'warehouse' },
  },
};
