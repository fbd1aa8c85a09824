import { activeHolds } from '../holds/rules.ts';
import { missingForBuild } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { certificationOf } from '../verify/certification.ts';
import type { BriefStage } from './brief-moderator.ts';

const NEXT_STAGE = {
  PLANNING: 'approval',
  CONTRACT: 'approval',
  READINESS: 'build',
  VERIFY: 'deployment',
  RELEASE: 'activation',
} as const;

export const nextStage = ({ profile }: SessionState): BriefStage => NEXT_STAGE[profile.phase];

const PHASE_OF = { approval: 'CONTRACT', build: 'READINESS', deployment: 'VERIFY', activation: 'RELEASE' } as const;

const MAX_MISSING = 20;

/**
 * The unmet conditions for the owner's step. The texts consist of codes and ids. Empty if the owner can take the step
 * now.
 */
export function missingFor(state: SessionState, stage: BriefStage): string[] {
  const { phase, status } = state.profile;
  const wrongPhase = phase === PHASE_OF[stage] ? [] : [`The session is in ${phase}, not in ${PHASE_OF[stage]}.`];
  const wrongStatus = status === 'ACTIVE' || status === 'PAUSED' ? [] : [`The session is ${status}.`];
  return [...wrongStatus, ...wrongPhase, ...conditionsOf(state, stage)].slice(0, MAX_MISSING);
}

function conditionsOf(state: SessionState, stage: BriefStage): string[] {
  if (stage === 'approval') {
    if (!state.contract.latest) return ['There is no revision yet.'];
    return stoppingTasks(state).map(
      ({ due_to, stops: { code, record } }) => `${code} on ${record.id}, due from ${due_to}.`,
    );
  }
  if (!state.manifest.current) return ['No contract is approved.'];
  if (stage === 'build') {
    const { reports, checks, disputes } = missingForBuild(state);
    return [
      ...reports.map((builder) => `${builder} has not reported READY_TO_CODE.`),
      ...checks.map((builder) => `${builder} has not checked the answers of the other agent.`),
      ...disputes.map(({ finding_id }) => `Finding ${finding_id}, which disputes a readiness answer, is still open.`),
      ...activeHolds(state.holds).map(({ hold_id }) => `Hold ${hold_id} is active.`),
    ];
  }
  return certificationOf(state).flatMap(({ check, ok, detail }) => (ok ? [] : [`${check}: ${detail}`]));
}
