import { z } from 'zod';
import { setEntitlement } from './areas/owner/set-entitlement.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine.ts';
import { fail, ParleyError } from './kernel/errors.ts';
import { validateInput } from './kernel/input.ts';
import { publishedSchema } from './kernel/json-schema.ts';
import { plainJson } from './kernel/json-text.ts';
import { inLanes } from './kernel/lanes.ts';
import type { ListedSession } from './kernel/storage.ts';
import { identifyOwner, unknownSession } from './own-session.ts';

/** One owner, as the storage knows it. */
interface OwnerOf {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
}

export const EntitlementInput = z.strictObject({ entitled: z.boolean().describe('Whether you have moderators.') });

/** What `setModeratorEntitlement` answers: the new value, and how many sessions it was written to. */
export interface Entitlement extends Readonly<Record<string, unknown>> {
  readonly entitled: boolean;
  readonly sessions: number;
}

const PAGE = 200;
/** Sessions written at a time. */
const LANES = 8;

/**
 * Domain 3: one event in each of the owner's sessions that is not ENDED, newest first, and in the newest in any case:
 * that is what createSession copies. Sessions created meanwhile are looked for again at the end.
 *
 * @throws ParleyError INVALID_TRANSITION for an owner without sessions, who has nothing to keep it in
 */
export async function setModeratorEntitlement(owner: OwnerOf, raw: unknown): Promise<Entitlement> {
  const { entitled } = validateInput(EntitlementInput, publishedSchema(EntitlementInput), plainJson(raw ?? {}));
  const written = new Set<string>();
  for (let newest = await newestSession(owner); ; ) {
    if (newest === undefined)
      fail('INVALID_TRANSITION', 'The entitlement is kept in your sessions, and you have none: create one first.');
    await writeAll(owner, entitled, written);
    const after = await newestSession(owner);
    if (after?.sessionId === newest.sessionId) return { entitled, sessions: written.size };
    newest = after;
  }
}

/** Whether the owner has moderators: what its newest session says, leaving out one; true for an owner without any. */
export async function entitlementOf({ engine, ownerId }: OwnerOf, except?: string): Promise<boolean> {
  for (const { sessionId } of await engine.storage.list(ownerId, { limit: 2 })) {
    const state = sessionId === except ? null : await engine.sessions.load(sessionId);
    if (state) return state.access.isModeratorEntitled;
  }
  return true;
}

/** Writes it to one session; one that was deleted meanwhile needs it no more. */
export async function writeEntitlement(
  { engine, ownerId }: OwnerOf,
  sessionId: string,
  entitled: boolean,
): Promise<boolean> {
  const identify = identifyOwner(ownerId, sessionId);
  const absent = () => unknownSession(sessionId);
  const input = { entitled };
  try {
    await engine.run({ operation: setEntitlement, sessionId, identify, absent, holder: ownerId, input });
    return true;
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'UNKNOWN_RECORD') return false;
    throw error;
  }
}

const newestSession = async ({ engine, ownerId }: OwnerOf): Promise<ListedSession | undefined> =>
  (await engine.storage.list(ownerId, { limit: 1 }))[0];

async function writeAll(owner: OwnerOf, entitled: boolean, written: Set<string>): Promise<void> {
  const { engine, ownerId } = owner;
  let isNewest = true;
  for (let after: string | undefined; ; ) {
    const page = await engine.storage.list(ownerId, after === undefined ? { limit: PAGE } : { limit: PAGE, after });
    const due = page.filter(({ status }, index) => status !== 'ENDED' || (isNewest && index === 0));
    isNewest = false;
    await inLanes(LANES, due, async ({ sessionId }) => {
      if (await writeEntitlement(owner, sessionId, entitled)) written.add(sessionId);
    });
    after = page.at(-1)?.sessionId;
    if (page.length < PAGE || after === undefined) return;
  }
}
