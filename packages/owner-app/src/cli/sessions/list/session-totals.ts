import { plural } from '@parley/core/text';
import type { OverviewSession } from '../../client/all-sessions.ts';

export const PHASES = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'];
export const STATUSES = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'];

/**
 * The statuses whose sessions are also counted by phase. Drafts and ended sessions are not counted by phase, because no
 * work is done in them.
 */
const BY_PHASE: ReadonlySet<string> = new Set(['ACTIVE', 'PAUSED']);

/**
 * The number of sessions with each status, and of the active and the paused sessions in each phase:
 * `4 sessions: 1 DRAFT, 3 ACTIVE (1 PLANNING, 2 VERIFY).`
 */
export function totalsText(sessions: readonly OverviewSession[]): string {
  const parts = STATUSES.flatMap((status) => {
    const found = sessions.filter((session) => session.status === status);
    if (found.length === 0) return [];
    return `${found.length} ${status}${BY_PHASE.has(status) ? ` (${phasesText(found)})` : ''}`;
  });
  return `${plural(sessions.length, 'session')}: ${parts.join(', ')}.`;
}

const phasesText = (sessions: readonly OverviewSession[]): string =>
  PHASES.map((phase) => ({ phase, count: sessions.filter((session) => session.phase === phase).length }))
    .filter(({ count }) => count > 0)
    .map(({ phase, count }) => `${count} ${phase}`)
    .join(', ');
