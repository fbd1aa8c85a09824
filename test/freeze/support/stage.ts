import type { Server } from 'node:http';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStorage, createParley, FIRST_PERSON, openPeople, type Storage } from '@parley/core';
import { createTestClock, createTestRandom } from '@parley/core/testing';
import { type ConsoleFile, createOwnerApp, openOwnerKey } from '@parley/owner-app';
import { vi } from 'vitest';
import { domain } from '../../../packages/core/src/areas/domain.ts';
import { folded } from '../../scenarios/support/golden-logs.ts';
import { type Moment, OWNER, SECRET } from './moments.ts';

const OWNER_KEY = `pok_${'k'.repeat(43)}`;
const LIMITS = { perToken: 1_000_000, perAddress: 1_000_000, redeemPerAddress: 1_000_000, perPerson: 1_000_000 };
const MINUTE_MS = 60_000;
const NO_FILES: ReadonlyMap<string, ConsoleFile> = new Map();

/** The whole application on one port. It serves one moment of a session at a time. */
export interface Stage {
  readonly url: string;
  /** Keys of the people besides the holder of the owner key. */
  readonly keys: Readonly<Record<'owner' | 'approver' | 'viewer', string>>;
  /** The present moment, as it was shown last. */
  readonly sessionId: string;
  readonly head: number;
  /** Loads a session in a new storage. Time and ids are the same each time. */
  show(moment: Moment): Promise<void>;
  /** Loads the present moment again if something was stored since. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

interface Served {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  readonly storage: Storage;
  readonly close: () => Promise<void>;
}

interface StageOptions {
  readonly consoleFiles?: ReadonlyMap<string, ConsoleFile>;
  /** The time of the service, ISO 8601. Default: one minute after the last event of the moment. */
  readonly at?: string;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  let served: Served | undefined;
  let shown: Moment | undefined;
  let writes = 0;
  const server: Server = createServer((request, response) => {
    // Clients set their clocks by this header, and Node would send the time of the machine.
    response.setHeader('date', new Date().toUTCString());
    served?.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const load = async (moment: Moment): Promise<void> => {
    await served?.close();
    served = await serveMoment(moment, options, () => {
      writes += 1;
    });
    shown = moment;
    writes = 0;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: { owner: OWNER_KEY, approver: keyOf(1), viewer: keyOf(2) },
    get sessionId() {
      return shown ? sessionOf(shown) : '';
    },
    get head() {
      return shown?.events.length ?? 0;
    },
    show: load,
    async restore() {
      if (shown && writes > 0) await load(shown);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await served?.close();
    },
  };
}

export const sessionOf = ({ events: [first] }: Moment): string => JSON.parse(first?.body ?? '{}').session_id;

/** The time of the last event. */
export const timeOf = ({ events }: Moment): string => JSON.parse(events.at(-1)?.body ?? '{}').at;

const keyOf = (number: number): string => `pok_${String(number).repeat(43)}`;

async function serveMoment(
  moment: Moment,
  { consoleFiles = NO_FILES, at }: StageOptions,
  noteWrite: () => void,
): Promise<Served> {
  const start = at ?? new Date(Date.parse(timeOf(moment)) + MINUTE_MS).toISOString();
  vi.setSystemTime(start);
  const clock = createTestClock(start);
  const storage = openStorage(clock.now, noteWrite);
  await loadMoment(storage, moment);
  const onFailure = (error: unknown): void => console.error(error);
  const parley = await createParley({ storage, clock, random: createTestRandom(2), limits: LIMITS, onFailure });
  let keys = 0;
  const people = openPeople({
    ...{ storage, clock, random: createTestRandom(3) },
    makeKey: () => {
      keys += 1;
      return keyOf(keys);
    },
  });
  const first = people.calls(FIRST_PERSON);
  await first.addPerson({ name: 'Ada', role: 'approver' });
  await first.addPerson({ name: 'Ben', role: 'viewer' });
  const app = createOwnerApp({
    parley: { ...parley, owner: (_id, acting) => parley.owner(OWNER, acting) },
    ...{ storage, people, consoleFiles, now: clock.now, onError: onFailure },
    ownerKey: await openOwnerKey('', OWNER_KEY),
  });
  const close = async (): Promise<void> => {
    people.close();
    await parley.close();
  };
  return { handler: app.callback(), storage, close };
}

/** Stores the log of a moment, as a storage that has just been opened has it. */
export async function loadMoment(storage: Storage, { events, documents }: Moment): Promise<void> {
  const state = folded(events);
  const texts = [...documents].map(([sha256, body]) => ({ sha256, body }));
  const session = { sessionId: state.sessionId, ownerId: OWNER, listing: domain.listing(state) };
  await storage.create(session, events, texts);
}

function openStorage(now: () => number, noteWrite: () => void): Storage {
  const { create, append, delete: erase, ...memory } = createMemoryStorage({ now });
  const noted =
    <A extends unknown[], R>(write: (...args: A) => R) =>
    (...args: A): R => {
      noteWrite();
      return write(...args);
    };
  return {
    ...memory,
    secret: async () => SECRET,
    create: noted(create),
    append: noted(append),
    delete: noted(erase),
  };
}
