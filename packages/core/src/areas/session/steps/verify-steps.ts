import { type Builder, otherBuilder } from '../../../kernel/roles.ts';
import { reportedStage } from '../../actions/gate-reports.ts';
import type { SessionState } from '../../state.ts';
import { certificationOf } from '../../verify/certification.ts';
import { nextFor } from '../../verify/next/next.ts';
import { type Step, say } from './step.ts';

/** The step in VERIFY and RELEASE: the first item of verify_next. If there is none, the step is to wait, with the reason. */
export function verifyStep(state: SessionState, role: Builder): Step {
  const [own] = nextFor(state, role);
  if (own) return say(own.tool, own.reason);
  const open = certificationOf(state).find(({ ok }) => !ok);
  if (!open) return say('wait_for_my_turn', waitForOwner(state));
  const [other] = nextFor(state, otherBuilder(role));
  const why = other
    ? `${otherBuilder(role)} makes the next call (${other.tool})`
    : `the certification check ${open.check} does not hold yet, and no call of yours can change that`;
  return say('wait_for_my_turn', `Wait: ${why}.`);
}

function waitForOwner(state: SessionState): string {
  switch (reportedStage(state)) {
    case 'activation':
      return 'The activation is authorized. Wait for the owner to end the session.';
    case 'deployment':
      return 'The deployment is authorized. Wait for the owner to authorize the activation.';
    default:
      return 'Every certification check holds. Wait for the owner to authorize the deployment.';
  }
}
