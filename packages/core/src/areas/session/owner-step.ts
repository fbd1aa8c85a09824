import { blockersOf } from '../blockers/blockers-of.ts';
import { missingForBuild } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';
import type { OwnerWait } from './owner-wait.ts';
import { ownerWaits } from './owner-waits.ts';
import { type Step, say } from './step.ts';

/** Kinds of waits on which the owner need not act. */
const CAN_STAND: readonly OwnerWait['kind'][] = ['HOLD', 'QUOTA_LOW', 'QUOTA_EXHAUSTED'];

/** The owner's next step: the first wait that the owner must settle. Waits in CAN_STAND count only if they block. */
export function ownerStep(state: SessionState): Step {
  const first = ownerWaits(state).find(({ kind, blocking }) => blocking || !CAN_STAND.includes(kind));
  return first ? say(first.operation, first.text) : say(null, `Nothing waits for you${whoElse(state)}`);
}

function whoElse(state: SessionState): string {
  const [blocker] = blockersOf(state);
  switch (state.profile.phase) {
    case 'PLANNING':
      return '.';
    case 'CONTRACT':
      return blocker ? `. Next: ${blocker.responsible}, ${blocker.code} on ${blocker.record.id}.` : '.';
    case 'READINESS':
      return `: ${whatIsMissing(state)}`;
    default:
      return ': not every certification check holds yet.';
  }
}

function whatIsMissing(state: SessionState): string {
  const { reports, checks, disputes } = missingForBuild(state);
  if (reports.length > 0) return `${reports.join(' and ')} still report on the manifest.`;
  if (checks.length > 0) return `${checks.join(' and ')} still confirm or dispute the other's answers.`;
  return `${disputes.map(({ findingId }) => findingId).join(' and ')} on readiness answers are open.`;
}
