import { readFile } from 'node:fs/promises';
import { Mission } from './mission.ts';

export const MISSION_NAMES = ['payment-capture', 'offline-sync', 'signed-webhooks'] as const;
export type MissionName = (typeof MISSION_NAMES)[number];

/** Reads one of the missions of this package. */
export const loadMission = (name: MissionName): Promise<Mission> =>
  readMission(new URL(`../${name}.json`, import.meta.url));

/** Reads a mission of your own. Rejects with a ZodError that names each wrong field. */
export async function readMission(file: string | URL): Promise<Mission> {
  return Mission.parse(JSON.parse(await readFile(file, 'utf8')));
}
