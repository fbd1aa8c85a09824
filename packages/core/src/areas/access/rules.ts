import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Domain } from '../../kernel/operation/domain.ts';
import type { AgentCaller, Operation } from '../../kernel/operation/operation.ts';
import type { Permission } from '../../kernel/scopes.ts';
import type { SessionState } from '../state.ts';
import type { AccessState, Invitation, Token } from './state.ts';

type Checks = Domain<SessionState>;

/** Spec 5. Refuses an unknown, revoked or expired token before any check of the session. */
export const authenticate: Checks['authenticate'] = ({ access }, tokenHash, nowMs) => {
  const token = tokenOf(access, tokenHash);
  if (token.isRevoked)
    fail('TOKEN_REVOKED', 'This token was revoked: the owner revoked it, or a newer invitation was redeemed.');
  const expiresAt = Date.parse(token.expiresAt);
  if (nowMs >= expiresAt) fail('TOKEN_EXPIRED', `This token expired at ${token.expiresAt}.`);
  if (token.role === 'moderator') refuseModerator(access);
  return { role: token.role, tokenHash, expiresAt };
};

const tokenOf = ({ tokens }: AccessState, tokenHash: string): Token =>
  lookUp(tokens, tokenHash) ?? fail('UNAUTHORIZED', 'This service does not know this token.');

/** Spec 5.11. Refuses a moderator that is stopped or not admitted by the owner. */
function refuseModerator({ isModeratorStopped, isModeratorEntitled }: AccessState): void {
  if (isModeratorStopped) fail('MODERATOR_STOPPED', 'The owner stopped the moderator.');
  if (!isModeratorEntitled) fail('MODERATOR_NOT_ENTITLED', 'The owner has no moderator access.');
}

/** Spec 4.1. The message is the same for every reason, so that probing does not show which codes exist. */
export const authenticateInvitation: Checks['authenticateInvitation'] = (state, codeHash, nowMs) => {
  const { role, expiresAt } = redeemable(state, codeHash, nowMs);
  return { role, tokenHash: codeHash, expiresAt: Date.parse(expiresAt) };
};

export function redeemable({ access, profile }: SessionState, codeHash: string, nowMs: number): Invitation {
  const invitation = lookUp(access.invitations, codeHash);
  const isOpen =
    invitation?.status === 'OPEN' && nowMs < Date.parse(invitation.expiresAt) && profile.status !== 'ENDED';
  return isOpen
    ? invitation
    : fail('INVITATION_INVALID', 'The invitation code is unknown, used, cancelled or expired.');
}

/** Spec 5.8 and 4.3. Refuses an operation that the caller's token does not cover. */
export function checkScope({ access }: SessionState, operation: Operation<SessionState>, caller: AgentCaller): void {
  const token = tokenOf(access, caller.tokenHash);
  if (token.role === 'moderator') checkModerator(operation, token);
  else checkBuilder(operation, token);
}

function checkModerator(
  { name, access: { moderator: needed } }: Operation<SessionState>,
  { permissions }: Token,
): void {
  if (needed === undefined) fail('MODERATOR_FORBIDDEN', `${name} is not available to a moderator token.`);
  if (needed !== true) requirePermission(permissions, needed);
}

function checkBuilder({ name, access: { builder: needed } }: Operation<SessionState>, { scopes }: Token): void {
  if (needed === undefined) fail('BUILDER_FORBIDDEN', `${name} is not available to a builder token.`);
  if (scopes.includes(needed)) return;
  fail('INSUFFICIENT_SCOPE', `This token lacks the scope ${needed}.`, { required_scope: needed });
}

/** Domain 10. Operations call this function too, if an input needs a further permission. */
export function requirePermission(granted: readonly Permission[], permission: Permission): void {
  if (granted.includes(permission)) return;
  fail('PERMISSION_DENIED', `The moderator lacks the permission ${permission}.`, { required_permission: permission });
}

/** The moderator's permissions now; empty while no moderator can act. */
export function moderatorPermissions({ access }: SessionState): readonly Permission[] {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  return token && !token.isRevoked ? token.permissions : [];
}

/** The permissions that the owner granted: those of the current token, else those of the open invitation. */
export function grantedPermissions({ access }: SessionState): readonly Permission[] {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  if (token && !token.isRevoked) return token.permissions;
  return lookUp(access.invitations, access.openCode.moderator ?? '')?.permissions ?? [];
}

/**
 * Whether a moderator can act: its token is not revoked, the moderator is not stopped, and the owner admits moderators.
 */
export function hasModerator({ access }: SessionState): boolean {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  return token !== undefined && !token.isRevoked && isModeratorHeard(access);
}

/** Whether the moderator's requests still bind: the moderator is not stopped, and the owner admits moderators. */
export const isModeratorHeard = ({ isModeratorStopped, isModeratorEntitled }: AccessState): boolean =>
  !isModeratorStopped && isModeratorEntitled;
