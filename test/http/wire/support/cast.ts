import { openSession } from '@parley/core/testing';
import type { Inside, Joined } from '../../../support/join-session.ts';
import type { Service } from '../../../support/service.ts';
import { replaceTokens, stockSession } from './sample-sessions.ts';
import { DAY_MS, FIFTEEN_SCOPES, FIVE_PERMISSIONS, type Kind } from './specification.ts';
import { OPERATIONS } from './targets.ts';

/** Sessions of one service with tokens in every possible state. */
export interface Cast {
  readonly current: Joined;
  readonly other: Joined;
  readonly revoked: Joined;
  readonly replaced: Joined;
  readonly expired: Joined;
  readonly revokedAndExpired: Joined;
  readonly deleted: Joined;
  readonly stopped: Joined;
  readonly revokedAndStopped: Joined;
  readonly expiredAndStopped: Joined;
  /** The owner of this session has turned off the moderator entitlement. */
  readonly unentitled: Joined;
  readonly unentitledAndStopped: Joined;
  /**
   * Maps each scope to a session in which agent_a has only the other 14 scopes, and each permission to a session whose
   * moderator has only the other four.
   */
  readonly without: ReadonlyMap<string, Joined>;
  /** A session and tokens of another installation. */
  readonly foreign: Joined;
}

export const heldBy = (kind: Kind, { tokens }: Joined): string =>
  kind === 'moderator' ? tokens.moderator : tokens.agent_a;

export async function assembleCast(service: Service): Promise<Cast> {
  const stock = () => stockSession(service);
  const [expired, revokedAndExpired, expiredAndStopped] = [await stock(), await stock(), await stock()];
  await revokeAll(service, revokedAndExpired);
  await stop(service, expiredAndStopped);
  service.clock.advance(DAY_MS);
  const [current, other, revoked, replaced, deleted] = [
    await stock(),
    await stock(),
    await stock(),
    await stock(),
    await stock(),
  ];
  const [stopped, revokedAndStopped] = [await stock(), await stock()];
  for (const joined of [stopped, revokedAndStopped]) await stop(service, joined);
  await revokeAll(service, revokedAndStopped);
  await revokeAll(service, revoked);
  await replaceTokens(service, replaced);
  await service.owner.deleteSession(deleted.sessionId);
  const without = await withoutEach(service);
  return {
    current,
    other,
    revoked,
    replaced,
    expired,
    revokedAndExpired,
    deleted,
    stopped,
    revokedAndStopped,
    expiredAndStopped,
    ...(await withoutModerators(service)),
    without,
    foreign: await openSession(),
  };
}

async function revokeAll({ owner }: Service, { sessionId }: Joined): Promise<void> {
  for (const role of ['agent_a', 'agent_b', 'moderator'] as const) await owner.revoke(sessionId, { role });
}

const stop = ({ owner }: Inside, { sessionId }: Joined): Promise<unknown> => owner.stopModerator(sessionId);

/** Sessions of another owner, who turns off the moderator entitlement after moderators have joined. */
async function withoutModerators({ parley }: Service): Promise<Pick<Cast, 'unentitled' | 'unentitledAndStopped'>> {
  const inside = { parley, owner: parley.owner('without moderators') };
  const [unentitled, unentitledAndStopped] = [await stockSession(inside), await stockSession(inside)];
  await stop(inside, unentitledAndStopped);
  await inside.owner.setModeratorEntitlement({ entitled: false });
  return { unentitled, unentitledAndStopped };
}

async function withoutEach(service: Service): Promise<ReadonlyMap<string, Joined>> {
  const scopes = new Set(OPERATIONS.flatMap(({ kind, grant }) => (kind === 'builder' && grant ? [grant] : [])));
  const sessions = new Map<string, Joined>();
  for (const scope of scopes) sessions.set(scope, await narrow(service, (candidate) => candidate !== scope));
  for (const permission of FIVE_PERMISSIONS) {
    const permissions = FIVE_PERMISSIONS.filter((candidate) => candidate !== permission);
    sessions.set(permission, await narrowModerator(service, permissions));
  }
  return sessions;
}

/** Prepares a session for `tool`. agent_a has a new token with the scopes that `isKept` accepts. */
export async function narrow(
  service: Service,
  isKept: (scope: string) => boolean,
  tool: string | null = null,
): Promise<Joined> {
  const { sessionId, tokens } = await stockSession(service, tool);
  const { code } = await service.owner.invite(sessionId, { role: 'agent_a', scopes: FIFTEEN_SCOPES.filter(isKept) });
  return { sessionId, tokens: { ...tokens, agent_a: (await service.parley.redeem({ code })).token } };
}

/** Prepares a session for `tool`. The moderator has a new token with these permissions. */
export async function narrowModerator(
  service: Service,
  permissions: readonly (typeof FIVE_PERMISSIONS)[number][],
  tool: string | null = null,
): Promise<Joined> {
  const { sessionId, tokens } = await stockSession(service, tool, 'moderator');
  const { code } = await service.owner.invite(sessionId, { role: 'moderator', permissions: [...permissions] });
  return { sessionId, tokens: { ...tokens, moderator: (await service.parley.redeem({ code })).token } };
}
