import type { GivenOptions, PastEvent } from '../../../src/testing/index.ts';
import { finds, findsAndHolds, recommends, respondsTo, stopped } from '../../moderation.ts';
import { asked, paused } from '../../past.ts';
import {
  blockedReport,
  certified,
  deployed,
  failed,
  handshake,
  play,
  ready,
  received,
  releasable,
} from '../../story.ts';
import { buildOf, NEW_COMMIT } from '../../verify/builds.ts';
import { staleOf } from '../../verify/carries.ts';
import {
  findingWait,
  holdWait,
  manifestWait,
  named,
  questionWait,
  reason,
  reportedWait,
  SINCE,
  sessionWait,
  UNSAID,
} from './owner-wait-shapes.ts';

/** Adds a hold on a non-blocking finding to which the author has responded. */
export const hold = (past: readonly PastEvent[]): PastEvent[] =>
  play(past, [finds({ ...findsAndHolds[2], blocking: false }), respondsTo('f_1')]);

const answeredFinding: readonly PastEvent[] = play(certified, [finds(), respondsTo('f_1')]);

const stuck = play(buildOf({ tests: [], safety_conditions: [] }), [handshake('agent_a'), handshake('agent_b')]);

const refused = play(deployed, [
  ['owner', 'refuseStep', { stage: 'activation', scenario_id: 'test-reserve', reason: 'It keeps the units.' }],
]);

const mended = play(refused, [
  handshake('agent_b', { commit: NEW_COMMIT }),
  ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Frees them.' }],
]);

export const asksOwner = (question_id: string, blocking: boolean): PastEvent =>
  asked('agent_b', question_id, { to: 'owner', blocking });

/** A session in which exactly one task waits for the owner. */
interface WaitCase {
  readonly what: string;
  readonly past: readonly PastEvent[];
  readonly options?: GivenOptions;
  readonly wait: Readonly<Record<string, unknown>> & { readonly wait_id: string };
  /** Values that the owner puts in place of placeholders in the payload of the waiting task. */
  readonly own?: Readonly<Record<string, unknown>>;
}

export const WAITS: readonly WaitCase[] = [
  {
    what: 'the start of a draft',
    past: [],
    options: { isStarted: false },
    wait: sessionWait('START', 'start', 'Both agents have joined: start the session.'),
  },
  {
    what: 'the end of a pause',
    past: [paused],
    wait: sessionWait('RESUME', 'resume', 'The session is paused: resume it when the agents may continue.'),
  },
  {
    what: 'a question that blocks',
    past: [asksOwner('q_1', true)],
    wait: questionWait(true),
    own: { text: 'Port 8080.' },
  },
  {
    what: 'a question that does not block',
    past: [asksOwner('q_1', false)],
    wait: questionWait(false),
    own: { text: 'Port 8080.' },
  },
  {
    what: 'a recommendation',
    past: play([], [recommends()]),
    wait: {
      ...named('RECOMMENDATION', 'recommendation rec_1'),
      operation: 'respondRecommendation',
      payload: { recommendation_id: 'rec_1' },
      text: 'Recommendation rec_1 of the moderator waits for your answer.',
      blocking: false,
      since: SINCE,
      from: 'moderator',
      said: 'PAUSE: Wait for the rollback.',
    },
    own: { decision: 'ACCEPT' },
  },
  {
    what: 'a finding that nobody else can close',
    past: [...answeredFinding, stopped],
    wait: {
      ...named('BLOCKER', 'finding f_1'),
      operation: 'overrideFinding',
      payload: { finding_id: 'f_1', reason: '<your reason>' },
      text: 'FINDING_UNRESOLVED on f_1: No moderator can act. Invite a moderator, restore the stopped moderator, or override finding f_1.',
      blocking: true,
      since: SINCE,
      from: 'moderator',
      said: 'Nothing undoes a failed release.',
    },
    own: { reason },
  },
  {
    what: 'a rejected finding that its raiser leaves open',
    past: play(certified, [
      ['agent_b', 'submit_finding', { text: 'No error for an unknown article.' }],
      respondsTo('f_1'),
      ['agent_b', 'submit_finding', { text: 'No limit of the quantity.' }],
    ]),
    wait: {
      ...named('DISPUTE', 'finding f_1'),
      operation: 'overrideFinding',
      payload: { finding_id: 'f_1' },
      text: 'agent_a rejected finding f_1, and agent_b has not closed it: read both sides, then override the finding, or direct the agents.',
      blocking: false,
      since: '2026-01-05T09:00:00.015Z',
      from: 'agent_b',
      said: 'No error for an unknown article.\n\nagent_a rejects: It is there.',
    },
    options: { msBetween: 1 },
    own: { reason },
  },
  {
    what: 'a defect that its assignee disputes',
    past: play(failed, [
      ['agent_b', 'submit_finding', { text: 'The stock is locked by the caller.', target: 'def_1', blocking: false }],
      respondsTo('f_1'),
    ]),
    wait: {
      ...named('DISPUTE', 'defect def_1'),
      operation: 'reassignDefect',
      payload: { defect_id: 'def_1', role: 'agent_a' },
      text: 'agent_b says in f_1 that agent_a has to fix def_1: assign it to agent_a, waive it, or override f_1.',
      blocking: true,
      since: SINCE,
      from: 'agent_b',
      said: 'The stock is locked by the caller.\n\nagent_a rejects: It is there.',
    },
  },
  {
    what: 'an answer of the assignee of a defect to a question that names the defect',
    past: play(failed, [
      ['owner', 'ask', { targets: ['agent_b'], text: 'Who mends def_1?' }],
      ['agent_b', 'answer_intervention', { intervention_id: 'i_1', text: 'The caller locks the row.' }],
    ]),
    wait: {
      ...named('ANSWER', 'defect def_1'),
      operation: 'reassignDefect',
      payload: { defect_id: 'def_1', role: 'agent_a' },
      text: 'agent_b, which has to fix def_1, answered i_1: read the answer, then assign def_1 to agent_a, waive it, or direct agent_b to fix def_1.',
      blocking: false,
      since: SINCE,
      from: 'agent_b',
      said: 'The caller locks the row.',
    },
  },
  {
    what: 'a hold that nobody else can release',
    past: [...hold(certified), stopped],
    wait: {
      ...named('BLOCKER', 'hold h_1'),
      finding_id: 'f_1',
      operation: 'releaseHold',
      payload: { hold_id: 'h_1', reason: '<your reason>' },
      text: 'HOLD_ACTIVE on h_1: No moderator can act. Invite a moderator, restore the stopped moderator, or release hold h_1 yourself.',
      blocking: true,
      since: SINCE,
      from: 'moderator',
      said: 'Not without a rollback.',
    },
    own: { reason },
  },
  {
    what: 'the approval of a certified revision',
    past: certified,
    wait: {
      ...named('APPROVAL', 'revision r_1'),
      operation: 'approveContract',
      payload: {
        revision_id: 'r_1',
        content_hash: 'a0e78497c362cc691f786db5dc2a5ff0294103370e3f4d49f5b8d2e63b9291c5',
      },
      text: 'r_1 (3 kB; you have read no section) is certified: read it, then approve exactly its hash or request changes. The moderator has not reviewed the revision yet.',
      blocking: true,
      ...UNSAID,
    },
  },
  {
    what: 'a hold that its opener can release',
    past: hold(certified),
    wait: holdWait(
      'Hold h_1 on f_1 stops the approval and every authorization. It may stay: it ends when f_1 is closed or when the moderator releases it. You can release it too.',
      false,
    ),
    own: { reason },
  },
  {
    what: 'a hold that alone stops the build',
    past: hold(ready),
    wait: holdWait(
      'Only hold h_1 on finding f_1 stops the build: wait until the finding is closed, or release the hold.',
      true,
    ),
    own: { reason },
  },
  {
    what: 'a hold that alone stops the release',
    past: hold(releasable),
    wait: holdWait(
      'Only hold h_1 on finding f_1 stops the release: wait until the finding is closed, or release the hold.',
      true,
    ),
    own: { reason },
  },
  {
    what: 'a finding that alone stops the release',
    past: play(releasable, [['agent_b', 'submit_finding', { text: 'No error for an unknown article.' }]]),
    wait: { ...findingWait, from: 'agent_b', said: 'No error for an unknown article.' },
    own: { reason },
  },
  {
    what: 'a finding that alone stops the activation',
    past: play(deployed, [finds()]),
    wait: { ...findingWait, from: 'moderator', said: 'Nothing undoes a failed release.' },
    own: { reason },
  },
  {
    what: 'the authorization of the build',
    past: ready,
    wait: {
      ...manifestWait('authorize', 'Both agents are ready: authorize the build, or request changes.'),
      ...named('BUILD', 'manifest m_1'),
      payload: { stage: 'build' },
    },
  },
  {
    what: 'a report of BLOCKED',
    past: play(received, [blockedReport('agent_b')]),
    wait: reportedWait('agent_b reported BLOCKED: help to remove the cause, or request changes.', 'agent_b'),
    own: { reason },
  },
  {
    what: 'two reports of BLOCKED',
    past: play(received, [blockedReport('agent_b'), blockedReport('agent_a')]),
    wait: reportedWait(
      'agent_b and agent_a reported BLOCKED: help to remove the cause, or request changes.',
      'agent_b',
    ),
    own: { reason },
  },
  {
    what: 'a build in which nothing can pass',
    past: stuck,
    wait: {
      ...manifestWait(
        'requestChanges',
        'The check SCENARIOS_PASSED is not met, and no agent has a call left that could meet this check: request changes of the contract.',
      ),
      ...named('STUCK', 'manifest m_1'),
    },
    own: { reason },
  },
  {
    what: 'a pass that can be carried over',
    past: staleOf('owner'),
    wait: {
      ...manifestWait(
        'carryPass',
        'test-reserve/1 is stale; agent_a declares 2 changed paths since aaaaaaaaaaaa: compare them with git, then carry the pass over, or let agent_a run the scenario again.',
      ),
      ...named('CARRY', 'scenario test-reserve'),
      payload: { scenario_id: 'test-reserve' },
      blocking: false,
    },
    own: { reason },
  },
  {
    what: 'a defect for which the owner refused the activation',
    past: refused,
    wait: {
      ...manifestWait(
        'waiveDefect',
        'You refused the activation for def_1: agent_b has to fix it on a new commit, then test-reserve has to pass again. Wait, or waive def_1 if you refuse no longer.',
      ),
      ...named('BLOCKER', 'defect def_1'),
      payload: { defect_id: 'def_1' },
      blocking: false,
    },
    own: { reason },
  },
  {
    what: 'a refused defect that is fixed and has to be tested',
    past: mended,
    wait: {
      ...manifestWait(
        'waiveDefect',
        'You refused the activation for def_1: agent_b has fixed it on a new commit, and test-reserve has to pass again. Wait, or waive def_1 if you refuse no longer.',
      ),
      ...named('BLOCKER', 'defect def_1'),
      payload: { defect_id: 'def_1' },
      blocking: false,
    },
    own: { reason },
  },
  {
    what: 'the authorization of the deployment',
    past: releasable,
    wait: {
      ...manifestWait(
        'authorize',
        'Every certification check holds: authorize the deployment, or request changes. The moderator has not given its advice yet; you can authorize without it.',
      ),
      ...named('DEPLOYMENT', 'manifest m_1'),
      payload: { stage: 'deployment' },
    },
  },
  {
    what: 'the authorization of the activation',
    past: deployed,
    wait: {
      ...manifestWait(
        'authorize',
        'Every check still holds, but agent_a and agent_b have not reported yet what they saw after the authorization of the deployment: wait for the report, or authorize the activation now.',
      ),
      ...named('ACTIVATION', 'manifest m_1'),
      payload: { stage: 'activation' },
      blocking: false,
    },
  },
  {
    what: 'the end of what is activated',
    past: play(deployed, [['owner', 'authorize', { stage: 'activation' }]]),
    wait: {
      ...sessionWait(
        'END',
        'end',
        'The activation is authorized, but agent_a and agent_b have not reported yet what they saw after the authorization of the activation: wait for the report, or end the session now.',
      ),
      payload: { end_reason: 'COMPLETED' },
      blocking: false,
    },
  },
];
