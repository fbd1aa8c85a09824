import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Domain } from '../../kernel/operation/domain.ts';
import type { Caller, Operation } from '../../kernel/operation/operation.ts';
import type { Permission } from '../../kernel/scopes.ts';
import type { SessionState } from '../state.ts';
import type { AccessState, Invitation } from './state.ts';

type Checks = Domain<SessionState>;

/** Spec 5. The token's own state is told before anything about the session. */
export const authenticate: Checks['authenticate'] = ({ access }, tokenHash, nowMs) => {
  const token = lookUp(access.tokens, tokenHash) ?? fail('UNAUTHORIZED', 'This token is not known here.');
  if (token.isRevoked) fail('TOKEN_REVOKED', 'This token was revoked, by the owner or by a newer invitation.');
  const expiresAt = Date.parse(token.expiresAt);
  if (nowMs >= expiresAt) fail('TOKEN_EXPIRED', `This token ended at ${token.expiresAt}.`);
  if (token.role === 'moderator') refuseModerator(access);
  return { role: token.role, tokenHash, expiresAt };
};

/** Spec 5.11. */
function refuseModerator({ isModeratorStopped, isModeratorEntitled }: AccessState): void {
  if (isModeratorStopped) fail('MODERATOR_STOPPED', 'The owner stopped the moderator.');
  if (!isModeratorEntitled) fail('MODERATOR_NOT_ENTITLED', 'The owner has no moderator access.');
}

/** Spec 4.1. One message for every reason, so that a code cannot be probed. */
export const authenticateInvitation: Checks['authenticateInvitation'] = (state, codeHash, nowMs) => {
  const { role } = redeemable(state, codeHash, nowMs);
  return { role };
};

export function redeemable({ access, profile }: SessionState, codeHash: string, nowMs: number): Invitation {
  const invitation = lookUp(access.invitations, codeHash);
  const isOpen =
    invitation?.status === 'OPEN' && nowMs < Date.parse(invitation.expiresAt) && profile.status !== 'ENDED';
  return isOpen ? invitation : fail('INVITATION_INVALID', 'This code is unknown, used, cancelled or expired.');
}

/** Spec 5.8 and 4.3. */
export function checkScope(
  { access }: SessionState,
  { access: needed }: Operation<SessionState>,
  caller: Caller,
): void {
  const token = caller.tokenHash === undefined ? undefined : lookUp(access.tokens, caller.tokenHash);
  if (!token) return;
  if (token.role === 'moderator') {
    const permission = needed.moderator;
    if (permission !== undefined && permission !== true) requirePermission(token.permissions, permission);
    return;
  }
  const scope = needed.builder;
  if (scope === undefined || token.scopes.includes(scope)) return;
  fail('INSUFFICIENT_SCOPE', `This token lacks the scope ${scope}.`, { required_scope: scope });
}

/** Domain 10. Also asked by an operation whose input makes it do what another permission is for. */
export function requirePermission(granted: readonly Permission[], permission: Permission): void {
  if (granted.includes(permission)) return;
  fail('PERMISSION_DENIED', `The moderator lacks the permission ${permission}.`, { required_permission: permission });
}

/** What the moderator may do at present; nothing while no moderator can act. */
export function moderatorPermissions({ access }: SessionState): readonly Permission[] {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  return token && !token.isRevoked ? token.permissions : [];
}

/** What the owner has granted: to the token in use, else to the invitation that can still be redeemed. */
export function grantedPermissions({ access }: SessionState): readonly Permission[] {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  if (token && !token.isRevoked) return token.permissions;
  return lookUp(access.invitations, access.openCode.moderator ?? '')?.permissions ?? [];
}

/** Whether a moderator can act: it has a token that was not revoked, is not stopped, and the owner has moderators. */
export function hasModerator({ access }: SessionState): boolean {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  return token !== undefined && !token.isRevoked && isModeratorHeard(access);
}

/** Whether what a moderator asked for still binds: it is neither stopped nor without entitlement. */
export const isModeratorHeard = ({ isModeratorStopped, isModeratorEntitled }: AccessState): boolean =>
  !isModeratorStopped && isModeratorEntitled;
