import { createParley, type Owner } from '@parley/core';
import type { Builder } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { joinSession } from '../../../support/join-session.ts';
import { type HostProcess, startHost } from '../../processes/support/host-process.ts';
import { SESSION } from '../../processes/support/mission.ts';
import type { Seat, Seats } from '../../processes/support/scene.ts';

/** Three processes of Parley on one database: two hosts for agents, and the process of the test for the owner. */
export interface Company {
  readonly hosts: Readonly<Record<Builder, HostProcess>>;
  readonly owner: Owner;
  readonly sessions: readonly Seats[];
  close(): Promise<void>;
}

export async function openCompany(url: string, sessionCount: number): Promise<Company> {
  const storage = await createPostgresStorage({ connectionString: url });
  const parley = await createParley({ storage });
  const owner = parley.owner('failover');
  const database = { connectionString: url };
  const [first, second] = await Promise.all([startHost({ database }), startHost({ database })]);

  async function seat(): Promise<Seats> {
    const { sessionId, tokens } = await joinSession({ parley, owner }, { session: SESSION, withModerator: false });
    await owner.extendRounds(sessionId, { rounds: 900 });
    const seatOf = (role: Builder): Seat => ({ role, sessionId, token: tokens[role] });
    return { agent_a: seatOf('agent_a'), agent_b: seatOf('agent_b') };
  }

  return {
    hosts: { agent_a: first, agent_b: second },
    owner,
    sessions: await Promise.all(Array.from({ length: sessionCount }, seat)),
    async close() {
      await Promise.all([first.kill(), second.kill()]);
      await parley.close();
      await storage.close();
    },
  };
}
