import type { Domain } from '../../kernel/domain.ts';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/history.ts';
import type { Caller, Operation } from '../../kernel/operation.ts';
import type { SessionState } from '../state.ts';
import type { Invitation } from './state.ts';

type Checks = Domain<SessionState>;

/** Spec 5. The token's own state is told before anything about the session. */
export const authenticate: Checks['authenticate'] = ({ access }, tokenHash, nowMs) => {
  const token = lookUp(access.tokens, tokenHash) ?? fail('UNAUTHORIZED', 'This token is not known here.');
  if (token.isRevoked) fail('TOKEN_REVOKED', 'This token was revoked, by the owner or by a newer invitation.');
  const expiresAt = Date.parse(token.expiresAt);
  if (nowMs >= expiresAt) fail('TOKEN_EXPIRED', `This token ended at ${token.expiresAt}.`);
  return { role: token.role, tokenHash, expiresAt };
};

/** Spec 4.1. One message for every reason, so that a code cannot be probed. */
export const identifyGuest: Checks['identifyGuest'] = (state, codeHash, nowMs) => {
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
    if (permission === undefined || permission === true || token.permissions.includes(permission)) return;
    fail('PERMISSION_DENIED', `The moderator lacks the permission ${permission}.`, { required_permission: permission });
  }
  const scope = needed.builder;
  if (scope === undefined || token.scopes.includes(scope)) return;
  fail('INSUFFICIENT_SCOPE', `This token lacks the scope ${scope}.`, { required_scope: scope });
}
