import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Mission } from './mission.ts';

export const MISSION_NAMES = ['payment-capture', 'offline-sync', 'signed-webhooks', 'minor-units'] as const;
export type MissionName = (typeof MISSION_NAMES)[number];

/** Reads a mission of this package. */
export const loadMission = (name: MissionName): Promise<Mission> =>
  readMission(new URL(`../${name}.json`, import.meta.url));

/**
 * Reads a mission from any file, with the files that it includes.
 *
 * @throws ZodError that names each wrong field; Error for a file that cannot be read
 */
export async function readMission(file: string | URL): Promise<Mission> {
  return Mission.parse(await readJson(file instanceof URL ? file : pathToFileURL(file)));
}

const Inclusion = z.union([z.strictObject({ $json: z.string() }), z.strictObject({ $text: z.string() })]);

const readJson = async (file: URL): Promise<unknown> => included(JSON.parse(await readFile(file, 'utf8')), file);

/**
 * Replaces each `{"$json": path}` and `{"$text": path}` in a value by the content of the file at that path. Paths are
 * relative to `from`.
 */
async function included(value: unknown, from: URL): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const inclusion = Inclusion.safeParse(value).data;
  if (inclusion && '$json' in inclusion) return readJson(new URL(inclusion.$json, from));
  if (inclusion) return readFile(new URL(inclusion.$text, from), 'utf8');
  if (Array.isArray(value)) return Promise.all(value.map((item) => included(item, from)));
  const members = Object.entries(value).map(async ([name, member]) => [name, await included(member, from)]);
  return Object.fromEntries(await Promise.all(members));
}
