import { createParley, type Owner, type Storage } from '@parley/core';
import { type Builder, gatherAgents, type Mission } from '@parley/missions';
import { createPostgresStorage, type PostgresOptions } from '@parley/storage-pg';
import { inject } from 'vitest';
import { openDatabase } from '../../scenarios/stage/stores.ts';
import type { HostOptions } from '../host/host-options.ts';
import { type HostProcess, startHost } from './host-process.ts';

/** What an agent shows at any host. */
export interface Seat {
  readonly role: Builder;
  readonly sessionId: string;
  readonly token: string;
}

export type Seats = Readonly<Record<Builder, Seat>>;

/** A database of its own, the owner's side of it in this process, and the hosts that agents use. */
export interface Scene {
  readonly databaseUrl: string;
  readonly storage: Storage;
  readonly owner: Owner;
  /** A session that has begun, with agent A to speak. */
  seat(): Promise<Seats>;
  seatMany(count: number): Promise<Seats[]>;
  start(options?: Partial<HostOptions>): Promise<HostProcess>;
  close(): Promise<void>;
}

export const databaseServer = inject('databaseUrl');

export async function openScene(options: Partial<PostgresOptions> = {}): Promise<Scene> {
  if (databaseServer === null) throw new Error('no PostgreSQL server');
  const { url, remove } = await openDatabase(databaseServer);
  const storage = await createPostgresStorage({ connectionString: url, ...options });
  const parley = await createParley({ storage });
  const owner = parley.owner('several-processes');
  const hosts: HostProcess[] = [];

  async function seat(): Promise<Seats> {
    const seats = new Map<Builder, Seat>();
    await gatherAgents(SESSION, {
      owner,
      async agents({ sessionId, role, code }) {
        const { token } = await parley.redeem({ code });
        seats.set(role, { role, sessionId, token });
        return parley.agent(token).call as never;
      },
    });
    return { agent_a: seatOf(seats, 'agent_a'), agent_b: seatOf(seats, 'agent_b') };
  }

  return {
    databaseUrl: url,
    storage,
    owner,
    seat,
    seatMany: (count) => Promise.all(Array.from({ length: count }, seat)),
    async start(wanted) {
      const host = await startHost({ database: { connectionString: url }, ...wanted });
      hosts.push(host);
      return host;
    },
    async close() {
      await Promise.all(hosts.map((host) => host.kill()));
      await parley.close();
      await storage.close();
      await remove();
    },
  };
}

function seatOf(seats: ReadonlyMap<Builder, Seat>, role: Builder): Seat {
  const seat = seats.get(role);
  if (!seat) throw new Error(`${role} never joined.`);
  return seat;
}

const SESSION: Mission['session'] = {
  title: 'Stock levels',
  objective: 'Shops see what the warehouse holds within a second.',
  guardrails: [],
  requirements: [{ requirement_id: 'req-1', text: 'A level shown is at most one second old.' }],
  round_limit: 100,
  first_turn: 'agent_a',
  fixture_version: 'stock-1',
  agents: {
    agent_a: { name: 'Shop agent', repository: 'acme/shop', service: 'shop' },
    agent_b: { name: 'Warehouse agent', repository: 'acme/warehouse', service: 'warehouse' },
  },
};
