import { makeTrouble } from './chaos/make-trouble.ts';
import { planFaults } from './chaos/plan.ts';
import { createCaller } from './load/caller.ts';
import { startLoad } from './load/load.ts';
import { PLANTS } from './plant.ts';
import { openRecord, type RunRecord } from './record.ts';
import type { Settings } from './settings.ts';
import { seatAgents } from './support/company.ts';
import { type Database, openDatabase } from './support/database.ts';
import { type Fleet, openFleet } from './support/fleet.ts';
import { type FrontDoor, openProxy } from './support/proxy.ts';
import type { CheckResult } from './verdict/check-result.ts';
import { readStored } from './verdict/stored.ts';
import { judgeRun } from './verdict/verdict.ts';

export interface Outcome {
  readonly results: readonly CheckResult[];
  readonly record: RunRecord;
  readonly proxy: string;
  readonly startsInVain: number;
  readonly logs: string;
}

/** Runs a database, hosts behind a proxy, the load and the faults. Returns what was recorded. */
export async function torture(settings: Settings): Promise<Outcome> {
  const database = await openDatabase(settings.servers);
  const closing: (() => Promise<void>)[] = [() => database.stop()];
  try {
    const fleet = await openFleet(database.url, settings.hosts);
    closing.unshift(() => fleet.close());
    const proxy = await openProxy(fleet.addresses, settings.proxy);
    closing.unshift(() => proxy.close());
    return await run(settings, { database, fleet, proxy });
  } finally {
    for (const close of closing) await close();
  }
}

interface Servers {
  readonly database: Database;
  readonly fleet: Fleet;
  readonly proxy: FrontDoor;
}

async function run(settings: Settings, { database, fleet, proxy }: Servers): Promise<Outcome> {
  const { seed } = settings;
  const everybody = await seatAgents(database.url, settings.sessions);
  const record = openRecord(everybody.map(({ agent_a }) => agent_a.sessionId));
  const caller = createCaller(proxy.url, record);
  const plan = planFaults(seed, settings);
  const load = startLoad({ seed, everybody, caller, record, followsRetryAfter: settings.rounds > 0 });
  await makeTrouble(plan, { fleet, database }, record);
  await load.end();
  caller.close();
  record.fallen.push(...(await fleet.fallen()));
  if (settings.plant !== undefined) await PLANTS[settings.plant]?.(database.url, record);
  const results = judgeRun({ record, stored: await readStored(database.url, everybody), plan });
  return { results, record, proxy: proxy.name, startsInVain: fleet.startsInVain(), logs: fleet.logs() };
}
