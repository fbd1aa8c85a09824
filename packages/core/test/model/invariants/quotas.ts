import type { Seen } from '../seen.ts';
import type { Call, World } from '../world.ts';
import type { Invariant } from './facts.ts';

const AGENTS = ['agent_a', 'agent_b', 'moderator'] as const;

const isUsedUp = (now: Seen, role: string, quota: string): boolean =>
  now.view().quotas.some((one) => one.role === role && one.quota === quota && one.used >= one.limit);

/** Whether the agent has used up its quota of stored events. */
export const isSpent = (now: Seen, role: string): boolean =>
  isUsedUp(now, role, 'bytes') || isUsedUp(now, role, 'events');

/** The quota that counts the records which a call creates, by the name of the call. */
const COUNTED: Readonly<Record<string, string>> = {
  submit_contract: 'revisions',
  patch_contract: 'revisions',
  submit_finding: 'findings',
  submit_moderator_finding: 'findings',
};

/**
 * Checks a refusal because of a quota. Returns QUOTA_EXHAUSTED if the refusal is right, null if it is wrong, and undefined for any
 * other result of the call.
 */
export function quotaRefusal(before: Seen, { by, name }: Call, code: string | undefined): string | null | undefined {
  if (by === 'owner' || name === 'ack_events') return code === 'QUOTA_EXHAUSTED' ? null : undefined;
  const isExhausted = isSpent(before, by) || isUsedUp(before, by, COUNTED[name] ?? '');
  if (code !== 'QUOTA_EXHAUSTED') return undefined;
  return isExhausted ? code : null;
}

/**
 * The views show how much of each quota is used, as computed from the log. A call of a role that has used up a quota
 * stores nothing.
 */
export const quotasAreRight: Invariant = function* ({ world, now, before, call: { by, name } }) {
  const { quotas } = now.view();
  for (const role of AGENTS) {
    const due = usedIn(world, role);
    for (const { quota, used } of quotas.filter((one) => one.role === role))
      if (used !== due[quota]) yield `${role} is shown ${used} ${quota}; the log holds ${due[quota]}`;
  }
  if (by === 'owner' || name === 'ack_events') return;
  for (const quota of ['bytes', 'events', COUNTED[name] ?? ''])
    if (isUsedUp(before, by, quota)) yield `${by} stored ${name} beyond its ${quota}`;
};

function usedIn({ log }: World, role: string): Readonly<Record<string, number>> {
  const used = { bytes: 0, events: 0, revisions: 0, findings: 0 };
  let causer = 'owner';
  for (const { body } of log) {
    const { actor, kind, data } = JSON.parse(body);
    if (actor !== 'system') causer = actor;
    if (causer !== role) continue;
    used.bytes += new TextEncoder().encode(body).length + (kind === 'revision.created' ? data.bytes : 0);
    used.events += 1;
    used.revisions += kind === 'revision.created' ? 1 : 0;
    used.findings += kind === 'finding.raised' ? 1 : 0;
  }
  return used;
}
