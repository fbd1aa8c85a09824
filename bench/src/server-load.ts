import type { Figures, Pace } from './bench.ts';
import { type Load, load, RATE } from './load.ts';
import type { ServerProcess } from './server-process.ts';

/** Name of the figure: processor time of the serving process only, without PostgreSQL and the client. */
export const COST = 'processor time of the server process for a request';

/** Runs requests to one server and measures their processor time. */
export async function loadServer(server: ServerProcess, seconds: number, next: Load['next']): Promise<Figures> {
  const before = await server.ask('processor');
  const figures = await load({ urls: [server.url], seconds, next });
  const usedMs = (await server.ask('processor')) - before;
  return { ...figures, [COST]: (usedMs * 1000) / ((figures[RATE] ?? 0) * seconds) };
}

/**
 * Seconds that each side runs before measuring: a new process runs code that is not compiled yet, and more code takes
 * longer to compile.
 */
export const warmUpSeconds = ({ isQuick }: Pick<Pace, 'isQuick'>): number => (isQuick ? 2 : 10);
