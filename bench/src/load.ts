import { CONNECTIONS, type Figures, type Pace } from './bench.ts';
import { type Connection, openConnection, type Request } from './connection.ts';
import type { ServerProcess } from './server-process.ts';
import { quantile } from './statistics.ts';

export interface LoadRequest extends Request {
  /** Index of the server in `Load.servers`. Default 0. */
  readonly server?: number;
  /** The kind of the request, such as `read`. Set if the requests of each kind are measured separately. */
  readonly kind?: string;
}

export interface Load {
  readonly servers: readonly Pick<ServerProcess, 'url' | 'ask'>[];
  readonly seconds: number;
  /**
   * Returns the next request of a client. Clients have the numbers 0 to 31. If `next` returns undefined, the load of
   * all clients ends.
   */
  next(client: number): LoadRequest | undefined;
}

/**
 * Names of the figures of a load: requests per second, 95th percentile in milliseconds, and microseconds of processor
 * time of the server processes for each request. The processor time of PostgreSQL and of the client is not included.
 */
export const [RATE, P95, COST] = ['requests', 'p95', 'processor time for a request'] as const;

/** The name of a figure for one kind of requests. */
export const ofKind = (figure: string, kind: string): string => (kind === '' ? figure : `${figure}, ${kind}`);

/**
 * Sends requests for `seconds`, or until `next` returns undefined. Each client sends one request after another.
 *
 * @returns `RATE` and `P95` of each kind of requests, named by `ofKind`, and `COST` for all kinds together
 * @throws Error if an answer is not a success, or if a request is not answered within a minute
 */
export async function load(work: Load): Promise<Figures> {
  const before = await processorMs(work);
  const { latencies, seconds } = await run(work);
  const usedMs = (await processorMs(work)) - before;
  const figures: Record<string, number> = {};
  let requests = 0;
  for (const [kind, values] of latencies) {
    requests += values.length;
    figures[ofKind(RATE, kind)] = values.length / seconds;
    figures[ofKind(P95, kind)] = quantile(values, 0.95);
  }
  return { ...figures, [COST]: (usedMs * 1000) / requests };
}

/** Seconds for which each server runs before it is measured. In this time, its new process compiles its code. */
export const warmUpSeconds = ({ isQuick }: Pick<Pace, 'isQuick'>): number => (isQuick ? 2 : 10);

async function processorMs({ servers }: Load): Promise<number> {
  const used = await Promise.all(servers.map((server) => server.ask('processor')));
  return used.reduce((sum, ms) => sum + ms, 0);
}

interface Outcome {
  readonly latencies: ReadonlyMap<string, number[]>;
  readonly seconds: number;
}

async function run({ servers, seconds, next }: Load): Promise<Outcome> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Promise.all(servers.map(({ url }) => openConnection(url)))),
  );
  const latencies = new Map<string, number[]>();
  const record = (kind: string, latency: number): void => {
    const known = latencies.get(kind);
    if (known) known.push(latency);
    else latencies.set(kind, [latency]);
  };
  const begin = performance.now();
  const course: Course = { end: begin + seconds * 1000 };
  try {
    await Promise.all(
      clients.map((connections, client) => drive({ connections, course, record, next: () => next(client) })),
    );
    return { latencies, seconds: (performance.now() - begin) / 1000 };
  } finally {
    for (const connection of clients.flat()) connection.close();
  }
}

/**
 * The time at which the load of all clients ends, as `performance.now()` counts it. A client that has no further
 * request sets `end` to the current time.
 */
interface Course {
  end: number;
}

interface Client {
  readonly connections: readonly Connection[];
  readonly course: Course;
  next(): LoadRequest | undefined;
  record(kind: string, latency: number): void;
}

/** Runs one client, which sends its next request after each answer. */
function drive({ connections, course, next, record }: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = (begin: number): void => {
      const request = next();
      if (!request) {
        course.end = begin;
        resolve();
        return;
      }
      const connection = connections[request.server ?? 0];
      if (!connection) throw new Error(`There is no server ${request.server}.`);
      connection.exchange(request, (error) => {
        const now = performance.now();
        record(request.kind ?? '', now - begin);
        if (error) reject(error);
        else if (now < course.end) sendNext(now);
        else resolve();
      });
    };
    /** A socket calls this function, so an exception in it would end the whole process. */
    const sendNext = (begin: number): void => {
      try {
        ask(begin);
      } catch (error) {
        reject(error);
      }
    };
    sendNext(performance.now());
  });
}
