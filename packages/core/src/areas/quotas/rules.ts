import { fail } from '../../kernel/errors.ts';
import { MAX_RAISE, QUOTAS, type Quota } from '../../kernel/limits.ts';
import type { EventDraft } from '../../kernel/log/event.ts';
import type { Domain } from '../../kernel/operation/domain.ts';
import type { Agent } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';

type Holding = Pick<SessionState, 'quotas'>;

/** How much of one quota an agent has used. */
export interface QuotaUse {
  readonly role: Agent;
  readonly quota: Quota;
  readonly used: number;
  readonly limit: number;
  /** What the owner can raise it to. */
  readonly most: number;
}

export function useOf({ quotas: { used, limits, given } }: Holding, role: Agent, quota: Quota): QuotaUse {
  return {
    role,
    quota,
    used: used[role][quota],
    limit: limits[role][quota],
    most: Math.max(MAX_RAISE * given[quota], limits[role][quota]),
  };
}

/** A last call may go beyond the limit, so that no call is refused while anything is left. */
export const isUsedUp = ({ used, limit }: QuotaUse): boolean => used >= limit;

/** Those of which a fifth or less is left. */
export const scarceQuotas = (state: Holding, role: Agent): QuotaUse[] =>
  QUOTAS.map((quota) => useOf(state, role, quota)).filter(({ used, limit }) => 5 * used >= 4 * limit);

/** What every write needs. */
const OF_ALL_WRITES: readonly Quota[] = ['bytes', 'events'];

/** Whether an agent that has used it up can write nothing more. */
export const stopsWrites = (quota: Quota): boolean => OF_ALL_WRITES.includes(quota);

/** The quota for whose sake all writes of this agent are refused. */
export const stoppingQuota = (state: Holding, role: Agent): QuotaUse | undefined =>
  OF_ALL_WRITES.map((quota) => useOf(state, role, quota)).find(isUsedUp);

export const isStopped = (state: Holding, role: Agent): boolean => stoppingQuota(state, role) !== undefined;

/** The quotas that are counted by the kind of an event. */
const COUNTED: readonly (readonly [kind: string, quota: Quota])[] = [
  ['revision.created', 'revisions'],
  ['finding.raised', 'findings'],
];

/** Each of these is bounded by what others wrote. */
const ALWAYS_ALLOWED: readonly string[] = ['invitation.redeemed', 'events.acknowledged'];

/** The owner has no quota: its word must always be heard. */
export const checkQuota: Domain<SessionState>['checkQuota'] = (state, role, drafts) => {
  if (role === 'owner' || drafts.every(({ kind }) => ALWAYS_ALLOWED.includes(kind))) return;
  const exhausted = stoppingQuota(state, role) ?? COUNTED.flatMap(exhaustedBy(state, role, drafts)).at(0);
  if (!exhausted) return;
  const { quota, used, limit } = exhausted;
  fail('QUOTA_EXHAUSTED', `You have used up your ${amountOf(quota, limit)} of this session.`, { quota, used, limit });
};

const exhaustedBy =
  (state: SessionState, role: Agent, drafts: readonly EventDraft[]) =>
  ([kind, quota]: (typeof COUNTED)[number]): QuotaUse[] => {
    const use = useOf(state, role, quota);
    return isUsedUp(use) && drafts.some((draft) => draft.kind === kind) ? [use] : [];
  };

const MEBI = 1024 * 1024;

const inMebi = (bytes: number): string => (bytes / MEBI).toFixed(1);

/** 8388608 bytes read as `8.0 MiB of text`. */
export const amountOf = (quota: Quota, amount: number): string =>
  quota === 'bytes' ? `${inMebi(amount)} MiB of text` : `${amount} ${quota}`;

export const shareOf = ({ quota, used, limit }: QuotaUse): string =>
  `${quota === 'bytes' ? inMebi(used) : used} of its ${amountOf(quota, limit)}`;

/** What an agent is told that has used up a quota and could not go on. */
export const exhaustedText = ({ quota, limit }: QuotaUse): string =>
  `QUOTA_EXHAUSTED: you have used up your ${amountOf(quota, limit)} of this session. Wait: the owner is told and can raise it.`;
