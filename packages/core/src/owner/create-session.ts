import { viewStanding } from '../areas/owner/rules.ts';
import { createdDraft } from '../areas/owner/session.ts';
import { ownerUseOf } from '../kernel/engine/owner-allowances.ts';
import { ParleyError } from '../kernel/errors.ts';
import { attributed } from '../kernel/log/event.ts';
import type { Keyed } from '../kernel/operation/call.ts';
import { readInput } from '../kernel/operation/input.ts';
import { createExactly, prepareEvents } from '../kernel/session/append.ts';
import { randomText, SESSION_ID_CHARS } from '../kernel/token/token.ts';
import { copyEntitlement, followEntitlement } from './entitlement.ts';
import { joinGroup } from './group-log.ts';
import { OWNER_METHODS, roleForMethod } from './methods.ts';
import { judgedPerson, type OwnerOf } from './own-session.ts';

/** Stores a new session, and returns where it stands. @throws ParleyError INVALID_INPUT, LIMIT_EXCEEDED, ROLE_FORBIDDEN */
export async function createSession(owner: OwnerOf, raw: unknown, keyed?: Keyed) {
  const { engine, ownerId } = owner;
  const input = readInput(OWNER_METHODS.createSession.input, raw);
  const sessionId = keyed?.newSessionId ?? randomText(engine.random, SESSION_ID_CHARS);
  const copied = await copyEntitlement(owner);
  const person = await judgedPerson(owner, roleForMethod('createSession'), 'createSession');
  const created = createdDraft(input, { ownerId, isModeratorEntitled: copied.entitled, quotas: engine.limits.quotas });
  const prepared = prepareEvents(
    engine.domain,
    engine.domain.empty(sessionId),
    [attributed(created, 'owner', person)],
    engine.clock.now(),
  );
  const place = engine.domain.inboxPlace(prepared.state, engine.limits.silentAfterMs);
  const answer = viewStanding(prepared.state);
  await keyed?.promise({ sessionId, ...prepared.state.head }, answer);
  const reservation = await engine.allowances?.reserve(ownerId, ownerUseOf(prepared.stored, prepared.documents, 1));
  if (reservation instanceof ParleyError) throw reservation;
  try {
    if (input.group !== undefined) await joinGroup({ ...owner, person }, input.group, sessionId);
    await createExactly(engine, prepared, place);
    reservation?.keep();
  } catch (error) {
    reservation?.release();
    throw error;
  }
  // The session is stored. `setModeratorEntitlement` lists the sessions again, so it reaches this one too.
  await followEntitlement({ engine, ownerId, person }, sessionId, copied).catch((error: unknown) =>
    engine.onCommittedFailure?.(error),
  );
  return answer;
}
