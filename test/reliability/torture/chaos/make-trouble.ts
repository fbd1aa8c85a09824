import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from '../../../../scripts/servers/postgres-server.ts';
import { endListening } from '../../processes/support/database.ts';
import { countIn, type RunRecord } from '../record.ts';
import type { Database } from '../support/database.ts';
import type { Fleet } from '../support/fleet.ts';
import type { Fault } from './plan.ts';

export interface Victims {
  readonly fleet: Fleet;
  readonly database: Database;
}

/** The proxy uses a restarted process again within this time, which is longer than the `fail_timeout` of the proxy. */
const BACK_MS = 5_000;
const LISTEN_WITHIN_MS = 20_000;

/** Makes the planned faults. Faults of one kind happen one after another. Resolves when every process runs again. */
export async function makeTrouble(plan: readonly Fault[], victims: Victims, record: RunRecord): Promise<void> {
  const began = performance.now();
  const lane = async (faults: readonly Fault[]): Promise<void> => {
    for (const fault of faults.toSorted((one, other) => one.atMs - other.atMs)) {
      await pause(Math.max(0, began + fault.atMs - performance.now()));
      await make(fault, victims, record);
    }
  };
  const kinds = [...new Set(plan.map(({ kind }) => kind))];
  await Promise.all(kinds.map((kind) => lane(plan.filter((fault) => fault.kind === kind))));
}

async function make(fault: Fault, { fleet, database }: Victims, record: RunRecord): Promise<void> {
  if (fault.kind === 'kill') await fleet.restart(fault.host, 'SIGKILL', fault.downMs);
  if (fault.kind === 'restart') await restart(database.servers[fault.server], fault.downMs, record);
  if (fault.kind === 'cut') await cutListening(database.url, record);
  if (fault.kind === 'round') await replaceAll(fleet);
  countIn(record.faults, fault.kind);
}

/**
 * Restarts all hosts as docs/deploy.md describes: SIGTERM, a new process, its `/readyz`, and a pause until the proxy
 * uses the process again.
 */
async function replaceAll(fleet: Fleet): Promise<void> {
  for (const index of fleet.addresses.keys()) {
    await fleet.restart(index, 'SIGTERM', 0);
    await fleet.ready(index);
    await pause(BACK_MS);
  }
}

async function restart(server: PostgresServer | undefined, downMs: number, { outages }: RunRecord): Promise<void> {
  const from = performance.now();
  await server?.crash();
  await pause(downMs);
  await server?.restart();
  outages.push({ from, to: performance.now() });
}

/** Ends the database connections that LISTEN. If there are none, first waits until the hosts have reconnected. */
async function cutListening(url: string, record: RunRecord): Promise<void> {
  const deadline = performance.now() + LISTEN_WITHIN_MS;
  while (performance.now() < deadline) {
    const ended = await endListening(url, '%').catch(() => 0);
    for (let n = 0; n < ended; n += 1) countIn(record.faults, 'listening connection');
    if (ended > 0) return;
    await pause(50);
  }
  record.fallen.push('no host listens for changes');
}
