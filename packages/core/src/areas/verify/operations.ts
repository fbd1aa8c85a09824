/** The operations of the verification, in the order in which builders call them: one attempt passes through all of them. */

import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { entries, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import { isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import type { SessionDraft } from '../catalog.ts';
import { refuseCredentials } from '../credentials/rules.ts';
import { BuilderRole, DefectId, LongText, text, WaitSeconds, withoutUserinfo } from '../fields.ts';
import { followupDrafts, NOTED } from '../findings/rules.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { openQuestionsFrom } from '../planning/rules.ts';
import { PHASES } from '../session/events.ts';
import { instructionFor } from '../session/rules.ts';
import { STATUSES } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { Instruction, NextItemView, OtherAddress, type Task } from '../task.ts';
import { callsDue } from '../tasks/due.ts';
import { formerSeqs, withFormerTexts } from '../tasks/former-evidence.ts';
import { BoardInput, BoardView, boardSeqs, viewBoard } from './board.ts';
import { defectOf, hasNewCommit, isStanding, standingDefect } from './defects.ts';
import { ChangedPaths, CommitHex, Commits, VERDICTS } from './events.ts';
import {
  attemptWithKey,
  ENVIRONMENT,
  evidenceDrafts,
  GivenItem,
  GivenItems,
  isProduction,
  refOf,
} from './given-evidence.ts';
import {
  attemptOf,
  carryDraft,
  declaredCommits,
  evaluateEvidence,
  failingText,
  missingText,
  openDefectsOf,
  passOf,
  requireDependencies,
  requireMeaningful,
  SCENARIO_STATUSES,
  type Scenario,
  scenarioOf,
  standingDefects,
} from './scenarios.ts';
import {
  DefectResult,
  inSequence,
  listNext,
  OtherResults,
  othersOf,
  refuseTwice,
  viewDefect,
  viewEvaluation,
  viewHandshake,
  viewOthers,
} from './schemas.ts';
import {
  type Attempt,
  DefectView,
  EvaluationView,
  type Evidence,
  type Handshake,
  HandshakeView,
  isSameCommit,
  longerCommit,
  type VerifyState,
} from './state.ts';

/** Spec 4.2 and 4.3. If no manifest is frozen, the lists of the board are empty. */
export const verifyBoard = defineOperation({
  name: 'verify_board',
  summary: 'Read the test board, or one scenario in full by scenario_id.',
  rest: 'GET verify/board',
  access: { builder: 'verify_read', moderator: true },
  input: BoardInput,
  output: BoardView,
  errors: ['UNKNOWN_RECORD'],

  reads: boardSeqs,
  reply: (state, input, { caller: { role }, loaded }) =>
    viewBoard(state, {
      tool: 'verify_board',
      input,
      role,
      loaded,
      due: isBuilder(role) ? callsDue(state, role) : [],
    }),
});

const Name = text(200);

const HandshakeInput = z.strictObject({
  service: Name,
  version: Name,
  commit: CommitHex,
  environment: z
    .string()
    .regex(ENVIRONMENT, 'Must be 1 to 200 printable ASCII characters, and begin with a letter or digit.')
    .describe('Never production.'),
  ready: z.boolean(),
  dependencies_healthy: z.boolean(),
  branch: Name.optional(),
  address: withoutUserinfo(text(300)).optional().describe('How to reach it.'),
  capabilities: z.array(Name).max(200).optional(),
  fixture_version: Name.optional().describe('Your test data.'),
  interfaces: z
    .array(z.union([Name, z.strictObject({ name: Name, version: Name.optional() })]))
    .max(200)
    .optional(),
  clock: z
    .strictObject({
      now: z.iso
        .datetime({ offset: true, error: 'Must be an ISO 8601 time such as 2026-11-21T09:00:00Z.' })
        .describe('ISO 8601.'),
    })
    .optional(),
  changes: ChangedPaths.optional().describe('Paths that differ, by compared commit.'),
});

/** Maximum size of the next calls in the answer, in bytes as `costOf` counts them. */
const NEXT_COST = 200_000;

/**
 * Spec 3 and 4.2. Declares the running service. If the commit differs from the previously declared commit, earlier
 * passes become stale, open attempts are aborted, and the authorizations of the deployment and the activation are
 * cancelled.
 */
export const verifyHandshake = defineOperation({
  name: 'verify_handshake',
  summary: 'Declare what runs on your side.',
  rest: 'POST verify/handshake',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: HandshakeInput,
  output: z.strictObject({
    handshake: HandshakeView,
    commit_changed: z.boolean(),
    next_actions: z.array(NextItemView),
    ...LEFT_OUT,
  }),
  errors: ['PRODUCTION_REFUSED'],

  decide({ verify, profile }, input, { role }, { clockMs }): SessionDraft[] {
    if (!isBuilder(role)) return [];
    if (isProduction(input.environment))
      fail(
        'PRODUCTION_REFUSED',
        `The environment ${quotedName(input.environment)} is a production environment, in which nothing is verified.`,
      );
    const before = verify.handshakes[role];
    const isSame = before !== undefined && isSameCommit(before.commit, input.commit);
    const commit = isSame ? longerCommit(before.commit, input.commit) : input.commit.toLowerCase();
    const declared = { ...input, commit };
    if (before && isSame && isRepeated(before, declared)) return [];
    const commit_changed = before !== undefined && !isSame;
    const skew_ms = input.clock && Date.parse(input.clock.now) - clockMs;
    const previous_commit = commit_changed ? before.commit : undefined;
    const stale_scenarios = commit_changed ? passedIds(verify) : [];
    const stale = stale_scenarios.length > 0 ? { stale_scenarios } : {};
    const data = { ...declared, skew_ms, commit_changed, previous_commit, ...stale };
    const handshake: SessionDraft = { kind: 'handshake.declared', data };
    if (!commit_changed || profile.phase !== 'RELEASE') return [handshake];
    return [handshake, { kind: 'phase.changed', data: { from: 'RELEASE', to: 'VERIFY' }, actor: 'system' }];
  },

  reply(state, _input, { caller: { role }, events: [event] }) {
    const own = isBuilder(role) ? state.verify.handshakes[role] : undefined;
    if (!own || !isBuilder(role)) throw new Error('The handshake was stored, but the state does not contain it.');
    const commit_changed = Object(event?.data).commit_changed === true;
    const { items, leftOut } = listNext(callsDue(state, role), NEXT_COST);
    return { handshake: viewHandshake(own), commit_changed, next_actions: items, ...leftOut };
  },
});

const passedIds = ({ scenarios }: VerifyState): string[] =>
  entries(scenarios).flatMap(([id, { outcome }]) => (outcome === 'PASSED' ? [id] : []));

/**
 * Whether the handshake differs from the previous handshake only in the reported time, or leaves out the changes that
 * the previous handshake declared. Such a handshake is not stored.
 */
function isRepeated(before: Handshake, { clock, ...declared }: z.output<typeof HandshakeInput>): boolean {
  return Object.entries(HandshakeInput.shape).every(([name]) => {
    if (name === 'clock') return before.clock !== undefined || clock === undefined;
    if (name === 'changes' && declared.changes === undefined) return true;
    return JSON.stringify(Reflect.get(before, name)) === JSON.stringify(Reflect.get(declared, name));
  });
}

const itemsFor = (state: SessionState, role: Role): readonly Task[] => (isBuilder(role) ? callsDue(state, role) : []);

const unansweredOf = ({ questions }: SessionState, role: Role): readonly string[] =>
  openQuestionsFrom(questions, role).map(({ question_id }) => question_id);

/** Whether a question that was open when the call arrived has been answered since. */
function isAnswered(state: SessionState, role: Role, stateAtArrival: SessionState): boolean {
  const open = new Set(unansweredOf(state, role));
  return unansweredOf(stateAtArrival, role).some((id) => !open.has(id));
}

const ANSWERED = {
  tool: 'read_messages',
  route: 'GET messages',
  text: 'A question of yours was answered: read_messages has the answer.',
};

/**
 * Spec 4.2. Lists the next calls of the builder, and waits while there is none. The wait also ends when a question of
 * the caller is answered or the session ends.
 */
export const verifyNext = defineOperation({
  name: 'verify_next',
  summary: 'List the calls due from you, with payloads.',
  rest: 'GET verify/next',
  access: { builder: 'verify_read' },
  input: z.strictObject({ wait: WaitSeconds.optional() }),
  output: z.strictObject({
    items: z.array(NextItemView),
    instruction: Instruction.optional().describe('What to do while items is empty.'),
    phase: z.enum(PHASES),
    status: z.enum(STATUSES),
    timed_out: z.boolean().optional(),
    ...LEFT_OUT,
  }),

  waits: {
    seconds: ({ wait }) => wait,
    isReady: (state, _input, { role }, stateAtArrival) =>
      state.profile.status === 'ENDED' || itemsFor(state, role).length > 0 || isAnswered(state, role, stateAtArrival),
  },

  reads: (state, _input, { role }) => (isBuilder(role) ? formerSeqs(state, role, itemsFor(state, role)) : []),

  reply(state, { wait }, { caller: { role }, timedOut, loaded }) {
    const own = itemsFor(state, role);
    const isNews = wait !== undefined && wait > 0 && !timedOut && state.profile.status !== 'ENDED';
    const { items, leftOut } = listNext(isBuilder(role) ? withFormerTexts(state, role, own, loaded) : own, LIST_COST);
    return {
      items,
      ...(own.length === 0 ? { instruction: isNews ? ANSWERED : instructionFor(state, role) } : {}),
      phase: state.profile.phase,
      status: state.profile.status,
      ...(wait ? { timed_out: timedOut } : {}),
      ...leftOut,
    };
  },
});

const ToStart = { scenario_id: text(60), evidence: GivenItems.optional() };
const StartInput = z.strictObject(ToStart);

/**
 * Spec 3. Starts an attempt of a scenario. If the scenario already has an open attempt, stores the new items of
 * evidence in the open attempt and returns it, even if another scenario, on which this scenario depends, has failed
 * since the start. Numbers of attempts are not used again.
 */
export const verifyStartAttempt = defineOperation({
  name: 'verify_start_attempt',
  summary: 'Start an attempt of a scenario you execute.',
  rest: 'POST verify/attempts',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ ...ToStart, others: othersOf(StartInput) }).superRefine(refuseTwice),
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    status: z.enum(SCENARIO_STATUSES),
    started_by: BuilderRole,
    commits: Commits,
    evaluation: EvaluationView,
    other_address: OtherAddress,
    others: OtherResults,
  }),
  errors: [
    'UNKNOWN_RECORD',
    'NOT_ASSIGNED',
    'HANDSHAKE_INCOMPLETE',
    'DEFECT_OPEN',
    'DEPENDENCY_NOT_PASSED',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_CONFLICT',
  ],

  decide(state, { others = [], ...first }, { role }, { limits, now }) {
    return inSequence(state, [first, ...others], {
      ...{ role, now },
      decide: (before, start, member) => startDrafts(before, start, { role, limits, member }),
    });
  },

  reply(state, { scenario_id, others }) {
    const { open, evaluation, status } = scenarioOf(state, scenario_id);
    if (!open || !evaluation) throw new Error('The attempt was stored, but the state does not contain it.');
    return {
      scenario_id,
      attempt: open.attempt,
      status,
      started_by: open.started_by,
      commits: open.commits,
      evaluation: viewEvaluation(evaluation),
      other_address: state.verify.handshakes[otherBuilder(open.started_by)]?.address,
      ...viewOthers(state, others),
    };
  },
});

interface Caller {
  readonly role: Role;
  readonly limits: Limits;
  /** Path of the evidence in the input. */
  readonly member: string;
}

/** The events of the start of one attempt. If the scenario has an open attempt, only those of its new evidence. */
function startDrafts(state: SessionState, start: z.output<typeof StartInput>, caller: Caller): SessionDraft[] {
  const { scenario_id, evidence = [] } = start;
  const { role, limits, member } = caller;
  const scenario = scenarioOf(state, scenario_id);
  const { test, open, record } = scenario;
  if (test.executor !== role)
    fail(
      'NOT_ASSIGNED',
      `Only ${test.executor} starts attempts of ${scenario_id}, because the contract names it as executor.`,
      {
        executor: test.executor,
      },
    );
  refuseCredentials(evidence, 'likely', member);
  const target = { state, builder: test.executor, scenario_id, limits, member };
  if (open) return evidenceDrafts({ ...target, attempt: open.attempt, has: open.evidence }, evidence);
  const commits = declaredCommits(state);
  const [defect] = openDefectsOf(state, scenario_id);
  if (defect)
    fail(
      'DEFECT_OPEN',
      `Scenario ${scenario_id} cannot start: its defect ${defect.defect_id} is open and assigned to ${defect.assigned_to}.`,
      {
        defect_id: defect.defect_id,
        assigned_to: defect.assigned_to,
      },
    );
  requireDependencies(scenario);
  const attempt = record.earlier.length + record.attempts.length + 1;
  return [
    { kind: 'attempt.started', data: { scenario_id, attempt, commits } },
    ...evidenceDrafts({ ...target, attempt, has: [] }, evidence),
  ];
}

/**
 * Spec 3. `request_id` is the correlation id in the tested system and no idempotency key: if a call without
 * `evidence_key` is sent twice, two items are stored.
 */
export const verifySubmitEvidence = defineOperation({
  name: 'verify_submit_evidence',
  summary: 'Give evidence on an open attempt; no secrets.',
  rest: 'POST verify/evidence',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ scenario_id: text(60), attempt: z.int().min(1), ...GivenItem }),
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    status: z.enum(SCENARIO_STATUSES),
    commit: z.string(),
    evaluation: EvaluationView,
  }),
  errors: ['UNKNOWN_RECORD', 'ATTEMPT_CLOSED', 'LIMIT_EXCEEDED', 'IDEMPOTENCY_CONFLICT'],

  decide(state, input, { role }, { limits }) {
    const { scenario_id, attempt, ...item } = input;
    const scenario = scenarioOf(state, scenario_id);
    const { evidence: has } =
      attemptWithKey(scenario, attempt, role, item.evidence_key) ??
      attemptOf(scenario, attempt, whereTo(scenario, role));
    refuseCredentials(input, 'likely');
    if (!isBuilder(role)) return [];
    return evidenceDrafts({ state, builder: role, scenario_id, attempt, has, limits }, [item]);
  },

  reply(state, { scenario_id, attempt }, { caller: { role }, events: [event] }) {
    const { test, status, record } = scenarioOf(state, scenario_id);
    const own = record.attempts.find((one) => one.attempt === attempt);
    const evaluation = evaluateEvidence(own?.evidence ?? [], test.evidence_policy);
    const commit = event ? Object(event.data).commit : isBuilder(role) && own?.commits[role];
    return { scenario_id, attempt, status, commit: String(commit), evaluation: viewEvaluation(evaluation) };
  },
});

/**
 * Where a builder gives evidence instead of in an attempt that is over. Undefined if `verify_next` lists the next
 * attempt.
 */
function whereTo({ test: { executor }, open, status }: Scenario, role: Role): string | undefined {
  if (open) return `Evidence needs an open attempt: give it for attempt ${open.attempt}.`;
  if (status !== 'PASSED') return undefined;
  const how =
    executor === role
      ? 'start the next attempt with verify_start_attempt'
      : `ask ${executor} with answer_question (questions) to start the next attempt,`;
  return `Evidence needs an open attempt. If the verdict no longer holds, ${how} and give the evidence there.`;
}

/**
 * Spec 3. Marks a defect as fixed. The builder must have declared another commit since the failure. Another note on a defect
 * that is fixed already replaces the note and the commit. The defect is closed only when the scenario passes again.
 */
export const verifySubmitFix = defineOperation({
  name: 'verify_submit_fix',
  summary: 'Mark your defect fixed, after verify_handshake.',
  rest: 'POST verify/defects/fix',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: z.strictObject({ defect_id: DefectId, note: LongText }),
  output: DefectResult,
  errors: ['UNKNOWN_RECORD', 'NOT_ASSIGNEE', 'DEFECT_CLOSED', 'NEW_COMMIT_REQUIRED'],

  decide(state, { defect_id, note }, { role }) {
    const { assigned_to } = defectOf(state.verify, defect_id);
    if (assigned_to !== role)
      fail(
        'NOT_ASSIGNEE',
        `Only ${assigned_to} can mark defect ${defect_id} fixed, because it is assigned to that agent.`,
        { assigned_to },
      );
    const defect = standingDefect(state.verify, defect_id);
    if (defect.status === 'FIXED' && defect.fix?.note === note) return [];
    const commit = isBuilder(role) ? state.verify.handshakes[role]?.commit : undefined;
    if (!isBuilder(role) || commit === undefined || !hasNewCommit(state.verify, defect, role))
      return fail('NEW_COMMIT_REQUIRED', `You have declared no new commit since defect ${defect_id} was found.`, {
        failed_commit: isBuilder(role) ? defect.commits[role] : null,
      });
    return [{ kind: 'defect.fixed', data: { defect_id, scenario_id: defect.scenario_id, note, commit } }];
  },

  reply: ({ verify }, { defect_id }) => ({ defect: viewDefect(defectOf(verify, defect_id)) }),
});

/** Beside the verdicts on an attempt: CARRY, which carries a stale pass over to the declared commits. */
const VerdictOrCarry = z.enum([...VERDICTS, 'CARRY']).register(documented, { id: 'VerdictOrCarry' });

const Verdict = {
  scenario_id: text(60),
  attempt: z.int().min(1),
  verdict: VerdictOrCarry,
  note: LongText.optional(),
  deviations: z.array(text(1_000)).min(1).max(20).optional().describe('With PASS: what differs from the contract.'),
  evidence: GivenItems.optional(),
};

/** A verdict on a further attempt. A CARRY is a call of its own, because a verdict of the same call can end the pass. */
const OtherVerdict = z
  .strictObject({ ...Verdict, verdict: z.enum(VERDICTS) })
  .refine(({ verdict, deviations }) => verdict === 'PASS' || !deviations, {
    path: ['deviations'],
    message: 'Must be left out of a FAIL; describe the difference in note.',
  });

const VerdictInput = z
  .strictObject({
    ...Verdict,
    others: othersOf(OtherVerdict),
    ...NOTED,
    commit: CommitHex.optional().describe('With CARRY: to which.'),
  })
  .superRefine(refuseTwice)
  .superRefine(({ verdict, deviations, evidence, commit, note, others }, issues) => {
    const refuse = (member: string, message: string): void =>
      issues.addIssue({ code: 'custom', path: [member], message });
    if (verdict === 'FAIL' && deviations)
      refuse('deviations', 'Must be left out of a FAIL; describe the difference in note.');
    if (verdict === 'CARRY') {
      if (deviations) refuse('deviations', 'Must be left out of a CARRY; the pass keeps its deviations.');
      if (others) refuse('others', 'Must be left out of a CARRY; send it alone.');
      if (evidence) refuse('evidence', 'Must be left out of a CARRY; the pass keeps its evidence.');
      if (!commit)
        refuse('commit', 'Is required with CARRY: the commit of the other agent to which the pass is carried.');
      if (!note) refuse('note', 'Is required with CARRY: why no declared change can affect the result.');
    } else if (commit) refuse('commit', 'Must be left out, except with CARRY.');
  });

/** Spec 3. Gives the verdict on an attempt. The builder that started the attempt cannot judge it. */
export const verifyVerify = defineOperation({
  name: 'verify_verify',
  summary: 'Judge an attempt of the other agent; FAIL opens a defect.',
  rest: 'POST verify/verifications',
  access: { builder: 'verify_execute' },
  phases: ['VERIFY', 'RELEASE'],
  input: VerdictInput,
  output: z.strictObject({
    scenario_id: z.string(),
    attempt: z.int(),
    verdict: VerdictOrCarry,
    status: z.enum(SCENARIO_STATUSES),
    defects: z.array(DefectView).describe('All defects of the scenario.'),
    others: OtherResults,
    ...LEFT_OUT,
  }),
  errors: [
    'UNKNOWN_RECORD',
    'NOT_ASSIGNED',
    'DEFECT_OPEN',
    'HANDSHAKE_INCOMPLETE',
    'ATTEMPT_CLOSED',
    'SELF_VERIFICATION',
    'HANDSHAKE_NOT_READY',
    'FIXTURE_MISMATCH',
    'DEPENDENCY_NOT_PASSED',
    'EVIDENCE_POLICY_UNMET',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_CONFLICT',
  ],

  decide(state, { others = [], commit = '', verdict, followups, ...first }, { role }, { limits, now }) {
    const { scenario_id, attempt, note: reason = '' } = first;
    const scenario = scenarioOf(state, scenario_id);
    const origin = { type: 'attempt', id: `${scenario_id}/${attempt}` };
    const ahead = [first, ...others].reduce((sum, { deviations = [] }) => sum + deviations.length, 0);
    const noted = followupDrafts(state.followups, followups, { role, origin, ahead });
    if (verdict === 'CARRY') return [carriedBy(state, scenario, { attempt, by: role, reason, commit }), ...noted];
    const judged = inSequence(state, [{ ...first, verdict }, ...others], {
      ...{ role, now },
      decide: (before, one, member) => verdictDrafts(before, one, { role, limits, member }),
    });
    return [...judged, ...noted];
  },

  reply(state, { scenario_id, attempt, verdict, others }) {
    const { status } = scenarioOf(state, scenario_id);
    const lists = boundedLists(LIST_COST);
    const defects = lists.list({
      records: valuesOf(state.verify.defects).filter((defect) => defect.scenario_id === scenario_id),
      view: viewDefect,
      isCurrent: isStanding,
      how: () => 'read_messages shows all defects of the scenario.',
    });
    return {
      ...{ scenario_id, attempt, verdict, status },
      defects: defects(),
      ...viewOthers(state, others),
      ...lists.leftOut(),
    };
  },
});

/** The events of one verdict, with the evidence that the judge gives with it. */
function verdictDrafts(state: SessionState, judged: z.output<typeof OtherVerdict>, caller: Caller): SessionDraft[] {
  const { scenario_id, attempt, verdict, note, deviations, evidence = [] } = judged;
  const { role, limits, member } = caller;
  const scenario = scenarioOf(state, scenario_id);
  const open = attemptOf(scenario, attempt);
  if (open.started_by === role)
    fail('SELF_VERIFICATION', `You started ${scenario_id}/${attempt}; only the other agent can judge it.`);
  refuseCredentials(evidence, 'likely', member);
  const judge = otherBuilder(open.started_by);
  const has = open.evidence;
  const items = evidenceDrafts({ state, builder: judge, scenario_id, attempt, has, limits, member }, evidence);
  if (verdict === 'PASS') requirePassable(state, scenario, [...has, ...items.map((item) => refOf(judge, item))]);
  const given: SessionDraft = { kind: 'verdict.given', data: { scenario_id, attempt, verdict, note, deviations } };
  const follows = verdict === 'PASS' ? closedDrafts(state, scenario, attempt) : failedDrafts(state, scenario, open);
  return [...items, given, ...follows.map((draft) => ({ ...draft, actor: 'system' as const }))];
}

interface CarryCall {
  readonly attempt: number;
  readonly by: Role;
  readonly reason: string;
  readonly commit: string;
}

/** The event of a CARRY. The call names the pass and the commit that the builder has compared. */
function carriedBy(state: SessionState, scenario: Scenario, { attempt, by, reason, commit }: CarryCall): SessionDraft {
  if (!isBuilder(by)) throw new Error('Only a builder has the scope of verify_verify.');
  const draft = carryDraft(state, { scenario_id: scenario.test.id, by, reason });
  // Refuses the number of an attempt other than the pass: no attempt of a stale scenario is open.
  if (passOf(scenario.record)?.attempt !== attempt) attemptOf(scenario, attempt);
  const other = otherBuilder(by);
  const declared = state.verify.handshakes[other]?.commit ?? '';
  if (!isSameCommit(declared, commit))
    fail('ATTEMPT_CLOSED', `${other} no longer declares ${commit}: it declares ${declared}.`, {
      hint: 'Call verify_next, and compare what the handshake of now declares.',
    });
  return draft;
}

function requirePassable(state: SessionState, scenario: Scenario, evidence: readonly Evidence[]): void {
  requireMeaningful(state, scenario);
  const { met, missing, failing } = evaluateEvidence(evidence, scenario.test.evidence_policy);
  if (met) return;
  fail('EVIDENCE_POLICY_UNMET', `The evidence for ${scenario.test.id} is not enough for a PASS.`, {
    missing: missing.map(missingText),
    failing: failing.map(failingText),
  });
}

const closedDrafts = (state: SessionState, { test }: Scenario, attempt: number): SessionDraft[] =>
  standingDefects(state)
    .filter(({ scenario_id }) => scenario_id === test.id)
    .map(({ defect_id }) => ({
      kind: 'defect.closed',
      data: { defect_id, scenario_id: test.id, attempt },
    }));

/**
 * The events after a FAIL. If the scenario has a defect that is open or fixed, that defect is opened again. Otherwise a
 * new defect is opened and assigned to the responsible builder.
 */
function failedDrafts(state: SessionState, { test }: Scenario, { attempt, commits }: Attempt): SessionDraft[] {
  const standing = standingDefects(state).find(({ scenario_id }) => scenario_id === test.id);
  const at = { scenario_id: test.id, attempt, commits };
  if (standing) return [{ kind: 'defect.reopened', data: { defect_id: standing.defect_id, ...at } }];
  const defect_id = `def_${state.verify.defects.size + 1}`;
  return [{ kind: 'defect.opened', data: { defect_id, ...at, assigned_to: test.responsible } }];
}
