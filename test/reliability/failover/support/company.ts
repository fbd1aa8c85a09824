import { createParley, type Owner } from '@parley/core';
import { type Builder, joinAgents } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { type HostProcess, startHost } from '../../processes/support/host-process.ts';
import { SESSION } from '../../processes/support/mission.ts';
import type { Seat, Seats } from '../../processes/support/scene.ts';

/** Three processes of Parley on one database: two hosts for the agents, and this one for the owner. */
export interface Company {
  readonly hosts: Readonly<Record<Builder, HostProcess>>;
  readonly owner: Owner;
  /** Sessions that have begun. */
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
    const tokens = new Map<string, string>();
    const { sessionId } = await joinAgents(SESSION, {
      owner,
      async agents({ role, code }) {
        tokens.set(role, (await parley.redeem({ code })).token);
        return async () => ({});
      },
    });
    await owner.extendRounds(sessionId, { rounds: 900 });
    const seatOf = (role: Builder): Seat => ({ role, sessionId, token: tokens.get(role) ?? '' });
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
