import { createParley, type Owner } from '@parley/core';
import type { Agent } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { joinSession } from '../../../support/join-session.ts';
import { SESSION } from '../../processes/support/mission.ts';

/** Session id and token of an agent. The token is valid at every host. */
interface TortureSeat {
  readonly sessionId: string;
  readonly token: string;
}

export type TortureSeats = Readonly<Record<Agent, TortureSeat>>;

const MORE_ROUNDS = 900;
export const OWNER = 'owner';

/** Creates and starts sessions, each with two builders and a moderator. */
export async function seatAgents(url: string, count: number): Promise<TortureSeats[]> {
  const storage = await createPostgresStorage({ connectionString: url });
  const parley = await createParley({ storage });
  const owner = parley.owner(OWNER);
  try {
    return await Promise.all(Array.from({ length: count }, () => seat(owner)));
  } finally {
    await parley.close();
    await storage.close();
  }

  async function seat(by: Owner): Promise<TortureSeats> {
    const { sessionId, tokens } = await joinSession({ parley, owner: by }, { session: SESSION });
    await by.extendRounds(sessionId, { rounds: MORE_ROUNDS });
    const seatOf = (role: Agent): TortureSeat => ({ sessionId, token: tokens[role] });
    return { agent_a: seatOf('agent_a'), agent_b: seatOf('agent_b'), moderator: seatOf('moderator') };
  }
}
