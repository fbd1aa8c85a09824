import { BUILDERS } from '../../kernel/roles.ts';
import { blockersOf, isCertified } from '../blockers/blockers-of.ts';
import { activeHolds } from '../holds/rules.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import { notReady } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';
import { certificationOf, isReleasable } from '../verify/certification.ts';
import { nextFor } from '../verify/next.ts';
import { type Step, say } from './step.ts';

/** What waits for the owner: a start, an answer, an approval, an authorization; else nothing does. */
export function ownerStep(state: SessionState): Step {
  const { status, phase } = state.profile;
  if (status === 'DRAFT') return say('start', 'Invite both agents, then start the session.');
  if (status === 'PAUSED') return say('resume', 'The session is paused: resume it when the agents may go on.');
  const [question] = openQuestionsTo(state.questions, 'owner');
  if (question) return say('answerQuestion', `Answer question ${question.questionId}, which ${question.from} asked.`);
  const [recommendation] = state.recommendations.open;
  if (recommendation !== undefined)
    return say('respondRecommendation', `Recommendation ${recommendation} of the moderator waits for your word.`);
  const { latest } = state.contract;
  if (phase === 'CONTRACT' && isCertified(state))
    return say(
      'approveContract',
      `${latest?.revisionId} is certified: read it, then approve exactly its hash or request changes.`,
    );
  if (phase === 'READINESS') return readinessStep(state);
  if (phase === 'VERIFY' || phase === 'RELEASE') return releaseStep(state);
  const blockers = blockersOf(state);
  const own = phase === 'CONTRACT' ? blockers.find(({ responsible }) => responsible === 'owner') : undefined;
  if (own) return say(own.resolution.tool ?? null, `${own.code} on ${own.record.id}: ${own.resolution.text}`);
  const [first] = blockers;
  const open = phase === 'CONTRACT' && first ? ` Next: ${first.responsible}, ${first.code} on ${first.record.id}.` : '';
  return say(null, `Nothing waits for you.${open}`);
}

/** Every check is looked at again before each step. */
function releaseStep(state: SessionState): Step {
  const { isDeploymentAuthorized, isActivationAuthorized } = state.manifest;
  if (isActivationAuthorized) return say('end', 'The activation is authorized: end the session once it is done.');
  if (!isReleasable(state)) return unreleasableStep(state);
  return isDeploymentAuthorized
    ? say('authorize', 'Every check still holds: authorize the activation.')
    : say('authorize', 'Every certification check holds: authorize the deployment, or request changes.');
}

/** Whoever opened it may release it too; the owner need not wait for that. */
function holdStep({ holds }: SessionState, stopped: string): Step {
  const [hold] = activeHolds(holds);
  return say(
    'releaseHold',
    `Hold ${hold?.holdId} on ${hold?.findingId} is all that stops ${stopped}: have the finding settled, or release it.`,
  );
}

/** Scenarios that nobody can pass, such as those of a contract without tests, are the contract's fault. */
function unreleasableStep(state: SessionState): Step {
  const open = certificationOf(state).flatMap(({ check, ok }) => (ok ? [] : [check]));
  if (open.every((check) => check === 'NO_ACTIVE_HOLD')) return holdStep(state, 'the release');
  const isStuck =
    BUILDERS.every((builder) => nextFor(state, builder).length === 0) && open.includes('SCENARIOS_PASSED');
  return isStuck
    ? say(
        'requestChanges',
        'No agent has a step left and SCENARIOS_PASSED does not hold: request changes of the contract.',
      )
    : say(null, 'Nothing waits for you: not every certification check holds yet.');
}

function readinessStep(state: SessionState): Step {
  const blocked = Object.values(state.readiness).filter(({ verdict }) => verdict === 'BLOCKED');
  const waiting = notReady(state);
  if (waiting.length === 0 && state.holds.active.length > 0) return holdStep(state, 'the build');
  if (waiting.length === 0) return say('authorize', 'Both agents are ready: authorize the build, or request changes.');
  if (blocked.length > 0)
    return say(
      'requestChanges',
      `${blocked.map(({ by }) => by).join(' and ')} reported BLOCKED: clear it with them, or request changes.`,
    );
  return say(null, `Nothing waits for you: ${waiting.join(' and ')} still report on the manifest.`);
}
