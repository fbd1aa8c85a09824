import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { AgentCaller, Caller, Domain, Operation } from '../../kernel/operation/operation.ts';
import {
  AGENTS,
  type Agent,
  isBuilder,
  PERMISSIONS,
  type Permission,
  type Presence,
  type Scope,
} from '../../kernel/roles.ts';
import { AgentRole, At } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { type AccessState, currentTokenOf, type Invitation, type Token } from './state.ts';

export const AgentPresence = namedObject('AgentPresence', {
  role: AgentRole,
  display_name: z.string(),
  joined: z.boolean().describe('Whether the agent has redeemed an invitation.'),
  revoked: z.boolean().describe('Whether the token of the agent was revoked.'),
  token_expires_at: At.nullable().describe('Null if the agent has no token.'),
  code_expires_at: At.nullable().describe('Null if the agent has no unused invitation code.'),
  last_call_at: At.nullable().describe('Last known call, up to 30 s late; null if none is known.'),
  waiting: z.boolean().describe('Whether a long-poll of the agent is open.'),
  wrote_at: At.optional().describe('Time of the last event of the agent.'),
  due_since: At.optional().describe(
    'Time since which the agent can act. The part of the latest pause that follows this time is added to it. Absent if movers does not contain the agent.',
  ),
});

/**
 * The presence of both builders. The moderator is included if it has an unused invitation code or has ever had a token.
 */
export const viewPresence = (state: SessionState, presence: Presence): z.output<typeof AgentPresence>[] =>
  AGENTS.filter((role) => isBuilder(role) || takesPart(state, role)).map((role) => presenceOf(state, role, presence));

const takesPart = ({ access }: SessionState, role: Agent): boolean =>
  access.currentToken[role] !== undefined || access.openCode[role] !== undefined;

export function presenceOf(
  { access, profile, times }: SessionState,
  role: Agent,
  { calls }: Presence,
): z.output<typeof AgentPresence> {
  const token = currentTokenOf(access, role);
  const call = token && lastCallOf(token, calls[role]);
  return {
    role,
    display_name: isBuilder(role) ? profile.agents[role].name : 'Moderator',
    joined: token !== undefined,
    revoked: token !== undefined && token.revoked_at !== null,
    token_expires_at: token?.expires_at ?? null,
    code_expires_at: lookUp(access.invitations, access.openCode[role] ?? '')?.expires_at ?? null,
    last_call_at: call ? new Date(call.atMs).toISOString() : null,
    waiting: call?.isWaiting ?? false,
    ...(times.wroteAt[role] !== undefined && { wrote_at: times.wroteAt[role] }),
  };
}

/** The last call of a role. Undefined if no call is known, or if the role made it before the given token was issued. */
export const lastCallOf = ({ issued_at }: Token, call: Presence['calls'][Agent]): Presence['calls'][Agent] =>
  call && call.atMs >= Date.parse(issued_at) ? call : undefined;

type Checks = Domain<SessionState>;

/**
 * Spec 5. Refuses an unknown, revoked or expired token, and the token of a moderator that the owner stopped or does not
 * allow.
 */
export const authenticate: Checks['authenticate'] = ({ access }, tokenHash, nowMs) => {
  const token = tokenOf(access, tokenHash);
  if (token.revoked_at !== null)
    fail('TOKEN_REVOKED', 'This token was revoked: the owner revoked it, or a newer invitation was redeemed.');
  const expiresAt = Date.parse(token.expires_at);
  if (nowMs >= expiresAt) fail('TOKEN_EXPIRED', `This token expired at ${token.expires_at}.`);
  if (token.role === 'moderator') refuseModerator(access);
  return { role: token.role, tokenHash, expiresAt };
};

const tokenOf = ({ tokens }: AccessState, tokenHash: string): Token =>
  lookUp(tokens, tokenHash) ?? fail('UNAUTHORIZED', 'This service does not know this token.');

function refuseModerator({ isModeratorStopped, isModeratorEntitled }: AccessState): void {
  if (isModeratorStopped) fail('MODERATOR_STOPPED', 'The owner stopped the moderator.');
  if (!isModeratorEntitled) fail('MODERATOR_NOT_ENTITLED', 'The owner does not admit moderators at present.');
}

/**
 * Spec 4.1. Refuses every invalid code with the same message: different messages would show which of the tried codes
 * exist.
 */
export const authenticateInvitation: Checks['authenticateInvitation'] = (state, codeHash, nowMs) => {
  const { role, expires_at, invited_by: invitedBy } = redeemable(state, codeHash, nowMs);
  const caller = { role, tokenHash: codeHash, expiresAt: Date.parse(expires_at) };
  return invitedBy === undefined ? caller : { ...caller, invitedBy };
};

export function redeemable({ access, profile }: SessionState, codeHash: string, nowMs: number): Invitation {
  const invitation = lookUp(access.invitations, codeHash);
  const isOpen =
    invitation?.status === 'OPEN' && nowMs < Date.parse(invitation.expires_at) && profile.status !== 'ENDED';
  return isOpen
    ? invitation
    : fail('INVITATION_INVALID', 'The invitation code is unknown, used, cancelled or expired, or its session ended.');
}

/** Spec 5.8 and 4.3. Refuses an operation for which the token lacks the role, the scope or the permission. */
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
  if (!scopes.includes(needed)) lacksScope(needed);
}

const lacksScope = (required_scope: Scope): never =>
  fail('INSUFFICIENT_SCOPE', `This token lacks the scope ${required_scope}.`, { required_scope });

/** Refuses a builder without the scope, if a member of the input of its call needs a scope of its own. */
export function requireScope({ access }: SessionState, caller: Caller, scope: Scope): void {
  if (caller.role !== 'owner' && !tokenOf(access, caller.tokenHash).scopes.includes(scope)) lacksScope(scope);
}

/**
 * Domain 10. Refuses a moderator without the permission. Operations also call this function if a member of their input
 * needs a permission of its own.
 */
export function requirePermission(granted: readonly Permission[], permission: Permission): void {
  if (granted.includes(permission)) return;
  fail('PERMISSION_DENIED', `The moderator lacks the permission ${permission}.`, { required_permission: permission });
}

/** The permissions of the moderator's current token. Empty if there is no token or the token was revoked. */
export function moderatorPermissions({ access }: SessionState): readonly Permission[] {
  const token = currentTokenOf(access, 'moderator');
  return token && token.revoked_at === null ? token.permissions : [];
}

/**
 * The permissions of the moderator's current token. If there is no token or it was revoked, the permissions of the open
 * invitation.
 */
function grantedPermissions({ access }: SessionState): readonly Permission[] {
  const token = currentTokenOf(access, 'moderator');
  if (token && token.revoked_at === null) return token.permissions;
  return lookUp(access.invitations, access.openCode.moderator ?? '')?.permissions ?? [];
}

/** Whether a moderator can act: its token is not revoked, the owner has not stopped it, and the owner allows moderators. */
export function hasModerator({ access }: SessionState): boolean {
  const token = currentTokenOf(access, 'moderator');
  return token !== undefined && token.revoked_at === null && isModeratorAdmitted(access);
}

/**
 * Whether the owner allows moderators and has not stopped the moderator. Otherwise the moderator's request for changes
 * blocks nothing.
 */
export const isModeratorAdmitted = ({ isModeratorStopped, isModeratorEntitled }: AccessState): boolean =>
  !isModeratorStopped && isModeratorEntitled;

/** An open invitation, or a valid token. `prefix` is the first characters of its secret. */
export interface GivenAccess {
  readonly kind: 'invitation' | 'token';
  readonly role: Agent;
  readonly prefix: string;
  readonly expires_at: string;
}

/** The open invitations and valid tokens that these people gave, or that any person gave if `personIds` is undefined. */
export function accessGivenBy(
  { access, profile }: SessionState,
  personIds: readonly string[] | undefined,
  now: string,
): readonly GivenAccess[] {
  const isTheirs = <One extends Invitation | Token>(one: One | undefined): one is One =>
    one?.invited_by !== undefined && (personIds?.includes(one.invited_by) ?? true) && one.expires_at > now;
  return AGENTS.flatMap((role) => {
    const token = currentTokenOf(access, role);
    const invitation = profile.status === 'ENDED' ? undefined : lookUp(access.invitations, access.openCode[role] ?? '');
    const view = (kind: GivenAccess['kind'], prefix: string, { expires_at }: Invitation | Token): GivenAccess => ({
      kind,
      role,
      prefix,
      expires_at,
    });
    return [
      ...(isTheirs(invitation) ? [view('invitation', invitation.code_prefix, invitation)] : []),
      ...(isTheirs(token) && token.revoked_at === null ? [view('token', token.token_prefix, token)] : []),
    ];
  });
}

export const ModeratorView = namedObject('Moderator', {
  active: z.boolean().describe('True when a moderator has a token, is not stopped, and you admit moderators.'),
  stopped: z.boolean(),
  entitled: z.boolean().describe('Whether you admit moderators; the same in all your sessions.'),
  permissions: z
    .array(z.enum(PERMISSIONS).register(documented, { id: 'Permission' }))
    .describe("Permissions of the moderator's token; without a token, of its open invitation."),
  acked_cursor: z.int().describe('Id of the last event that the moderator acknowledged.'),
});
export const ModeratorResult = namedObject('ModeratorResult', { moderator: ModeratorView });

export const viewModerator = (state: SessionState): z.output<typeof ModeratorView> => ({
  active: hasModerator(state),
  stopped: state.access.isModeratorStopped,
  entitled: state.access.isModeratorEntitled,
  permissions: [...grantedPermissions(state)],
  acked_cursor: state.feed.ackedCursor,
});
