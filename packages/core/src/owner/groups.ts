import { releaseOf, viewInGroup } from '../areas/owner/group.ts';
import type { SessionState } from '../areas/state.ts';
import { noteBroken } from '../kernel/engine/engine.ts';
import { fail, ParleyError } from '../kernel/errors.ts';
import { readInput } from '../kernel/operation/input.ts';
import { echoName } from '../kernel/text/safe-echo.ts';
import { sessionsInGroup } from './group-log.ts';
import { glancesAt } from './inbox.ts';
import { OWNER_METHODS, type OwnerMethodOutput } from './methods.ts';
import type { OwnerOf, OwnSession } from './own-session.ts';

type Unreadable = Pick<
  OwnerMethodOutput<'group'>['sessions'][number],
  'contract' | 'certified' | 'deployment_authorized' | 'stops'
>;

const UNREADABLE: Unreadable = {
  contract: null,
  certified: false,
  deployment_authorized: false,
  stops: ['The session cannot be read.'],
};

/** The sessions of a group, in the order in which they were created. Folds these sessions only. */
export async function groupOf(owner: OwnerOf, raw: unknown): Promise<OwnerMethodOutput<'group'>> {
  const { name, said } = readInput(OWNER_METHODS.group.input, raw);
  const listing = await sessionsInGroup(owner, name);
  const glances = await glancesAt(owner, listing, said === 'whole', viewInGroup);
  for (const { listed, isBroken } of glances) if (isBroken) noteBroken(owner.engine, listed.sessionId);
  if (glances.length === 0)
    fail('UNKNOWN_RECORD', 'You have no session in a group with this name.', {
      record: { type: 'group', id: echoName(name) },
      hint: 'Set the group when you create a session: createSession takes it as group.',
    });
  return { sessions: glances.map(({ glance, more = UNREADABLE }) => ({ session: glance, ...more })) };
}

/**
 * Refuses to go on unless every other session of the group is certified, or ended with an authorized deployment. Each is judged at the
 * head that the storage has now. A session can lose its certification, or join the group, at any moment after that:
 * no transaction covers several sessions.
 *
 * @throws ParleyError CERTIFICATION_INCOMPLETE; INVALID_TRANSITION if the session is in no group
 */
export async function requireGroupReady(
  own: OwnSession,
  { sessionId, profile: { group } }: SessionState,
): Promise<void> {
  if (group === undefined)
    return fail('INVALID_TRANSITION', 'The session is in no group, so group_ready has nothing to wait for.', {
      hint: 'Make the call without group_ready.',
    });
  const listing = (await sessionsInGroup(own, group)).filter((listed) => listed.sessionId !== sessionId);
  const judged = await Promise.all(
    listing.map(async ({ sessionId: session_id, title }) => ({
      session_id,
      title,
      stops: await stopsOf(own, session_id),
    })),
  );
  const waiting = judged.filter(({ stops }) => stops.length > 0);
  if (waiting.length === 0) return;
  const named = waiting.map(({ session_id, title }) => `${echoName(title)} (${session_id})`).join(', ');
  fail('CERTIFICATION_INCOMPLETE', `Sessions of the group that cannot be released yet: ${named}.`, {
    sessions: waiting,
    hint: 'Wait until each of sessions is certified, or make the call without group_ready.',
  });
}

/** What stops the release of a session. Empty if nothing does, or if the session was deleted meanwhile. */
async function stopsOf({ engine }: OwnerOf, sessionId: string): Promise<readonly string[]> {
  try {
    const state = await engine.sessions.load(sessionId);
    return state ? releaseOf(state).stops : [];
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return UNREADABLE.stops;
  }
}
