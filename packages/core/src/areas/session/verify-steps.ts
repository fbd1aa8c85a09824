import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';
import { certificationOf } from '../verify/certification.ts';
import { nextFor } from '../verify/next.ts';
import { type Step, say } from './step.ts';

/** The step in VERIFY and RELEASE: the first item of verify_next, else waiting, with the reason. */
export function verifyStep(state: SessionState, role: Builder): Step {
  const [own] = nextFor(state, role);
  if (own) return say(own.tool, own.reason);
  const open = certificationOf(state).find(({ ok }) => !ok);
  if (!open) return say('wait_for_my_turn', waitForOwner(state));
  const [other] = nextFor(state, otherBuilder(role));
  const why = other ? `${otherBuilder(role)} has the next step (${other.tool})` : `${open.check} does not hold yet`;
  return say('wait_for_my_turn', `Wait: ${why}.`);
}

function waitForOwner({ profile, manifest }: SessionState): string {
  if (profile.phase === 'VERIFY') return 'Wait: every check holds; the owner must authorize the deployment.';
  return manifest.isActivationAuthorized
    ? 'Wait: the activation is authorized; the owner ends the session.'
    : 'Wait: the deployment is authorized; the owner must authorize the activation.';
}
