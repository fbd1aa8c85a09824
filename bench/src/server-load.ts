import type { Figures, Pace } from './bench.ts';
import { type Load, load, RATE } from './load.ts';
import type { ServerProcess } from './server-process.ts';

/** What the process that serves spends on a request; PostgreSQL and the client come on top of it. */
export const COST = 'processor time of the server process for a request';

/** Requests to one server, and what they cost it. */
export async function loadServer(server: ServerProcess, seconds: number, next: Load['next']): Promise<Figures> {
  const before = await server.ask('processor');
  const figures = await load({ urls: [server.url], seconds, next });
  const usedMs = (await server.ask('processor')) - before;
  return { ...figures, [COST]: (usedMs * 1000) / ((figures[RATE] ?? 0) * seconds) };
}

/**
 * How long each side runs before anything counts: a process that has just started runs code that is not compiled yet, and
 * the longer its path the longer it does.
 */
export const warmUpSeconds = ({ isQuick }: Pick<Pace, 'isQuick'>): number => (isQuick ? 2 : 10);
