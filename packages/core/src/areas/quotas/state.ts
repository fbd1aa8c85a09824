import { type Amounts, DEFAULT_LIMITS } from '../../kernel/limits.ts';
import { AGENTS, type Agent, type Role } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';

type PerAgent = Readonly<Record<Agent, Amounts>>;

/** The amounts that each agent has added to the session, and their limits. */
export interface Quotas {
  /** Initial limits of every agent, set when the session was created. */
  readonly given: Amounts;
  readonly limits: PerAgent;
  readonly used: PerAgent;
  /** Role that caused the last event. Events that the service adds after it count for the same role. */
  readonly causer: Role;
}

const NOTHING: Amounts = { bytes: 0, events: 0, revisions: 0, findings: 0 };

const forEach = (amounts: Amounts): PerAgent => ({ agent_a: amounts, agent_b: amounts, moderator: amounts });

const begun = (given: Amounts): Quotas => ({
  given,
  limits: forEach(given),
  used: forEach(NOTHING),
  causer: 'owner',
});

export const emptyQuotas: Quotas = begun(DEFAULT_LIMITS.quotas);

/** Counts every event for the agent that caused it, in constant time. */
export function evolveQuotas(quotas: Quotas, event: SessionEvent): Quotas {
  switch (event.kind) {
    case 'session.created':
      return begun(event.data.quotas ?? DEFAULT_LIMITS.quotas);
    case 'quota.raised':
      return { ...raised(quotas, event.data), causer: 'owner' };
    case 'notice.delivered':
      return quotas; // No agent caused this event, so it counts for none.
    default:
      return counted(quotas, event);
  }
}

type Raised = Extract<SessionEvent, { kind: 'quota.raised' }>['data'];

function raised(quotas: Quotas, { role, quota, limit }: Raised): Quotas {
  return { ...quotas, limits: { ...quotas.limits, [role]: { ...quotas.limits[role], [quota]: limit } } };
}

function counted(quotas: Quotas, event: SessionEvent): Quotas {
  const causer = event.actor === 'system' ? quotas.causer : event.actor;
  const agent = AGENTS.find((role) => role === causer);
  if (!agent) return causer === quotas.causer ? quotas : { ...quotas, causer };
  return { ...quotas, causer, used: { ...quotas.used, [agent]: withEvent(quotas.used[agent], event) } };
}

/** Number of findings that an event raises. A caveat repeated from an earlier review counts again. */
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
