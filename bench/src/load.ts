import { CONNECTIONS, type Figures } from './bench.ts';
import { type Connection, openConnection, type Request } from './connection.ts';
import { quantile } from './statistics.ts';

export interface LoadRequest extends Request {
  /** Index of the server in `urls`; 0 by default. */
  readonly server?: number;
  /** Name under which the request is counted, if the load has several kinds of requests. */
  readonly kind?: string;
}

export interface Load {
  readonly urls: readonly string[];
  readonly seconds: number;
  /** The next request of a client; clients are numbered 0 to 31. */
  next(client: number): LoadRequest;
}

export const [RATE, P95] = ['requests', 'p95'] as const;

/**
 * Runs the load: each client sends its requests one after the other, as long as `seconds` says.
 * @throws Error for any answer that is not a success
 */
export async function load(work: Load): Promise<Figures> {
  const { latencies, seconds } = await run(work);
  return figuresOf([...latencies.values()].flat(), seconds);
}

/** Runs the load, and returns the figures of each kind of request. */
export async function loadByKind(work: Load): Promise<Readonly<Record<string, Figures>>> {
  const { latencies, seconds } = await run(work);
  return Object.fromEntries([...latencies].map(([kind, values]) => [kind, figuresOf(values, seconds)]));
}

const figuresOf = (latencies: readonly number[], seconds: number): Figures => ({
  [RATE]: latencies.length / seconds,
  [P95]: quantile(latencies, 0.95),
});

interface Outcome {
  readonly latencies: ReadonlyMap<string, number[]>;
  readonly seconds: number;
}

async function run({ urls, seconds, next }: Load): Promise<Outcome> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Promise.all(urls.map((url) => openConnection(url)))),
  );
  const latencies = new Map<string, number[]>();
  const record = (kind: string, latency: number): void => {
    const known = latencies.get(kind);
    if (known) known.push(latency);
    else latencies.set(kind, [latency]);
  };
  const begin = performance.now();
  const end = begin + seconds * 1000;
  try {
    await Promise.all(
      clients.map((connections, client) => drive({ connections, end, record, next: () => next(client) })),
    );
    return { latencies, seconds: (performance.now() - begin) / 1000 };
  } finally {
    for (const connection of clients.flat()) connection.close();
  }
}

interface Client {
  readonly connections: readonly Connection[];
  readonly end: number;
  next(): LoadRequest;
  record(kind: string, latency: number): void;
}

/** Runs one client: as soon as an answer arrives, its callback sends the next request. */
function drive({ connections, end, next, record }: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = (begin: number): void => {
      const request = next();
      const connection = connections[request.server ?? 0];
      if (!connection) throw new Error(`There is no server ${request.server}.`);
      connection.exchange(request, (error) => {
        const now = performance.now();
        record(request.kind ?? '', now - begin);
        if (error) reject(error);
        else if (now < end) ask(now);
        else resolve();
      });
    };
    ask(performance.now());
  });
}
