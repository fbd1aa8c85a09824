import type { Figures, Pace } from './bench.ts';
import { type Load, load, RATE } from './load.ts';
import type { ServerProcess } from './server-process.ts';

/** Name of the figure for the processor time of the server process; PostgreSQL and the client are not included. */
export const COST = 'processor time of the server process for a request';

/** Runs a load on one server, and measures the processor time of the server for each request. */
export async function loadServer(server: ServerProcess, seconds: number, next: Load['next']): Promise<Figures> {
  const before = await server.ask('processor');
  const figures = await load({ urls: [server.url], seconds, next });
  const usedMs = (await server.ask('processor')) - before;
  return { ...figures, [COST]: (usedMs * 1000) / ((figures[RATE] ?? 0) * seconds) };
}

/**
 * Seconds that each side runs before it is measured. A new process has not compiled its code yet, and more code takes longer.
 */
export const warmUpSeconds = ({ isQuick }: Pick<Pace, 'isQuick'>): number => (isQuick ? 2 : 10);
