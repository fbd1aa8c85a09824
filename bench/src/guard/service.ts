import { createMemoryStorage, type Parley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { bytesOf } from '../connection.ts';
import { bearer, openParley, type Seats, seat, sessionPath, tokenAt } from '../seats.ts';
import { turnWriter } from '../traffic.ts';
import { openWire, type Wire } from './wire.ts';

/** Number of sessions, which are used at the same time. */
const SESSIONS = 32;
/** What each session does in one round. Its polls are woken by one more turn. */
const TURNS_OF_EACH = 25;
const READS_OF_EACH = 75;
/** Number of polls that each turn wakes: as many as a token may hold. */
const POLLS = 8;

/** Does some operations and resolves with their number. */
export type Work = () => Promise<number>;

export interface Service {
  readonly turns: Work;
  readonly reads: Work;
  /** Holds polls and ends them by turns. Each poll has a part of the turn that ends it. */
  readonly polls: Work;
  close(): Promise<void>;
}

/** A started session with the connections of its clients. */
interface Table {
  readonly nextTurn: () => string;
  /** Returns the bytes of a poll by the agent that waits for the next turn of the other. */
  readonly nextPoll: () => string;
  readonly state: string;
  readonly writer: Wire;
  readonly readers: readonly Wire[];
}

/** Opens a service with its defaults on memory storage, and sessions without turns. */
export async function openService(): Promise<Service> {
  const parley = await openParley(createMemoryStorage());
  const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
  const { server, close } = await serve(
    (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
    { host: '127.0.0.1', port: 0, parley },
  );
  const wires: Wire[] = [];
  const connect = (): Wire => {
    const wire = openWire();
    server.emit('connection', wire.stream);
    wires.push(wire);
    return wire;
  };
  const tables: Table[] = [];
  for (let count = 0; count < SESSIONS; count += 1) {
    const seats = await seat(parley);
    tables.push({ ...requestsOf(seats), writer: connect(), readers: Array.from({ length: POLLS }, connect) });
  }
  return {
    turns: () => postTurns(tables),
    reads: () => readStates(tables),
    polls: () => wakePolls(tables, parley),
    async close() {
      for (const { stream } of wires) stream.destroy();
      await close();
      await parley.close();
    },
  };
}

function requestsOf(seats: Seats): Pick<Table, 'nextTurn' | 'nextPoll' | 'state'> {
  const next = turnWriter(seats);
  const get = (below: string, turnIndex: number): string =>
    bytesOf({ method: 'GET', path: sessionPath(seats.sessionId, below), headers: bearer(tokenAt(seats, turnIndex)) });
  let turnIndex = 0;
  return {
    nextTurn() {
      const request = next();
      if (!request) throw new Error('The session has no turns left.');
      turnIndex += 1;
      return bytesOf(request);
    },
    nextPoll: () => get('state?wait=25', turnIndex + 1),
    state: get('state', 0),
  };
}

async function postTurns(tables: readonly Table[]): Promise<number> {
  const posting = tables.map(async ({ nextTurn, writer }) => {
    for (let count = 0; count < TURNS_OF_EACH; count += 1) await writer.exchange(nextTurn());
  });
  await Promise.all(posting);
  return tables.length * TURNS_OF_EACH;
}

async function readStates(tables: readonly Table[]): Promise<number> {
  const reading = tables.map(async ({ state, writer }) => {
    for (let count = 0; count < READS_OF_EACH; count += 1) await writer.exchange(state);
  });
  await Promise.all(reading);
  return tables.length * READS_OF_EACH;
}

async function wakePolls(tables: readonly Table[], parley: Parley): Promise<number> {
  const answered = tables.flatMap(({ nextPoll, readers }) => {
    const poll = nextPoll();
    return readers.map((reader) => reader.exchange(poll));
  });
  while (parley.heldPolls() < answered.length) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([...answered, ...tables.map(({ writer, nextTurn }) => writer.exchange(nextTurn()))]);
  return answered.length;
}
