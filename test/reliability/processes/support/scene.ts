import { createParley, type Owner, type Storage } from '@parley/core';
import type { Builder } from '@parley/missions';
import { createPostgresStorage, type PostgresOptions } from '@parley/storage-pg';
import { inject } from 'vitest';
import { openDatabase } from '../../../scenarios/support/stores.ts';
import { joinSession } from '../../../support/join-session.ts';
import type { HostOptions } from '../host/host-options.ts';
import { type HostProcess, startHost } from './host-process.ts';
import { SESSION } from './mission.ts';

/** Session id and token of an agent. The token is valid at every host. */
export interface Seat {
  readonly role: Builder;
  readonly sessionId: string;
  readonly token: string;
}

export type Seats = Readonly<Record<Builder, Seat>>;

export interface NewSeat extends Seat {
  /** Id of the last message when the session was started. */
  readonly cursor: number;
}

export type NewSeats = Readonly<Record<Builder, NewSeat>>;

/** A new database, the owner's calls in the process of the test, and hosts for the agents. */
export interface Scene {
  readonly databaseUrl: string;
  readonly storage: Storage;
  readonly ownerId: string;
  readonly owner: Owner;
  /**
   * Creates and starts a session in which agent_a has the first turn. `more` adds members to the request that creates
   * it.
   */
  seat(more?: Partial<typeof SESSION> & { readonly required_approvals?: 1 | 2 }): Promise<NewSeats>;
  seatMany(count: number): Promise<NewSeats[]>;
  start(options?: Partial<HostOptions>): Promise<HostProcess>;
  close(): Promise<void>;
}

export const databaseServer = inject('databaseUrl');

export async function openScene(options: Partial<PostgresOptions> = {}, ownerId = 'several-processes'): Promise<Scene> {
  if (databaseServer === null) throw new Error('no PostgreSQL server');
  const { url, remove } = await openDatabase(databaseServer);
  const storage = await createPostgresStorage({ connectionString: url, ...options });
  const parley = await createParley({ storage });
  const owner = parley.owner(ownerId);
  const hosts: HostProcess[] = [];

  async function seat(more: object = {}): Promise<NewSeats> {
    const session = { ...SESSION, ...more };
    const { sessionId, tokens } = await joinSession({ parley, owner }, { session, withModerator: false });
    const { cursor } = await parley.agent(tokens.agent_a).call('read_session_state', {});
    const seatOf = (role: Builder): NewSeat => ({ role, sessionId, token: tokens[role], cursor });
    return { agent_a: seatOf('agent_a'), agent_b: seatOf('agent_b') };
  }

  return {
    databaseUrl: url,
    storage,
    ownerId,
    owner,
    seat,
    seatMany: (count) => Promise.all(Array.from({ length: count }, () => seat())),
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
