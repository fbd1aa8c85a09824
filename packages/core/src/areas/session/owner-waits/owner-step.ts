import type { Presence } from '../../../kernel/last-calls.ts';
import { partyWords } from '../../../kernel/roles.ts';
import { blockersOf } from '../../blockers/blockers-of.ts';
import { type Step, say } from '../../due/step.ts';
import { missingForBuild } from '../../readiness/rules.ts';
import type { SessionState } from '../../state.ts';
import type { OwnerWait } from './owner-wait.ts';
import { ownerWaits } from './owner-waits.ts';

/** Kinds of tasks that the owner may leave as they are. */
const CAN_STAND: readonly OwnerWait['kind'][] = ['HOLD', 'QUOTA_LOW', 'QUOTA_EXHAUSTED', 'AGENT_ABSENT', 'ROUNDS_USED'];

/** The first task that the owner must do. Tasks of the kinds in `CAN_STAND` count only if they block. */
export function ownerStep(state: SessionState, presence?: Presence): Step {
  const first = ownerWaits(state, presence).find(({ kind, blocking }) => blocking || !CAN_STAND.includes(kind));
  return first ? say(first.operation, first.text) : say(null, `Nothing waits for you.${whoElse(state)}`);
}

function whoElse(state: SessionState): string {
  const [blocker] = blockersOf(state);
  switch (state.profile.phase) {
    case 'PLANNING':
      return '';
    case 'CONTRACT':
      return blocker
        ? ` Next, ${partyWords(blocker.responsible)} must remove the blocker ${blocker.code} on ${blocker.record.id}.`
        : '';
    case 'READINESS':
      return ` ${whatIsMissing(state)}`;
    default:
      return ' Some certification checks do not hold yet.';
  }
}

function whatIsMissing(state: SessionState): string {
  const { reports, checks, disputes } = missingForBuild(state);
  if (reports.length > 0) return `Next, ${reports.join(' and ')} must report READY_TO_CODE.`;
  if (checks.length > 0)
    return `Next, ${checks.join(' and ')} must confirm or dispute the readiness answers of the other builder.`;
  return `Findings on readiness answers are open: ${disputes.map(({ findingId }) => findingId).join(', ')}.`;
}
