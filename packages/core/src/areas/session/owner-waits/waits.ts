import { z } from 'zod';
import { ADDED_ROUNDS, MAX_ROUNDS } from '../../../kernel/limits.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../../kernel/maps.ts';
import { namedObject } from '../../../kernel/operation/json-schema.ts';
import {
  type Actor,
  AGENTS,
  BUILDERS,
  type Builder,
  isBuilder,
  otherBuilder,
  type Role,
} from '../../../kernel/roles.ts';
import { firstWords, plural } from '../../../kernel/text/readable.ts';
import { type AccessState, currentTokenOf } from '../../access/state.ts';
import { StepOptions } from '../../approvals/rules.ts';
import type { Revision } from '../../contract/state.ts';
import { At, FindingId, Party, RecordRef } from '../../fields.ts';
import { closerOf, openBlockingFindings, openCaveats, rejectionOf } from '../../findings/rules.ts';
import type { Finding, FindingResponse } from '../../findings/state.ts';
import type { Intervention, Interventions } from '../../interventions/state.ts';
import { hasTurnsLeft } from '../../planning/rules.ts';
import {
  isStopped,
  isUsedUp,
  type QuotaUse,
  quotaUseOf,
  scarceQuotas,
  shareOf,
  stopsWrites,
} from '../../quotas/rules.ts';
import { lastReadBefore, revisionsBetween } from '../../reading/rules.ts';
import type { SessionState } from '../../state.ts';
import { isWaiting } from '../../task.ts';
import { stoppingTasks } from '../../tasks/agent-tasks.ts';
import { callsDue, nextTask, owesRevision } from '../../tasks/due.ts';
import { type DefectDispute, defectDisputes } from '../../verify/defects.ts';
import { scenariosOf, stalePassOf, staleWords, standingDefects } from '../../verify/scenarios.ts';
import type { Defect } from '../../verify/state.ts';
import { WAIT_KINDS } from './wait-kinds.ts';

/** Maximum number of characters of an agent's text in a task. */
const MAX_SAID_CHARS = 2_000;

/** Maximum number of characters of each text, if a task contains the texts of both sides. */
const MAX_SIDE_CHARS = 900;

export const OwnerWaitView = namedObject('OwnerWait', {
  wait_id: z.string().describe('Stays the same as long as the task waits.'),
  kind: z.enum(WAIT_KINDS),
  record: RecordRef,
  finding_id: FindingId.optional().describe('Only for a task about a hold: the finding on which the hold rests.'),
  operation: z.string().describe("The owner's operation that settles the task."),
  payload: z.record(z.string(), z.unknown()).describe("The members of the operation's input that are known already."),
  options: StepOptions,
  text: z.string(),
  blocking: z.boolean().describe('Whether the session cannot continue before you settle the task.'),
  since: At.describe('Time since which the task waits for you.'),
  from: Party.nullable().describe('The agent that asked; null if none did.'),
  said: z
    .string()
    .nullable()
    .describe(
      `The agent's own words: at most ${MAX_SAID_CHARS} characters in view, 200 in overview unless you ask for the whole text. Null if the agent said nothing.`,
    ),
});

export type OwnerWait = z.output<typeof OwnerWaitView>;

type Named = Pick<OwnerWait, 'kind' | 'record' | 'operation' | 'text' | 'since'>;

/**
 * Makes a task that waits for the owner. Unless `more` says otherwise, the task blocks, and contains no words of an
 * agent.
 */
export const waitOf = (named: Named, more: Partial<OwnerWait> = {}): OwnerWait => ({
  wait_id: `${named.kind}:${named.record.id}`,
  ...named,
  payload: {},
  blocking: true,
  from: null,
  said: null,
  ...more,
});

/** The role that caused a task, and what this role wrote. `from` is null for the service, which writes no texts. */
export const saidBy = (actor: Actor, said: string | null): Pick<OwnerWait, 'from' | 'said'> => ({
  from: isRole(actor) ? actor : null,
  said: said === null ? null : firstWords(said, MAX_SAID_CHARS),
});

const isRole = (actor: Actor): actor is Role => actor !== 'system';

/**
 * What the owner should know before reading the latest revision, such as
 * `46 kB; 2 revisions since you read r_1; 1 open caveat`. The number of read sections is left out, because the state does
 * not contain the contract; the brief has this number.
 */
export function revisionFacts(state: SessionState, latest: Revision): string {
  const caveats = openCaveats(state.findings).length;
  return [sizeText(latest), ...readTexts(state, latest), ...(caveats > 0 ? [plural(caveats, 'open caveat')] : [])].join(
    '; ',
  );
}

const sizeText = ({ bytes }: Revision): string =>
  bytes < 1_000 ? plural(bytes, 'byte') : `${Math.round(bytes / 1_000)} kB`;

/** What the owner has read before the latest revision. Empty if the owner has read a section of the latest revision. */
function readTexts(state: SessionState, latest: Revision): string[] {
  if ((lookUp(state.reading, latest.revision_id)?.length ?? 0) > 0) return [];
  const since = lookUp(state.contract.revisions, lastReadBefore(state.reading, latest.revision_id) ?? '');
  if (!since) return ['you have read no section'];
  const { revision_id } = since;
  const verb = lookUp(state.reading, revision_id)?.length === 0 ? 'approved' : 'read';
  return [`${plural(revisionsBetween(state, since, latest).length, 'revision')} since you ${verb} ${revision_id}`];
}

const DEFECT_IDS = /\bdef_[1-9]\d{0,8}\b/g;

/** A defect, a builder, and the latest intervention of the owner to this builder whose text names the defect. */
interface NamedDefect {
  readonly defectId: string;
  readonly target: Builder;
  readonly intervention: Intervention;
}

/**
 * The tasks to read the answers about open defects. A defect has this task if its assignee has answered the owner's
 * latest question that names the defect. The task ends with the owner's decision about the defect, with a later question
 * or directive to the assignee that names the defect, and when the defect is marked as fixed. The answer may dispute the
 * assignment; the service does not interpret the answer. The task never blocks.
 */
export function answerWaits(state: SessionState): OwnerWait[] {
  if (state.verify.defects.size === 0) return [];
  return lastNaming(state.interventions).flatMap(({ defectId, target, intervention }) => {
    const defect = lookUp(state.verify.defects, defectId);
    if (defect?.status !== 'OPEN' || defect.assigned_to !== target || intervention.type !== 'QUESTION') return [];
    const { status, text, at, seq } = intervention.responses[target] ?? {};
    const isNew = (seq ?? 0) > Math.max(defect.failed_seq, defect.reassigned?.at(-1)?.message_id ?? 0);
    return status === 'ANSWERED' && isNew ? [answerWait(defect, intervention, { text: text ?? '', at: at ?? '' })] : [];
  });
}

function answerWait(
  { defect_id: id, assigned_to: by }: Defect,
  { intervention_id, responses }: Intervention,
  answer: { readonly text: string; readonly at: string },
): OwnerWait {
  const role = otherBuilder(by);
  const record = { type: 'defect', id };
  const text = `${by}, which has to fix ${id}, answered ${intervention_id}: read the answer, then assign ${id} to ${role}, waive it, or direct ${by} to fix ${id}.`;
  return waitOf(
    { kind: 'ANSWER', record, operation: 'reassignDefect', text, since: answer.at },
    {
      payload: { defect_id: id, role },
      blocking: false,
      ...saidBy(by, bothAnswers(answer.text, role, responses[role]?.text)),
    },
  );
}

/** The answer of the assignee, then the answer of the other builder if the owner asked both and it has answered. */
const bothAnswers = (answer: string, other: Builder, otherAnswer: string | null | undefined): string =>
  otherAnswer
    ? [answer, `${other} answers: ${otherAnswer}`].map((side) => firstWords(side, MAX_SIDE_CHARS)).join('\n\n')
    : answer;

/** For each defect and builder: the latest intervention of the owner to this builder that names the defect. */
const lastNaming = memoizeBy(({ all }: Interventions): readonly NamedDefect[] => {
  const last = new Map<string, NamedDefect>();
  for (const intervention of valuesOf(all))
    for (const defectId of defectsIn(intervention))
      for (const target of intervention.targets) last.set(`${defectId} ${target}`, { defectId, target, intervention });
  return [...last.values()];
});

/** Ids of the defects that an intervention of the owner names. Empty for an intervention of the moderator. */
const defectsIn = memoizeBy(
  ({ from, text }: Intervention): readonly string[] => (from === 'owner' && text?.match(DEFECT_IDS)) || [],
);

/**
 * The stale passes that the owner can carry over, in the order of the contract. They do not block: the agents can run
 * the scenarios again.
 */
export const carryWaits = (state: SessionState): OwnerWait[] =>
  scenariosOf(state).flatMap((scenario) => {
    const stale = stalePassOf(state, scenario);
    if (!stale || stale.silent.length > 0) return [];
    const { id, executor } = scenario.test;
    const compare = stale.changes.length > 0 ? 'compare them with git, then carry' : 'carry';
    const text = `${staleWords(id, stale)}: ${compare} the pass over, or let ${executor} run the scenario again.`;
    const since = scenario.record.outcome_at ?? state.times.clearedAt;
    return [
      waitOf(
        { kind: 'CARRY', record: { type: 'scenario', id }, operation: 'carryPass', text, since },
        { payload: { scenario_id: id }, blocking: false },
      ),
    ];
  });

/**
 * The tasks for disputes of the agents that the owner can end: a rejected blocking finding that its raiser has not
 * closed although it has written something since the last response, and an open defect whose assignee says in a finding
 * that the other builder must fix it. The agents can end most disputes themselves, so a task blocks only if each
 * rejected finding is such a dispute and the builders have no other calls than those about disputes.
 * @param others the owner's other tasks; their records get no second task
 */
export function disputeWaits(state: SessionState, others: readonly OwnerWait[]): OwnerWait[] {
  if (state.findings.open.length === 0) return [];
  const defects = defectDisputes(state);
  const left = new Set([...others.map(({ record }) => record.id), ...defects.map(({ finding }) => finding.finding_id)]);
  const rejected = openBlockingFindings(state.findings).flatMap((finding) => {
    const rejection = left.has(finding.finding_id) ? undefined : rejectionOf(finding);
    return rejection && closerOf(state, finding) !== 'owner' ? [{ finding, rejection }] : [];
  });
  const findings = rejected.filter(({ finding }) => isLeftOpen(state, finding));
  if (findings.length === 0 && defects.length === 0) return [];
  const blocking =
    findings.length === rejected.length &&
    isAllElseDone(
      state,
      new Set([
        ...[...findings, ...defects].map(({ finding }) => finding.finding_id),
        ...defects.map(({ defect }) => defect.defect_id),
      ]),
    );
  return [
    ...findings.map((dispute) => findingWait(dispute, blocking)),
    ...oldestOfEach(defects).map((dispute) => defectWait(dispute, blocking)),
  ];
}

/**
 * Whether the agent that raised an open finding has written something since the last response. Until then, its next
 * call may close the finding.
 */
const isLeftOpen = ({ times }: SessionState, { raised_by, response, raised_at }: Finding): boolean =>
  (times.wroteAt[raised_by] ?? '') > (response?.responded_at ?? raised_at);

/** Of several findings that dispute the same defect, only the oldest one. */
const oldestOfEach = (disputes: readonly DefectDispute[]): DefectDispute[] =>
  disputes.filter(({ defect }, index) => disputes.findIndex((other) => other.defect === defect) === index);

interface Rejected {
  readonly finding: Finding;
  readonly rejection: FindingResponse;
}

function findingWait({ finding, rejection }: Rejected, blocking: boolean): OwnerWait {
  const { finding_id: id, raised_by } = finding;
  const record = { type: 'finding', id };
  const text = `${rejection.by} rejected finding ${id}, and ${raised_by} has not closed it: read both sides, then override the finding, or direct the agents.`;
  return waitOf(
    { kind: 'DISPUTE', record, operation: 'overrideFinding', text, since: rejection.responded_at },
    { payload: { finding_id: id }, blocking, ...saidByBoth(finding) },
  );
}

function defectWait({ defect, finding }: DefectDispute, blocking: boolean): OwnerWait {
  const { defect_id: id, assigned_to } = defect;
  const record = { type: 'defect', id };
  const role = otherBuilder(assigned_to);
  const text = `${assigned_to} says in ${finding.finding_id} that ${role} has to fix ${id}: assign it to ${role}, waive it, or override ${finding.finding_id}.`;
  return waitOf(
    { kind: 'DISPUTE', record, operation: 'reassignDefect', text, since: finding.raised_at },
    { payload: { defect_id: id, role }, blocking, ...saidByBoth(finding) },
  );
}

/** The text of a finding, then the answers to it. */
export function saidByBoth({ raised_by, text, response, other_response }: Finding): Pick<OwnerWait, 'from' | 'said'> {
  const answers = [other_response, response].flatMap((given) => (given ? [answerText(given)] : []));
  if (answers.length === 0) return saidBy(raised_by, text);
  return saidBy(raised_by, [text ?? '', ...answers].map((side) => firstWords(side, MAX_SIDE_CHARS)).join('\n\n'));
}

const answerText = ({ by, decision, response }: FindingResponse): string =>
  `${by} ${decision === 'REJECT' ? 'rejects' : 'accepts'}: ${response ?? ''}`;

/** Whether each call that a builder of the ACTIVE session can make is about one of these findings or defects. */
function isAllElseDone(state: SessionState, disputed: ReadonlySet<string>): boolean {
  if (state.profile.status !== 'ACTIVE') return false;
  return BUILDERS.every((builder) => callsDue(state, builder).every(({ record }) => disputed.has(record.id)));
}

/**
 * The owner's tasks about quotas of which at least four fifths are used. The owner is informed while the agent can
 * still write.
 */
export const quotaWaits = (state: SessionState): OwnerWait[] =>
  AGENTS.flatMap((role) => scarceQuotas(state, role)).map((use) => waitFor(state, use));

function waitFor(state: SessionState, use: QuotaUse): OwnerWait {
  const { role, quota } = use;
  const kind = isUsedUp(use) ? 'QUOTA_EXHAUSTED' : 'QUOTA_LOW';
  const blocking = isUsedUp(use) && isNeeded(state, use);
  const id = `${role}/${quota}`;
  const { operation, payload, advice } = settlementOf(state, use, blocking);
  const record = { type: 'quota', id };
  const text = `${role} has used ${shareOf(use)}${isUsedUp(use) ? consequenceOf(use) : ''}: ${advice}`;
  return waitOf(
    { kind, record, operation, text, since: state.quotas.scarceSince[role][quota] ?? state.at },
    { payload, blocking },
  );
}

/** Whether the session cannot continue without the writes that the used-up quota refuses. */
function isNeeded(state: SessionState, { role, quota }: QuotaUse): boolean {
  if (!isBuilder(role)) return stopsWrites(quota) && stoppingTasks(state).some(({ due_to }) => due_to === role);
  return stopsWrites(quota) || (quota === 'revisions' && owesRevision(state, role));
}

const consequenceOf = ({ quota }: QuotaUse): string => (stopsWrites(quota) ? ', and all its writes are refused' : '');

type Settlement = Pick<OwnerWait, 'operation' | 'payload'> & { readonly advice: string };

function settlementOf(state: SessionState, use: QuotaUse, isBlocking: boolean): Settlement {
  const { role, quota, limit, most } = use;
  if (limit < most) {
    return { operation: 'raiseQuota', payload: { role, quota }, advice: 'raise the quota if the work needs more.' };
  }
  if (!isBlocking) return { operation: 'view', payload: {}, advice: 'the quota cannot be raised further.' };
  if (!isBuilder(role)) {
    const advice = 'the quota cannot be raised further; stop the moderator and settle its open records yourself.';
    return { operation: 'stopModerator', payload: {}, advice };
  }
  const candidate = otherBuilder(role);
  if (quota === 'revisions' && canRevise(state, candidate)) {
    const advice = `the quota cannot be raised further; appoint ${candidate} as Contract Author, or end the session.`;
    return { operation: 'appointAuthor', payload: { candidate }, advice };
  }
  const advice = 'the quota cannot be raised further; end the session.';
  return { operation: 'end', payload: { end_reason: 'CANCELLED' }, advice };
}

const canRevise = (state: SessionState, role: QuotaUse['role']): boolean =>
  !isStopped(state, role) && !isUsedUp(quotaUseOf(state, role, 'revisions'));

/**
 * The tasks that say what a step waits for that the owner refused, and whose move it is. They do not block, because the
 * agents can fix the defect. A defect that another task names is left out.
 */
export function refusalWaits(state: SessionState, others: readonly OwnerWait[]): OwnerWait[] {
  const named = new Set(others.flatMap(({ record }) => (record.type === 'defect' ? [record.id] : [])));
  return standingDefects(state).flatMap((defect) => {
    const { defect_id: id, scenario_id, assigned_to, refusal, status, fixed_by, opened_at: since } = defect;
    if (!refusal || named.has(id)) return [];
    const move =
      status === 'FIXED' && fixed_by
        ? `${fixed_by} has fixed it on a new commit, and ${scenario_id} has to pass again`
        : `${assigned_to} has to fix it on a new commit, then ${scenario_id} has to pass again`;
    const text = `You refused the ${refusal.stage} for ${id}: ${move}. Wait, or waive ${id} if you refuse no longer.`;
    const record = { type: 'defect', id };
    return [
      waitOf(
        { kind: 'BLOCKER', record, operation: 'waiveDefect', text, since },
        { payload: { defect_id: id }, blocking: false },
      ),
    ];
  });
}

/** The defects of the manifest in force for which the owner refused a step and which were fixed since. */
export const metRefusals = (state: SessionState): Defect[] =>
  valuesOf(state.verify.defects).filter(
    ({ status, refusal, scenario_id, attempt }) =>
      status === 'CLOSED' &&
      refusal !== undefined &&
      scenariosOf(state).some(
        ({ test, record }) => test.id === scenario_id && record.attempts.some((one) => one.attempt === attempt),
      ),
  );

/**
 * The task to add rounds, if no turns are left in PLANNING. It blocks only if no builder has a step, because builders
 * can accept decisions and elect an author without turns. During a pause, the task blocks if no
 * builder will have a step after the pause.
 */
export function* roundsWaits(state: SessionState): Generator<OwnerWait> {
  const { sessionId: id, profile, times } = state;
  if (hasTurnsLeft(state)) return;
  const record = { type: 'session', id };
  const running: SessionState = { ...state, profile: { ...profile, status: 'ACTIVE' } };
  const blocking = BUILDERS.every((builder) => isWaiting(nextTask(running, builder)));
  const since = times.turnAt ?? times.startedAt ?? times.statusAt;
  const ended = profile.round_limit === 1 ? 'The only round is used' : `All ${profile.round_limit} rounds are used`;
  const used = `${ended}, and no Contract Author is elected`;
  const rounds = Math.min(ADDED_ROUNDS, MAX_ROUNDS - profile.round_limit);
  if (rounds > 0) {
    const text = `${used}: add rounds, appoint the author, or let the agents elect one.`;
    yield waitOf(
      { kind: 'ROUNDS_USED', record, operation: 'extendRounds', text, since },
      { payload: { rounds }, blocking },
    );
  } else {
    const text = `${used}: appoint the author, or let the agents elect one.`;
    const payload = { candidate: profile.first_turn };
    yield waitOf({ kind: 'ROUNDS_USED', record, operation: 'appointAuthor', text, since }, { payload, blocking });
  }
}

/** The task to start a draft. Its text says first which agents the owner has to invite, and which have a code. */
export const startWait = ({ access, profile, sessionId }: SessionState): OwnerWait =>
  waitOf({
    kind: 'START',
    record: { type: 'session', id: sessionId },
    operation: 'start',
    text: startText(access),
    since: profile.created_at,
  });

function startText(access: AccessState): string {
  const absent = BUILDERS.filter((role) => {
    const token = currentTokenOf(access, role);
    return !token || token.revoked_at !== null;
  });
  if (absent.length === 0) return 'Both agents have joined: start the session.';
  const have = absent.length === 1 ? 'has' : 'have';
  return `${absent.join(' and ')} ${have} not joined: ${invitingText(absent, access)}, then start the session.`;
}

function invitingText(absent: readonly Builder[], { openCode }: AccessState): string {
  const invited = absent.filter((role) => openCode[role] !== undefined);
  const [one] = invited;
  if (one === undefined) return `invite ${absent.length === 1 ? 'it' : 'them'}`;
  if (absent.length === 1) return 'send it its invitation code';
  if (invited.length === absent.length) return 'send them their invitation codes';
  return `invite ${absent.filter((role) => role !== one).join()}, send ${one} its invitation code`;
}
