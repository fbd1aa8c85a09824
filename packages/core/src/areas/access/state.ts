import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { isFirst } from '../../kernel/person.ts';
import { type Agent, PERMISSIONS, type Permission, SCOPES } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import { At } from '../fields.ts';

export const InvitationView = z.strictObject({ code_prefix: z.string(), expires_at: At });

export const TokenView = z.strictObject({
  token_prefix: z.string(),
  client_type: z.string().nullable(),
  issued_at: At,
  expires_at: At,
  revoked: z.boolean(),
  scopes: z.array(z.enum(SCOPES)),
  permissions: z.array(z.enum(PERMISSIONS)),
});

interface Granted extends Readonly<Pick<z.output<typeof TokenView>, 'scopes' | 'permissions' | 'expires_at'>> {
  readonly role: Agent;
  /** Id of the person who made the invitation. Undefined if the event names nobody, or the holder of the owner key. */
  readonly invited_by: string | undefined;
}

/** An invitation in the state. */
export interface Invitation extends Granted, Readonly<z.output<typeof InvitationView>> {
  readonly status: 'OPEN' | 'REDEEMED' | 'CANCELLED';
}

/** A token in the state. */
export interface Token extends Granted, Readonly<Omit<z.output<typeof TokenView>, 'revoked'>> {
  /** Time at which the owner revoked the token or a newer token replaced it. Null until then. */
  readonly revoked_at: string | null;
}

export interface AccessState {
  readonly invitations: PersistentMap<Invitation>;
  readonly tokens: PersistentMap<Token>;
  /** The hash of the unused invitation code of each role. */
  readonly openCode: Readonly<Partial<Record<Agent, string>>>;
  /** The hash of the latest token of each role, even if that token was revoked. */
  readonly currentToken: Readonly<Partial<Record<Agent, string>>>;
  readonly isModeratorStopped: boolean;
  readonly isModeratorEntitled: boolean;
  /** Number of the last event that stopped or restored the moderator, or changed whether the owner allows moderators. */
  readonly moderatorHeardSince: number;
}

export const accessSlice: Slice<AccessState> = {
  empty: {
    invitations: emptyMap(),
    tokens: emptyMap(),
    openCode: {},
    currentToken: {},
    isModeratorStopped: false,
    isModeratorEntitled: true,
    moderatorHeardSince: 0,
  },
  folds: {
    'invitation.created': (access, event) => addInvitation(cancelCode(access, event.data.role), event),
    'invitation.redeemed': (access, event) => addToken(revokeToken(access, event.data.role, event.at), event),
    'access.revoked': (access, event) => revokeAccess(access, event.data, event.at),
    'moderator.stopped': (access, event) => ({ ...access, isModeratorStopped: true, moderatorHeardSince: event.seq }),
    'moderator.restored': (access, event) => ({ ...access, isModeratorStopped: false, moderatorHeardSince: event.seq }),
    'moderator.granted': (access, event) => regrant(access, event.data.permissions),
    'session.created': (access, event) => ({ ...access, isModeratorEntitled: event.data.moderator_entitled }),
    'entitlement.changed': (access, event) => ({
      ...access,
      isModeratorEntitled: event.data.entitled,
      moderatorHeardSince: event.seq,
    }),
  },
};

/** The latest token of an agent, valid or not. Undefined if the agent has had none. */
export const currentTokenOf = ({ tokens, currentToken }: AccessState, role: Agent): Token | undefined =>
  lookUp(tokens, currentToken[role] ?? '');

type Redeemed = Extract<SessionEvent, { kind: 'invitation.redeemed' }>;
type Revoked = Extract<SessionEvent, { kind: 'access.revoked' }>['data'];
type Created = Extract<SessionEvent, { kind: 'invitation.created' }>;

function addInvitation(access: AccessState, { data, person }: Created): AccessState {
  const { code_hash, scopes = [], permissions = [], ...rest } = data;
  const invited_by = isFirst(person) ? undefined : person?.id;
  const invitation: Invitation = { ...rest, scopes, permissions, invited_by, status: 'OPEN' };
  return {
    ...access,
    invitations: withEntry(access.invitations, code_hash, invitation),
    openCode: { ...access.openCode, [data.role]: code_hash },
  };
}

function revokeAccess(access: AccessState, { role, only }: Revoked, at: string): AccessState {
  const rest = only === 'invitation' ? access : revokeToken(access, role, at);
  return only === 'token' ? rest : cancelCode(rest, role);
}

function cancelCode(access: AccessState, role: Agent): AccessState {
  const hash = access.openCode[role];
  return hash === undefined ? access : closeCode(access, role, hash, 'CANCELLED');
}

function closeCode(access: AccessState, role: Agent, hash: string, status: Invitation['status']): AccessState {
  const invitation = lookUp(access.invitations, hash);
  if (!invitation) return access;
  const { [role]: _closed, ...openCode } = access.openCode;
  return { ...access, invitations: withEntry(access.invitations, hash, { ...invitation, status }), openCode };
}

function addToken(access: AccessState, { at, data }: Redeemed): AccessState {
  const { code_hash, token_hash, client_type = null, scopes = [], permissions = [], ...rest } = data;
  const invited_by = lookUp(access.invitations, code_hash)?.invited_by;
  const grant = { ...rest, scopes, permissions, invited_by };
  const token: Token = { ...grant, client_type, issued_at: at, revoked_at: null };
  return {
    ...closeCode(access, data.role, code_hash, 'REDEEMED'),
    tokens: withEntry(access.tokens, token_hash, token),
    currentToken: { ...access.currentToken, [data.role]: token_hash },
  };
}

function revokeToken(access: AccessState, role: Agent, at: string): AccessState {
  const hash = access.currentToken[role];
  const token = hash === undefined ? undefined : lookUp(access.tokens, hash);
  if (hash === undefined || !token) return access;
  return { ...access, tokens: withEntry(access.tokens, hash, { ...token, revoked_at: token.revoked_at ?? at }) };
}

/** Replaces the permissions of the moderator's current token and of its open invitation code. */
function regrant(access: AccessState, permissions: Permission[]): AccessState {
  const code = access.openCode.moderator;
  const invitation = code === undefined ? undefined : lookUp(access.invitations, code);
  const hash = access.currentToken.moderator;
  const token = hash === undefined ? undefined : lookUp(access.tokens, hash);
  return {
    ...access,
    ...(code !== undefined && invitation
      ? { invitations: withEntry(access.invitations, code, { ...invitation, permissions }) }
      : {}),
    ...(hash !== undefined && token ? { tokens: withEntry(access.tokens, hash, { ...token, permissions }) } : {}),
  };
}
