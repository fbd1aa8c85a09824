import { type Builder, otherBuilder } from '../../../kernel/roles.ts';
import { reportedStage } from '../../actions/gate-reports.ts';
import type { SessionState } from '../../state.ts';
import { certificationOf } from '../../verify/certification.ts';
import { nextFor } from '../../verify/next/next.ts';

export function waitInVerify(state: SessionState, role: Builder): string {
  const open = certificationOf(state).find(({ ok }) => !ok);
  if (!open) return waitForOwner(state);
  const [other] = nextFor(state, otherBuilder(role));
  const why = other
    ? `The next call is that of ${otherBuilder(role)}: ${other.tool}`
    : `The certification check ${open.check} does not hold yet, and no call of yours can change that`;
  return `Wait. ${why}.`;
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
