import type { SessionDraft } from '../areas/catalog.ts';
import { type CreateSession, createdDraft } from '../areas/owner/session.ts';
import { type Amounts, DEFAULT_LIMITS } from '../kernel/limits.ts';
import {
  type Actor,
  AGENTS,
  type Agent,
  isBuilder,
  PERMISSIONS,
  type Permission,
  SCOPES,
  type Scope,
} from '../kernel/roles.ts';

/** Settings of the session in which tests start. */
export interface SessionFacts {
  readonly session?: Partial<CreateSession>;
  /** Initial quotas of each agent. Default: the default quotas. */
  readonly quotas?: Partial<Amounts>;
  /** Whether the session is started. If false, it stays in DRAFT, and the first event passed to `given` is event 5. */
  readonly isStarted?: boolean;
  /** Scopes of both builders' tokens. Default: all scopes. */
  readonly scopes?: readonly Scope[];
  /** Permissions of the moderator's token. Default: all permissions. */
  readonly permissions?: readonly Permission[];
}

/** The session in which tests start by default, as `createSession` takes it. */
export const SAMPLE_SESSION = {
  title: 'Orders and stock',
  objective: 'Orders reserve stock before they are paid.',
  guardrails: ['No change of the public API.'],
  requirements: [
    { requirement_id: 'R1', text: 'An order reserves stock.' },
    { requirement_id: 'R2', text: 'A reservation ends after 15 minutes.' },
  ],
  round_limit: 3,
  agents: {
    agent_a: { name: 'Ada', repository: 'orders', service: 'orders-api' },
    agent_b: { name: 'Ben', repository: 'stock', service: 'stock-api' },
  },
} satisfies CreateSession;

export const SAMPLE_OWNER = 'owner-1';

export const tokenHashOf = (role: Agent): string => `hash-of-the-token-of-${role}`;

/** Expiry time of the sample tokens and invitations: one day after the time at which tests start. */
const EXPIRES_AT = '2026-01-06T09:00:00.000Z';

export function openingEvents(facts: SessionFacts): (SessionDraft & { readonly actor: Actor })[] {
  const { session, isStarted = true } = facts;
  const quotas = { ...DEFAULT_LIMITS.quotas, ...facts.quotas };
  const started = { kind: 'session.started', data: {}, actor: 'owner' } as const;
  return [
    createdDraft({ ...SAMPLE_SESSION, ...session }, { ownerId: SAMPLE_OWNER, isModeratorEntitled: true, quotas }),
    ...AGENTS.map((role) => tokenDraft(role, facts)),
    ...(isStarted ? [started] : []),
  ];
}

function tokenDraft(role: Agent, { scopes = SCOPES, permissions = PERMISSIONS }: SessionFacts) {
  const grant = isBuilder(role) ? { scopes: [...scopes] } : { permissions: [...permissions] };
  const data = {
    role,
    code_hash: `hash-of-the-code-of-${role}`,
    token_hash: tokenHashOf(role),
    token_prefix: 'prt_sample',
    expires_at: EXPIRES_AT,
    ...grant,
  };
  return { kind: 'invitation.redeemed', data, actor: role } as const;
}
