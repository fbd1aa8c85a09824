import { BUILDERS } from '../../kernel/roles.ts';
import { blockersOf, isCertified } from '../blockers/blockers-of.ts';
import { openBlockingFindings } from '../findings/rules.ts';
import { activeHolds } from '../holds/rules.ts';
import type { Hold } from '../holds/state.ts';
import { openQuestionsTo } from '../questions/rules.ts';
import { isBuildReady } from '../readiness/rules.ts';
import type { SessionState } from '../state.ts';
import { certificationOf, deviatingPasses, named } from '../verify/certification.ts';
import { nextFor } from '../verify/next.ts';
import type { OwnerWait } from './owner-wait.ts';
import { quotaWaits } from './quota-waits.ts';

/** Everything that waits for the owner, in the order in which to act. Texts are built from codes and ids only. */
export function ownerWaits(state: SessionState): OwnerWait[] {
  const { status } = state.profile;
  if (status === 'ENDED') return [];
  const session = { type: 'session', id: state.sessionId };
  if (status === 'DRAFT') return [waitOf('START', session, 'start', 'Invite both agents, then start the session.')];
  const paused = waitOf('RESUME', session, 'resume', 'The session is paused: resume it when the agents may go on.');
  const quotas = quotaWaits(state);
  const waits = [
    ...(status === 'PAUSED' ? [paused] : []),
    ...spokenWaits(state),
    ...quotas.filter(({ blocking }) => blocking),
    ...phaseWaits(state),
  ];
  return [...waits, ...standingHolds(state, waits), ...quotas.filter(({ blocking }) => !blocking)];
}

/** The wait of a session whose log cannot be folded. */
export const brokenLogWait = (sessionId: string, fault: string): OwnerWait =>
  waitOf(
    'LOG_BROKEN',
    { type: 'session', id: sessionId },
    'verifyLog',
    `${fault} Verify and export the log; then restore it from a backup, or delete the session.`,
  );

/**
 * Active holds. A moderator that can act releases its holds; the owner is informed because the owner can release them too.
 */
function standingHolds({ holds }: SessionState, waits: readonly OwnerWait[]): OwnerWait[] {
  const told = new Set(waits.flatMap(({ record }) => (record.type === 'hold' ? [record.id] : [])));
  return activeHolds(holds)
    .filter(({ holdId }) => !told.has(holdId))
    .map(({ holdId: id, findingId }) => {
      const text = `Hold ${id} on ${findingId} stops the approval and every authorization; its opener releases it, or you do.`;
      const wait = waitOf('HOLD', { type: 'hold', id }, 'releaseHold', text);
      return { ...wait, payload: { hold_id: id }, blocking: false };
    });
}

/** Questions and recommendations addressed to the owner. */
function* spokenWaits({ questions, recommendations }: SessionState): Generator<OwnerWait> {
  for (const { questionId: id, from, isBlocking } of openQuestionsTo(questions, 'owner'))
    yield {
      ...waitOf('QUESTION', { type: 'question', id }, 'answerQuestion', `Answer question ${id}, which ${from} asked.`),
      payload: { question_id: id },
      blocking: isBlocking,
    };
  for (const id of recommendations.open) {
    const text = `Recommendation ${id} of the moderator waits for your answer.`;
    yield {
      ...waitOf('RECOMMENDATION', { type: 'recommendation', id }, 'respondRecommendation', text),
      payload: { recommendation_id: id },
      blocking: false,
    };
  }
}

function phaseWaits(state: SessionState): Iterable<OwnerWait> {
  switch (state.profile.phase) {
    case 'PLANNING':
      return [];
    case 'CONTRACT':
      return contractWaits(state);
    case 'READINESS':
      return readinessWaits(state);
    default:
      return releaseWaits(state);
  }
}

function* contractWaits(state: SessionState): Generator<OwnerWait> {
  const { latest } = state.contract;
  if (latest && isCertified(state)) {
    const { revisionId: revision_id, contentHash: content_hash } = latest;
    const text = `${revision_id} is certified: read it, then approve exactly its hash or request changes.`;
    yield {
      ...waitOf('APPROVAL', { type: 'revision', id: revision_id }, 'approveContract', text),
      payload: { revision_id, content_hash },
    };
  }
  for (const { code, record, responsible, resolution } of blockersOf(state)) {
    // Questions to the owner are listed above already.
    if (responsible !== 'owner' || code === 'QUESTION_UNANSWERED') continue;
    const { tool = 'view', payload = {}, text } = resolution;
    yield { ...waitOf('BLOCKER', record, tool, `${code} on ${record.id}: ${text}`), payload };
  }
}

function* readinessWaits(state: SessionState): Generator<OwnerWait> {
  const manifest = { type: 'manifest', id: state.manifest.current?.manifest_id ?? '' };
  if (isBuildReady(state)) {
    const holds = activeHolds(state.holds);
    if (holds.length > 0) yield* holdWaits(holds, 'the build');
    else
      yield {
        ...waitOf('BUILD', manifest, 'authorize', 'Both agents are ready: authorize the build, or request changes.'),
        payload: { stage: 'build' },
      };
    return;
  }
  const blocked = Object.values(state.readiness.reports).filter(({ verdict }) => verdict === 'BLOCKED');
  if (blocked.length === 0) return;
  const text = `${blocked.map(({ by }) => by).join(' and ')} reported BLOCKED: remove the cause with them, or request changes.`;
  yield waitOf('REPORTED_BLOCKED', manifest, 'requestChanges', text);
}

/** The next authorization that the owner can give in VERIFY and RELEASE. All checks are evaluated again for each one. */
function* releaseWaits(state: SessionState): Generator<OwnerWait> {
  const { current, isDeploymentAuthorized, isActivationAuthorized } = state.manifest;
  const manifest = { type: 'manifest', id: current?.manifest_id ?? '' };
  if (isActivationAuthorized) {
    const session = { type: 'session', id: state.sessionId };
    const text = 'The activation is authorized: end the session once it is done.';
    yield { ...waitOf('END', session, 'end', text), payload: { end_reason: 'COMPLETED' } };
    return;
  }
  const open = certificationOf(state).flatMap(({ check, ok }) => (ok ? [] : [check]));
  if (open.length > 0) {
    yield* unreleasableWaits(state, open);
  } else if (isDeploymentAuthorized) {
    const text = 'Every check still holds: authorize the activation.';
    yield { ...waitOf('ACTIVATION', manifest, 'authorize', text), payload: { stage: 'activation' } };
  } else {
    const passes = deviatingPasses(state);
    const text =
      passes.length === 0
        ? 'Every certification check holds: authorize the deployment, or request changes.'
        : `Every certification check holds, with deviations in ${named(passes)}: read them on the board, then authorize the deployment or request changes.`;
    yield { ...waitOf('DEPLOYMENT', manifest, 'authorize', text), payload: { stage: 'deployment' } };
  }
}

/**
 * The findings and holds, if they alone stop the release. Otherwise the wait for a change of the contract, if no agent has a
 * step left and scenarios have not passed. A contract without tests is such a case.
 */
function* unreleasableWaits(state: SessionState, open: readonly string[]): Generator<OwnerWait> {
  if (open.every((check) => check === 'NO_ACTIVE_HOLD' || check === 'NO_BLOCKING_FINDING')) {
    yield* findingAndHoldWaits(state);
    return;
  }
  const isIdle = BUILDERS.every((builder) => nextFor(state, builder).length === 0);
  if (!isIdle || !open.includes('SCENARIOS_PASSED')) return;
  const manifest = { type: 'manifest', id: state.manifest.current?.manifest_id ?? '' };
  const text = 'No agent has a step left and SCENARIOS_PASSED does not hold: request changes of the contract.';
  yield waitOf('STUCK', manifest, 'requestChanges', text);
}

/** Closing a finding releases its hold. Releasing a hold leaves its finding open. */
function* findingAndHoldWaits({ findings, holds }: SessionState): Generator<OwnerWait> {
  const blocking = openBlockingFindings(findings).map(({ findingId }) => findingId);
  for (const id of blocking) {
    const text = `Finding ${id} stops the release: have it resolved, or override it.`;
    yield {
      ...waitOf('BLOCKER', { type: 'finding', id }, 'overrideFinding', text),
      payload: { finding_id: id },
    };
  }
  const others = activeHolds(holds).filter(({ findingId }) => !blocking.includes(findingId));
  yield* holdWaits(others, 'the release');
}

/** Holds, if nothing else stops the next step. The agent that opened a hold can release it, and so can the owner. */
function* holdWaits(holds: readonly Hold[], stopped: string): Generator<OwnerWait> {
  for (const { holdId, findingId } of holds) {
    const text = `Hold ${holdId} on ${findingId} is all that stops ${stopped}: have the finding settled, or release it.`;
    yield {
      ...waitOf('HOLD', { type: 'hold', id: holdId }, 'releaseHold', text),
      payload: { hold_id: holdId },
    };
  }
}

function waitOf(kind: OwnerWait['kind'], record: OwnerWait['record'], operation: string, text: string): OwnerWait {
  return { wait_id: `${kind}:${record.id}`, kind, record, operation, payload: {}, text, blocking: true };
}
