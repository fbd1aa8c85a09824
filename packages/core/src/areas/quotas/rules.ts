import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { MAX_RAISE, QUOTAS, type Quota } from '../../kernel/limits.ts';
import type { EventDraft } from '../../kernel/log/event.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { AGENTS, type Agent, type Role } from '../../kernel/roles.ts';
import { AgentRole } from '../fields.ts';
import { pickOf } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { findingsIn, scarcity } from './state.ts';

export const QuotaName = z.enum(QUOTAS).register(documented, { id: 'Quota' });

const Used = {
  quota: QuotaName,
  used: z.int(),
  limit: z.int(),
};

export const QuotaView = z.strictObject(Used);

export const AgentQuotaView = namedObject('AgentQuota', {
  role: AgentRole,
  ...Used,
  most: z.int().describe('The highest limit that raiseQuota allows.'),
});

export type QuotaUse = Readonly<z.output<typeof AgentQuotaView>>;

type Holding = Pick<SessionState, 'quotas'>;

export const viewQuota = pickOf(QuotaView);

export function quotaUseOf({ quotas: { used, limits, given } }: Holding, role: Agent, quota: Quota): QuotaUse {
  return {
    role,
    quota,
    used: used[role][quota],
    limit: limits[role][quota],
    most: Math.max(MAX_RAISE * given[quota], limits[role][quota]),
  };
}

export const viewQuotas = (state: SessionState): QuotaUse[] =>
  AGENTS.flatMap((role) => QUOTAS.map((quota) => quotaUseOf(state, role, quota)));

/**
 * Whether the quota is used up, so that further writes are refused. The write that reaches the limit is still stored,
 * even if it exceeds the limit.
 */
export const isUsedUp = ({ used, limit }: QuotaUse): boolean => scarcity(used, limit) === 2;

/**
 * The quotas of the agent of which at least four fifths are used. Each append calls this function, so it creates no
 * object for any other quota.
 */
export function scarceQuotas(state: Holding, role: Agent): QuotaUse[] {
  const used = state.quotas.used[role];
  const limits = state.quotas.limits[role];
  return QUOTAS.filter((quota) => scarcity(used[quota], limits[quota]) > 0).map((quota) =>
    quotaUseOf(state, role, quota),
  );
}

/** The quotas that every write of an agent uses. */
const OF_ALL_WRITES: readonly Quota[] = ['bytes', 'events'];

/** Whether an agent that has used up this quota can no longer write anything. */
export const stopsWrites = (quota: Quota): boolean => OF_ALL_WRITES.includes(quota);

/** The used-up quota because of which all writes of this agent are refused. Undefined if there is none. */
export const stoppingQuota = (state: Holding, role: Agent): QuotaUse | undefined =>
  OF_ALL_WRITES.map((quota) => quotaUseOf(state, role, quota)).find(isUsedUp);

export const isStopped = (state: Holding, role: Agent): boolean => stoppingQuota(state, role) !== undefined;

/** Whether an event counts against a quota. */
const USES: Readonly<Record<Quota, (draft: EventDraft) => boolean>> = {
  bytes: () => true,
  events: () => true,
  revisions: ({ kind }) => kind === 'revision.created',
  findings: (draft) => findingsIn(draft) > 0,
};

/**
 * Kinds of events that are accepted even if a quota is used up. Such events stay few, because each needs an invitation
 * of the owner or new events to acknowledge.
 */
const ALWAYS_ALLOWED: readonly string[] = ['invitation.redeemed', 'events.acknowledged'];

/** Refuses a write if the agent has used up a quota that the write counts against. The owner has no quotas. */
export function checkQuota(state: SessionState, role: Role, drafts: readonly EventDraft[]): void {
  if (role === 'owner' || drafts.every(({ kind }) => ALWAYS_ALLOWED.includes(kind))) return;
  const quota = QUOTAS.find((each) => isUsedUp(quotaUseOf(state, role, each)) && drafts.some(USES[each]));
  if (!quota) return;
  const { used, limit } = quotaUseOf(state, role, quota);
  fail('QUOTA_EXHAUSTED', `You have used up your quota of ${amountOf(quota, limit)} in this session.`, {
    quota,
    used,
    limit,
  });
}

const MEBI = 1024 * 1024;

const inMebi = (bytes: number): string => (bytes / MEBI).toFixed(1);

/** The amount as text, such as `8.0 MiB of text` for 8388608 bytes. */
export const amountOf = (quota: Quota, amount: number): string =>
  quota === 'bytes' ? `${inMebi(amount)} MiB of text` : `${amount} ${quota}`;

export const shareOf = ({ quota, used, limit }: QuotaUse): string =>
  `${quota === 'bytes' ? inMebi(used) : used} of its ${amountOf(quota, limit)}`;

export const exhaustedText = ({ quota, limit }: QuotaUse): string =>
  `QUOTA_EXHAUSTED: you have used up your quota of ${amountOf(quota, limit)} in this session. Wait: the owner is informed and can raise it.`;
