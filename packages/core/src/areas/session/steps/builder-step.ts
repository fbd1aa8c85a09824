import type { Builder } from '../../../kernel/roles.ts';
import { phaseStep } from '../../due/phase-step.ts';
import { type Step, say } from '../../due/step.ts';
import { exhaustedText, stoppingQuota } from '../../quotas/rules.ts';
import type { SessionState } from '../../state.ts';
import { callsOf } from '../../verify/next/next.ts';
import { waitInVerify } from './verify-wait.ts';

/** The step of a builder: the first item of `verify_next`, or to wait if there is no item. */
export function builderStep(state: SessionState, role: Builder): Step {
  const [first] = callsOf(state, role);
  return first ? say(first.tool, first.reason) : say('wait_for_my_turn', reasonToWait(state, role));
}

function reasonToWait(state: SessionState, role: Builder): string {
  const exhausted = stoppingQuota(state, role);
  if (exhausted) return exhaustedText(exhausted);
  const { status } = state.profile;
  if (status === 'DRAFT') return 'Wait for the owner to start the session.';
  if (status === 'PAUSED')
    return 'The owner paused the session. Wait until the owner resumes it; you can still read and answer.';
  return phaseStep(state, role)?.text ?? waitInVerify(state, role);
}
