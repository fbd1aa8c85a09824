import { type Amounts, DEFAULT_LIMITS, QUOTAS, type Quota } from '../../kernel/limits.ts';
import { AGENTS, type Agent, type Role } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';

type PerAgent = Readonly<Record<Agent, Amounts>>;

export interface Quotas {
  /** The limits that every agent has at the start of the session. */
  readonly given: Amounts;
  readonly limits: PerAgent;
  readonly used: PerAgent;
  /**
   * For each quota of each agent, the time at which it was used up. Until then, the time at which four fifths of it
   * were used.
   */
  readonly scarceSince: Readonly<Record<Agent, Readonly<Partial<Record<Quota, string>>>>>;
  /** The role whose call stored the latest events. Events that the service adds to an append count for this role. */
  readonly causer: Role;
}

const NOTHING: Amounts = { bytes: 0, events: 0, revisions: 0, findings: 0 };

const forEach = (amounts: Amounts): PerAgent => ({ agent_a: amounts, agent_b: amounts, moderator: amounts });

const begun = (given: Amounts): Quotas => ({
  given,
  limits: forEach(given),
  used: forEach(NOTHING),
  scarceSince: { agent_a: {}, agent_b: {}, moderator: {} },
  causer: 'owner',
});

/** Kinds of events that no agent causes, so that no quota counts them. */
const UNCOUNTED: ReadonlySet<SessionEvent['kind']> = new Set<SessionEvent['kind']>([
  'session.created',
  'quota.raised',
  'notice.delivered',
  'status.reported',
  'evidence.reported',
]);

/** Counts each event for the agent that caused it, in constant time. */
export const quotasSlice: Slice<Quotas> = {
  empty: begun(DEFAULT_LIMITS.quotas),
  folds: {
    'session.created': (_, event) => begun(event.data.quotas ?? DEFAULT_LIMITS.quotas),
    'quota.raised': (quotas, event) => ({ ...raised(quotas, event), causer: 'owner' }),
  },
  each: (quotas, event) => (UNCOUNTED.has(event.kind) ? quotas : counted(quotas, event)),
};

/** 2 if the quota is used up, 1 if at least four fifths of it are used, else 0. */
export function scarcity(used: number, limit: number): 0 | 1 | 2 {
  if (used >= limit) return 2;
  return 5 * used >= 4 * limit ? 1 : 0;
}

/** Stores the time for each quota whose `scarcity` this event has changed. */
function withScarcity(after: Quotas, before: Quotas, role: Agent, at: string): Quotas {
  const changed = QUOTAS.filter((quota) => scarcityOf(after, role, quota) !== scarcityOf(before, role, quota));
  if (changed.length === 0) return after;
  const times = Object.fromEntries(changed.map((quota) => [quota, at]));
  return { ...after, scarceSince: { ...after.scarceSince, [role]: { ...after.scarceSince[role], ...times } } };
}

const scarcityOf = ({ used, limits }: Quotas, role: Agent, quota: Quota) =>
  scarcity(used[role][quota], limits[role][quota]);

type Raised = Extract<SessionEvent, { kind: 'quota.raised' }>;

function raised(quotas: Quotas, { data: { role, quota, limit }, at }: Raised): Quotas {
  const limits = { ...quotas.limits, [role]: { ...quotas.limits[role], [quota]: limit } };
  return withScarcity({ ...quotas, limits }, quotas, role, at);
}

function counted(quotas: Quotas, event: SessionEvent): Quotas {
  const causer = event.actor === 'system' ? quotas.causer : event.actor;
  const agent = AGENTS.find((role) => role === causer);
  if (!agent) return causer === quotas.causer ? quotas : { ...quotas, causer };
  const used = { ...quotas.used, [agent]: withEvent(quotas.used[agent], event) };
  return withScarcity({ ...quotas, causer, used }, quotas, agent, event.at);
}

/**
 * Number of findings that an event raises. A caveat of a review counts even if an earlier review had the same caveat.
 */
export const findingsIn = ({ kind, data }: { readonly kind: string; readonly data: unknown }): number => {
  if (kind === 'finding.raised') return 1;
  const isReview = kind === 'review.submitted' && typeof data === 'object' && data !== null && 'findings' in data;
  return isReview && Array.isArray(data.findings) ? data.findings.length : 0;
};

const withEvent = ({ bytes, events, revisions, findings }: Amounts, event: SessionEvent): Amounts => ({
  bytes: bytes + event.bytes + (event.kind === 'revision.created' ? event.data.bytes : 0),
  events: events + 1,
  revisions: revisions + (event.kind === 'revision.created' ? 1 : 0),
  findings: findings + findingsIn(event),
});
