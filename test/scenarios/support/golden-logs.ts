import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createMemoryStorage, createParley, type Storage, type StoredEvent } from '@parley/core';
import { createTestClock, createTestRandom } from '@parley/core/testing';
import { domain } from '../../../packages/core/src/areas/domain.ts';
import type { SessionState } from '../../../packages/core/src/areas/state.ts';
import { readEvent } from '../../../packages/core/src/kernel/log/event.ts';
import { encodeState } from '../../../packages/core/src/kernel/log/persistent-collections.ts';
import { sha256Hex } from '../../../packages/core/src/kernel/text/hash.ts';
import { openDoor } from './doors.ts';
import { loadStory, STORIES, type Story } from './stories.ts';
import { playIn } from './world.ts';

/** Digests of the states that result from folding the stored logs. */
export interface Digests {
  readonly foldVersion: number;
  /** Digest of the event kinds and their versions. Releases with different kinds fold differently. */
  readonly catalog: string;
  /** Maps each log to the digest of its folded state. A log is named by its fold version and its story. */
  readonly logs: Readonly<Record<string, string>>;
}

const FOLDER = new URL('../golden-logs/', import.meta.url);
const DIGESTS = new URL('digests.json', FOLDER);

export const readDigests = async (): Promise<Digests> => JSON.parse(await readFile(DIGESTS, 'utf8'));

export async function readLogs(): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const names = (await readdir(FOLDER)).flatMap((file) => /^(.*)\.jsonl$/.exec(file)?.[1] ?? []);
  const logs = names.sort().map(async (name): Promise<[string, readonly StoredEvent[]]> => {
    const lines = (await readFile(new URL(`${name}.jsonl`, FOLDER), 'utf8')).trimEnd().split('\n');
    return [name, lines.map(toStored)];
  });
  return new Map(await Promise.all(logs));
}

/** Name of the log of a story for the fold version in force. */
export const logOf = (story: Story): string => `${domain.foldVersion}-${story.replaceAll(/[^a-z]+/g, '-')}`;

const toStored = (body: string): StoredEvent => ({ seq: JSON.parse(body).seq, hash: sha256Hex(body), body });

export const begun = ([first]: readonly StoredEvent[]): SessionState =>
  domain.empty(JSON.parse(first?.body ?? '{}').session_id);

export const folded = (events: readonly StoredEvent[], from = begun(events)): SessionState =>
  events.map(readEvent).reduce(domain.evolve, from);

export async function digestsOf(logs: ReadonlyMap<string, readonly StoredEvent[]>): Promise<Digests> {
  const kinds = Object.entries(domain.catalog).map(([kind, { v }]) => `${kind} ${v}`);
  const digests: Record<string, string> = {};
  for (const [name, events] of logs) digests[name] = sha256Hex(await encodeState(folded(events)));
  return { foldVersion: domain.foldVersion, catalog: sha256Hex(kinds.sort().join('\n')), logs: digests };
}

/**
 * Plays every story for the current fold version and writes the logs. Keeps logs of earlier versions. Then writes the
 * digests of all logs.
 */
export async function writeGoldenLogs(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const story of STORIES) {
    const bodies = (await playedLog(story)).map(({ body }) => body);
    await writeFile(new URL(`${logOf(story)}.jsonl`, FOLDER), `${bodies.join('\n')}\n`);
  }
  const digests = await digestsOf(await readLogs());
  await writeFile(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
}

async function playedLog(story: Story): Promise<readonly StoredEvent[]> {
  const storage = { ...createMemoryStorage(), secret: async () => '0'.repeat(64) };
  const clock = createTestClock();
  const parley = await createParley({ storage, clock, random: createTestRandom() });
  const door = await openDoor('in process', parley);
  const world = { parley, owner: parley.owner('golden'), door, close: () => parley.close() };
  const { sessionId } = await playIn(world, await loadStory(story), () => clock.advance(1_000));
  await world.close();
  return readLog(storage, sessionId);
}

async function readLog(storage: Storage, sessionId: string): Promise<StoredEvent[]> {
  const log: StoredEvent[] = [];
  for (;;) {
    const page = await storage.events(sessionId, log.length + 1, log.length + 500);
    if (page.length === 0) return log;
    log.push(...page);
  }
}
