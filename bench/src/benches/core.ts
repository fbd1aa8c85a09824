import { createHash } from 'node:crypto';
import { createMemoryStorage } from '@parley/core';
import { z } from 'zod';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { openParley, seat } from '../seats.ts';

/**
 * With 200 sessions, a round takes about a second. In shorter rounds, garbage collection and compilation would change
 * the ratio.
 */
const SESSIONS = 200;
const DECISIONS = 100;
const ACCEPTANCES = SESSIONS * DECISIONS * 2;
/** With this number of acceptances, a round of the floor takes about as long as a round of the service. */
const FLOOR_ACCEPTANCES = 5 * ACCEPTANCES;
const [RATE, COST] = ['calls', 'processor time for a call'] as const;

/** Measures `accept_decision` without network and disk. */
export const core: Bench = {
  name: 'core',
  ours: 'accept_decision in process on memory storage, by both agents, each acceptance an event of the log.',
  floor: 'The input parsed by zod, the same SHA-256 over an event of that size, and a Map update, awaited.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 0.5 } },
    { name: COST, unit: 'µs', ratio: { atMost: 2 } },
  ],

  async prepare() {
    return { floors: { [ONLY]: floorRound }, ours: { [ONLY]: ourRound } };
  },
};

/** Creates a new storage for each round, so that a round does not collect the garbage of earlier rounds. */
async function ourRound(): Promise<Figures> {
  const parley = await openParley(createMemoryStorage());
  const tables = await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const agents = (await seat(parley)).tokens.map((token) => parley.agent(token));
      const ids: string[] = [];
      for (let index = 0; index < DECISIONS; index += 1) {
        const position = { topic: `topic ${index}`, position: 'The warehouse sends each movement once.' };
        ids.push((await agents[0]?.call('submit_decision', position))?.decision.decision_id ?? '');
      }
      return { agents, ids };
    }),
  );
  const figures = await figuresOf(ACCEPTANCES, async () => {
    for (const { agents, ids } of tables)
      for (const decision_id of ids) for (const agent of agents) await agent.call('accept_decision', { decision_id });
  });
  await parley.close();
  return figures;
}

/** Measures `acceptAll`: calls per second, and microseconds of processor time for each call. */
async function figuresOf(acceptances: number, acceptAll: () => Promise<void>): Promise<Figures> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  await acceptAll();
  const { user, system } = process.cpuUsage(before);
  return { [RATE]: acceptances / ((performance.now() - begin) / 1000), [COST]: (user + system) / acceptances };
}

const AcceptInput = z.strictObject({ decision_id: z.string().regex(/^d_\d+$/) });

interface Accepted {
  readonly decisionId: string;
  readonly hash: string;
  readonly acceptances: number;
}

async function floorRound(): Promise<Figures> {
  const decisions = new Map<string, Accepted>();
  let hash = '0'.repeat(64);
  const accept = async (input: unknown): Promise<Accepted> => {
    const { decision_id } = AcceptInput.parse(input);
    const event = { kind: 'decision.accepted', at: new Date().toISOString(), actor: 'agent_a', data: { decision_id } };
    hash = createHash('sha256').update(hash).update(JSON.stringify(event)).digest('hex');
    const acceptances = (decisions.get(decision_id)?.acceptances ?? 0) + 1;
    const accepted = { decisionId: decision_id, hash, acceptances };
    decisions.set(decision_id, accepted);
    return accepted;
  };
  return await figuresOf(FLOOR_ACCEPTANCES, async () => {
    for (let index = 0; index < FLOOR_ACCEPTANCES; index += 1)
      await accept({ decision_id: `d_${(index % DECISIONS) + 1}` });
  });
}
