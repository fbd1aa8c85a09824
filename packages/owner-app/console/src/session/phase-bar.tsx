import type { SessionView } from '../api/types.ts';
import { hasFewSteps } from './brief/steps.ts';

const PHASES = [
  ['PLANNING', 'Planning', 'both agents name the same Contract Author, or you appoint one'],
  ['CONTRACT', 'Contract', 'nothing blocks the latest revision, and you approve it'],
  [
    'READINESS',
    'Readiness',
    "both agents report READY_TO_CODE and confirm each other's answers, and you authorize the build",
  ],
  ['VERIFY', 'Verify', 'every certification check passes, and you authorize the deployment'],
  ['RELEASE', 'Release', 'every certification check still passes, and you authorize the activation'],
] as const;

/** In a session with few steps, what the other phases need. */
const FEW: Readonly<Partial<Record<string, string>>> = {
  READINESS: 'you authorize the build',
  VERIFY: 'every certification check passes, and you release, which ends the session',
  RELEASE: 'every certification check still passes, and you release, which ends the session',
};

/** Shows all phases with the current one marked, and what is missing for the next gate. */
export function PhaseBar({ view }: { readonly view: SessionView }) {
  const { phase, status, authorizations } = view.state;
  const present = PHASES.findIndex(([name]) => name === phase);
  const need = (hasFewSteps(view) && FEW[phase]) || PHASES[present]?.[2];
  const isDone = authorizations.activation_authorized || status === 'ENDED';
  return (
    <section class="phase-bar" aria-label="Phases">
      <ol>
        {PHASES.map(([name, title], index) => (
          <li
            key={name}
            class={index < present || (index === present && isDone) ? 'done' : index === present ? 'now' : 'later'}
            aria-current={index === present ? 'step' : undefined}
          >
            <span>{title}</span>
          </li>
        ))}
      </ol>
      {!isDone && need && <p class="gate">This phase ends when {need}.</p>}
    </section>
  );
}
