/**
 * The facts of the report, each computed from the state or from the texts of events. Texts of agents are unescaped. They are
 * one file, because they are one value: each function here computes a member of it, or names the events that a member needs.
 */

import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { type Actor, BUILDERS, type Builder, isBuilder, partyWords } from '../../kernel/roles.ts';
import { plural } from '../../kernel/text/readable.ts';
import { actionEvents } from '../actions/events.ts';
import { reportKey, taskKey } from '../actions/rules.ts';
import type { Action } from '../actions/state.ts';
import { viewAllApprovals } from '../approvals/rules.ts';
import { statusOfLatest } from '../blockers/rules.ts';
import { contractEvents } from '../contract/events.ts';
import type { Revision } from '../contract/state.ts';
import { Contract, GATE_STAGES } from '../document/contract.ts';
import { activeHolds, openFindings } from '../findings/rules.ts';
import type { Hold } from '../findings/state.ts';
import { recommendationEvents } from '../interventions/events.ts';
import type { Intervention, Recommendation } from '../interventions/state.ts';
import { named } from '../listing.ts';
import { manifestEvents } from '../manifest/events.ts';
import { leftOutOf, termsOf } from '../profiles.ts';
import type { ModeratorReview } from '../reviews/state.ts';
import { sessionEvents } from '../session/events.ts';
import { ownerWaits, viewDuties } from '../session/owner-waits/owner-waits.ts';
import { moversOf } from '../session/work.ts';
import type { SessionState } from '../state.ts';
import { gateStandings } from '../verify/certification.ts';
import { evidenceIn, levelOfItem } from '../verify/events.ts';
import {
  levelOfScenario,
  passOf,
  type Scenario,
  scenariosOf,
  standingDefects,
  testsOfRequirement,
} from '../verify/scenarios.ts';
import type { Attempt } from '../verify/state.ts';
import { followupsOf } from './followups.ts';

/** Returns the name of an actor. A builder without a name is called by its role. */
const namesIn =
  ({ profile: { agents } }: SessionState) =>
  (actor: Actor): string => {
    if (isBuilder(actor)) return agents[actor].name || actor;
    return actor === 'owner' ? 'the owner' : actor === 'moderator' ? 'Moderator' : 'the service';
  };

/** The names of several actors, joined with `and`. */
const namesOf = (state: SessionState, actors: readonly Actor[]): string => actors.map(namesIn(state)).join(' and ');

/** A record in a list of the report, with what others answered. */
export interface ReportedEntry {
  /** Id of the record. Absent if the record has no id. */
  readonly id?: string;
  /** The kind of the record and the names of who takes part, such as `Directive to Ada`. */
  readonly what: string;
  /** Absent if the time does not matter to the reader. */
  readonly at?: string;
  /** What its author wrote. Empty if the author wrote nothing. */
  readonly text: string;
  readonly answers?: readonly { readonly by: string; readonly text: string }[];
}

/** Maximum number of pauses and requests for changes that are read for a report, from the newest. */
const MAX_REASONS = 50;

/** An entry with the number of its event, by which the entries are ordered. */
interface Numbered {
  readonly seq: number;
  readonly entry: ReportedEntry;
}

/** Numbers of the stored events with texts of the owner. */
function ownerSeqs(state: SessionState): number[] {
  const notes = GATE_STAGES.flatMap((stage) => state.manifest.noteSeqs?.[stage] ?? []);
  const done = ownerTasks(state).flatMap(({ completed_seq }) => completed_seq ?? []);
  return [...state.times.reasonSeqs.slice(-MAX_REASONS), ...notes, ...done];
}

/** What the owner said and what was answered, oldest first. */
const ownerEntries = (state: SessionState, loaded: readonly LoggedEvent[]): ReportedEntry[] =>
  [
    ...valuesOf(state.interventions.all)
      .filter(({ from }) => from === 'owner')
      .map((one) => ({ seq: one.seq, entry: interventionEntry(state, one) })),
    ...answersToAgents(state),
    ...loaded.flatMap((event) => spokenEntry(state, event)),
    ...ownerTasks(state).map((task) => taskEntry(state, task, loaded)),
  ]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ entry }) => entry);

/** A question or directive with its answers. */
function interventionEntry(state: SessionState, intervention: Intervention): ReportedEntry {
  const { intervention_id: id, type, targets, text, opened_at, withdrawn, responses } = intervention;
  const what = `${type === 'DIRECTIVE' ? 'Directive' : 'Question'} to ${namesOf(state, targets)}`;
  const answers = targets.flatMap((target) => {
    const { status, text: answer } = responses[target] ?? {};
    const by = namesIn(state)(target);
    if (status === 'ANSWERED') return [{ by, text: answer ?? '' }];
    return withdrawn
      ? []
      : [{ by: `${by} ${status === 'ACKNOWLEDGED' ? 'acknowledged it' : 'did not answer'}`, text: '' }];
  });
  return { id, what: withdrawn ? `${what}, ${withdrawn}` : what, at: opened_at, text: text ?? '', answers };
}

const answersToAgents = (state: SessionState): Numbered[] =>
  valuesOf(state.questions.all).flatMap(({ question_id: id, to, from, text, asked_at: at, seq, answer }) => {
    if (to !== 'owner' || answer === null) return [];
    const what = `Question of ${namesIn(state)(from)}`;
    const answers = [{ by: 'Answer of the owner', text: answer }];
    return [{ seq, entry: { id, what, at, text, answers } }];
  });

/** The entry of a pause, of a request for changes or of a note on an authorization. Empty for any other event. */
function spokenEntry(state: SessionState, { kind, data, seq, at }: LoggedEvent): Numbered[] {
  switch (kind) {
    case 'session.paused': {
      const { reason } = sessionEvents['session.paused'].data.parse(data);
      return [{ seq, entry: { what: 'Pause', at, text: reason } }];
    }
    case 'changes.requested': {
      const { reason, revision_id } = contractEvents['changes.requested'].data.parse(data);
      const answers = [
        answerOf(valuesOf(state.contract.revisions).find(({ request_seqs }) => request_seqs.includes(seq))),
      ];
      return [{ seq, entry: { what: `Request for changes to ${revision_id}`, at, text: reason, answers } }];
    }
    case 'build.authorized':
    case 'deployment.authorized':
    case 'activation.authorized': {
      const { note } = manifestEvents[kind].data.parse(data);
      const what = `Note on the authorization of the ${kind.slice(0, kind.indexOf('.'))}`;
      return note ? [{ seq, entry: { what, at, text: note } }] : [];
    }
    default:
      return [];
  }
}

const answerOf = (revision: Revision | undefined): { by: string; text: string } =>
  revision
    ? { by: `${revision.revision_id} was submitted after this request`, text: revision.reason }
    : { by: 'No revision was submitted after this request', text: '' };

/** The actions that the owner assigned. */
const ownerTasks = ({ actions }: SessionState): Action[] =>
  valuesOf(actions.all).filter(({ type }) => type === 'OWNER_TASK');

function taskEntry(state: SessionState, task: Action, loaded: readonly LoggedEvent[]): Numbered {
  const { action_id: id, due_to, text, opened_at: at, status, completed_seq, opened_for: seq } = task;
  const by = namesIn(state)(due_to);
  const event = loaded.find((one) => one.seq === completed_seq);
  const note = actionEvents['action.completed'].data.safeParse(event?.data).data?.note ?? '';
  const answer = status === 'COMPLETED' ? { by: `Done by ${by}`, text: note } : { by: `Not done by ${by}`, text: '' };
  return { seq, entry: { id, what: `Task for ${by}`, at, text, answers: [answer] } };
}

/** What is not done yet, by kind of record. */
const leftIn = (state: SessionState, rollout: Rollout) => [
  { name: 'next steps', entries: nextSteps(state) },
  { name: 'open questions', entries: [...questionsLeft(state), ...interventionsLeft(state)] },
  { name: 'open decisions', entries: decisionsLeft(state) },
  { name: 'open findings', entries: findingsLeft(state) },
  { name: 'active holds', entries: holdsLeft(state) },
  { name: 'open tasks', entries: [...ownerTasksLeft(state), ...BUILDERS.flatMap((role) => tasksLeft(state, role))] },
  { name: 'open tests and defects', entries: [...testsLeft(state), ...defectsLeft(state)] },
  { name: 'steps of the contract and its rollout', entries: [...contractLeft(state), ...rolloutLeft(rollout)] },
];

/** The tasks of the owner, and what each agent has to do next. Empty after the end. */
const nextSteps = (state: SessionState): ReportedEntry[] => [
  ...ownerWaits(state).map(({ text }) => ({ what: 'Next step of the owner', text })),
  ...viewDuties(state, moversOf(state)).map(({ role, text }) => ({
    what: `Next step of ${namesIn(state)(role)}`,
    text,
  })),
];

const questionsLeft = (state: SessionState): ReportedEntry[] =>
  state.questions.open.flatMap((id) => {
    const question = lookUp(state.questions.all, id);
    if (!question) return [];
    const { from, to, blocking, text } = question;
    const nameOf = namesIn(state);
    return [{ id, what: `Open question of ${nameOf(from)} to ${nameOf(to)}${blocking ? ', blocking' : ''}`, text }];
  });

/** The questions of the owner and the moderator without an answer, and the directives without an acknowledgement. */
const interventionsLeft = (state: SessionState): ReportedEntry[] =>
  state.interventions.standing.flatMap((id) => {
    const intervention = lookUp(state.interventions.all, id);
    if (!intervention) return [];
    const { from, type, targets, responses, text } = intervention;
    const isDirective = type === 'DIRECTIVE';
    const missing = targets.filter((target) =>
      isDirective ? responses[target]?.status === 'OPEN' : responses[target]?.status !== 'ANSWERED',
    );
    if (missing.length === 0) return [];
    const without = `not ${isDirective ? 'acknowledged' : 'answered'} by ${namesOf(state, missing)}`;
    const what = `${isDirective ? 'Directive' : 'Question'} of ${namesIn(state)(from)}, ${without}`;
    return [{ id, what, text: text ?? '' }];
  });

const decisionsLeft = (state: SessionState): ReportedEntry[] =>
  state.decisions.open.flatMap((id) => {
    const decision = lookUp(state.decisions.all, id);
    if (!decision) return [];
    return [
      { id, what: `Decision proposed by ${namesIn(state)(decision.proposed_by)}, not resolved`, text: decision.topic },
    ];
  });

const findingsLeft = (state: SessionState): ReportedEntry[] =>
  openFindings(state.findings).map(({ finding_id: id, raised_by, blocking, text, response }) => {
    const answers = response
      ? [{ by: `${namesIn(state)(response.by)}, ${response.decision}`, text: response.response ?? '' }]
      : [];
    const what = `Open finding of ${namesIn(state)(raised_by)}${blocking ? ', blocking' : ''}`;
    return { id, what, text: text ?? '', answers };
  });

const holdsLeft = ({ holds }: SessionState): ReportedEntry[] =>
  activeHolds(holds).map(({ hold_id: id, finding_id, reason: text }) => ({
    id,
    what: `Active hold on ${finding_id}`,
    text,
  }));

const ownerTasksLeft = (state: SessionState): ReportedEntry[] =>
  ownerTasks(state)
    .filter(({ status }) => status !== 'COMPLETED')
    .map(({ action_id: id, due_to, text }) => ({
      id,
      what: `Task of the owner for ${namesIn(state)(due_to)}, not done`,
      text,
    }));

/**
 * The tasks of the contract that a builder has not marked as done. Empty before the build is authorized, and for a
 * builder that has declared its commit without marking any task.
 */
function tasksLeft(state: SessionState, role: Builder): ReportedEntry[] {
  const { manifest, actions, contract, verify } = state;
  const { current, build_authorized } = manifest;
  if (!current || !build_authorized) return [];
  const own = (contract.outline?.tasks ?? []).filter(({ assignee }) => assignee === role);
  const done = new Set(
    valuesOf(actions.all).flatMap(({ settled_at, obligation }) => (settled_at && obligation ? [obligation] : [])),
  );
  const open = own.map(({ id }) => id).filter((id) => !done.has(taskKey(role, current.manifest_id, id)));
  if (open.length === 0 || (verify.handshakes[role] && open.length === own.length)) return [];
  return [{ what: `Tasks of the contract that ${namesIn(state)(role)} has not marked as done`, text: named(open) }];
}

const testsLeft = (state: SessionState): ReportedEntry[] => {
  const left = state.manifest.build_authorized ? scenariosOf(state).filter(({ status }) => status !== 'PASSED') : [];
  const text = named(left.map(({ test, status }) => `${test.id} ${status}`));
  return left.length === 0 ? [] : [{ what: 'Tests that have not passed', text }];
};

const defectsLeft = (state: SessionState): ReportedEntry[] =>
  standingDefects(state).map(({ defect_id: id, scenario_id, status, assigned_to }) => ({
    id,
    what: `Defect of ${scenario_id}, ${status}, assigned to ${namesIn(state)(assigned_to)}`,
    text: '',
  }));

/** The step from which the rest follows, as long as the contract is not approved or its build not authorized. */
function contractLeft({ contract: { latest }, manifest }: SessionState): ReportedEntry[] {
  if (!latest) return [{ what: 'No contract is written', text: '' }];
  if (!manifest.current) return [{ id: latest.revision_id, what: 'is not approved', text: '' }];
  return manifest.build_authorized ? [] : [{ what: 'The build is not authorized', text: '' }];
}

/** The stages that are not authorized or not reported by both builders, and then the rollout itself. */
function rolloutLeft(rollout: Rollout): ReportedEntry[] {
  const stages = stagesLeft(rollout);
  const steps = rollout?.steps.length ?? 0;
  if (stages.length === 0 || steps === 0) return stages;
  const what = `Rollout of ${plural(steps, 'step')}, which the reports do not confirm`;
  return [...stages, { what, text: 'see Deployment and activation' }];
}

/** The stages that are not authorized, and the missing reports on the others. */
const stagesLeft = (rollout: Rollout): ReportedEntry[] =>
  (rollout?.stages ?? []).flatMap(({ stage, isAuthorized, gates, reports }) => {
    const missing = reports.filter(({ note }) => note === null).map(({ by }) => by);
    if (isAuthorized && missing.length === 0) return [];
    const state = isAuthorized ? `no report of ${missing.join(' and ')}` : 'not authorized';
    const what = `${stage === 'deployment' ? 'Deployment' : 'Activation'}, ${state}`;
    return [{ what, text: gates.length > 0 ? `its gates are ${named(gates.map(({ id }) => id))}` : '' }];
  });

/** Maximum number of rejected recommendations whose texts are read for a report, from the newest. */
const MAX_READ = 50;

/** Numbers of the events with the recommendations whose texts the state does not contain. */
const moderatorSeqs = ({ recommendations }: SessionState): number[] =>
  valuesOf(recommendations.all)
    .flatMap(({ text, seq }) => (text === null ? [seq] : []))
    .slice(-MAX_READ);

/** Reviews, recommendations, holds and questions of the moderator, with what the owner or an agent answered. */
const moderatorEntries = (state: SessionState, loaded: readonly LoggedEvent[]): ReportedEntry[] =>
  [
    ...valuesOf(state.moderatorReviews).map(reviewEntry),
    ...valuesOf(state.recommendations.all).map((one) => recommendationEntry(one, loaded)),
    ...valuesOf(state.holds.all).map((hold) => holdEntry(state, hold)),
    ...valuesOf(state.interventions.all)
      .filter(({ from }) => from === 'moderator')
      .map((one) => interventionEntry(state, one)),
  ].toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''));

function reviewEntry({
  revision_id,
  verdict,
  summary,
  submitted_at,
  override_reason,
  overruled,
}: ModeratorReview): ReportedEntry {
  const answers = [
    ...(override_reason === null ? [] : [{ by: 'Overridden by the owner', text: override_reason }]),
    ...(overruled ? [{ by: 'The owner requested changes to this revision', text: '' }] : []),
  ];
  return { what: `Review of ${revision_id}, ${verdict}`, at: submitted_at, text: summary, answers };
}

function recommendationEntry(
  { recommendation_id: id, recommendation, text, made_at, seq, answer }: Recommendation,
  loaded: readonly LoggedEvent[],
): ReportedEntry {
  const stored = loaded.find((event) => event.seq === seq);
  const said = text ?? recommendationEvents['recommendation.made'].data.safeParse(stored?.data).data?.text ?? '';
  const answers = [
    answer
      ? { by: `Answer of the owner, ${answer.decision}`, text: answer.note ?? '' }
      : { by: 'The owner did not answer', text: '' },
  ];
  return { id, what: `Recommendation ${recommendation}`, at: made_at, text: said, answers };
}

function holdEntry(
  { findings }: SessionState,
  { hold_id: id, finding_id, reason, opened_at, released }: Hold,
): ReportedEntry {
  const finding = lookUp(findings.all, finding_id)?.text;
  const answers = [
    ...(finding ? [{ by: `Finding ${finding_id}`, text: finding }] : []),
    released
      ? { by: `Released, ${RELEASES[released.cause]}`, text: released.reason ?? '' }
      : { by: 'Still active', text: '' },
  ];
  return { id, what: `Hold on ${finding_id}`, at: opened_at, text: reason, answers };
}

const RELEASES = {
  MODERATOR: 'by the moderator',
  OWNER: 'by the owner',
  FINDING_CLOSED: 'because its finding was closed',
} as const;

const STAGES = ['deployment', 'activation'] as const;
type Stage = (typeof STAGES)[number];

interface RolloutSources {
  readonly loaded: readonly LoggedEvent[];
  readonly document: ReadDocument;
}

/** SHA-256 of the approved contract. Empty if no contract is approved. */
export const approvedHash = ({ manifest: { current } }: SessionState): string[] =>
  current ? [current.content_hash] : [];

/** Numbers of the stored events with the reports of the builders on the gates. */
const gateReportSeqs = (state: SessionState): number[] =>
  STAGES.flatMap((stage) => BUILDERS.flatMap((builder) => reportActions(state, builder, stage)))
    .filter(({ status }) => status === 'COMPLETED')
    .flatMap(({ completed_seq }) => completed_seq ?? []);

/** The approved contract. Null if no contract is approved, or if the approved contract violates the current schema. */
function approvedContract(state: SessionState, document: ReadDocument): Contract | null {
  const [hash] = approvedHash(state);
  return hash === undefined ? null : (Contract.safeParse(JSON.parse(document(hash))).data ?? null);
}

/** Collects the rollout of the approved contract. Null if no contract is approved. */
function rolloutOf(state: SessionState, contract: Contract | null, { loaded }: Pick<RolloutSources, 'loaded'>) {
  if (!state.manifest.current) return null;
  const isLeftOut = contract !== null && leftOutOf(contract, termsOf(state)).includes('rollout');
  const { steps = [], rollback = '' } = (isLeftOut ? undefined : contract?.rollout) ?? {};
  const stages = STAGES.map((stage) => ({
    stage,
    isAuthorized: isAuthorized(state, stage),
    gates: (contract?.gates ?? [])
      .filter((gate) => gate.stage === stage)
      .map((gate) => ({ ...gate, met: metBy(state, gate) })),
    reports: isAuthorized(state, stage)
      ? BUILDERS.flatMap((builder) => reportsOf(state, { builder, stage, loaded }))
      : [],
  }));
  return { steps, rollback, stages };
}

/** What met a gate that demands a run, or what is missing. Empty for other gates. */
function metBy(state: SessionState, { id }: Contract['gates'][number]): string {
  const gate = gateStandings(state).find(({ gate_id }) => gate_id === id);
  if (!gate) return '';
  const { level, run, message_id, missing } = gate;
  return level
    ? `met by a run of ${namesIn(state)(run.by)}, ${level}, message ${message_id}`
    : `missing: ${missing.join('; ')}`;
}

const isAuthorized = ({ manifest }: SessionState, stage: Stage): boolean =>
  stage === 'deployment' ? manifest.deployment_authorized : manifest.activation_authorized;

const reportActions = (state: SessionState, builder: Builder, stage: Stage): Action[] =>
  valuesOf(state.actions.all).filter(
    ({ type, obligation }) => type === 'REPORT_GATES' && obligation === reportKey(builder, state, stage),
  );

type Rollout = ReturnType<typeof rolloutOf>;

interface Reporter {
  readonly builder: Builder;
  readonly stage: Stage;
  readonly loaded: readonly LoggedEvent[];
}

/**
 * The reports of a builder on a stage. If the latest authorization of the stage has no report of the builder, the last
 * element has the note null, if the profile asks for reports.
 */
function reportsOf(state: SessionState, { builder, stage, loaded }: Reporter) {
  const by = namesIn(state)(builder);
  const reports = reportActions(state, builder, stage).map((action) => ({ by, at: '', ...reportIn(action, loaded) }));
  const isReported = reports.at(-1)?.note !== null && reports.length > 0;
  const given = reports.filter(({ note }) => note !== null);
  return isReported || !termsOf(state).asksGateReports ? given : [...given, { by, at: '', note: null }];
}

/** The report with which the builder completed the action. The note is null if the service closed the action. */
function reportIn({ action_id, completed_seq }: Action, loaded: readonly LoggedEvent[]) {
  const event = loaded.find(({ seq, kind }) => seq === completed_seq && kind === 'action.completed');
  const data = actionEvents['action.completed'].data.safeParse(event?.data).data;
  if (!event || data?.action_id !== action_id) return { note: null };
  return { at: event.at, note: data.note ?? '' };
}

interface Ended {
  readonly end_reason: string;
  /** The name of the person who ended the session. Absent if the call named no person. */
  readonly by?: string | undefined;
  readonly note?: string | undefined;
}

interface ReportSources extends RolloutSources {
  /** The reason and the note with which the owner ended the session. Undefined if the session has not ended. */
  readonly ended: Ended | undefined;
  /** The events with the numbers of `reportSeqs`. */
  readonly loaded: readonly LoggedEvent[];
}

/**
 * Maximum number of stored items of evidence that are read for a report. The report shows further items without their
 * claims.
 */
const MAX_CLAIMS = 300;

/** Numbers of the stored events whose texts the report shows. */
export const reportSeqs = (state: SessionState): number[] => [
  ...new Set([...claimSeqs(state), ...ownerSeqs(state), ...moderatorSeqs(state), ...gateReportSeqs(state)]),
];

/** Numbers of the stored events with the evidence of the valid passes. */
const claimSeqs = (state: SessionState): number[] =>
  scenariosOf(state)
    .flatMap((scenario) => validPass(scenario)?.evidence ?? [])
    .slice(0, MAX_CLAIMS)
    .map(({ message_id }) => message_id);

/** Collects the facts for the report about a session. */
export function reportFacts(state: SessionState, { ended, ...sources }: ReportSources) {
  const { loaded } = sources;
  const { sessionId, profile, head, at } = state;
  const contract = approvedContract(state, sources.document);
  const rollout = rolloutOf(state, contract, sources);
  const deviations = scenariosOf(state).flatMap((scenario) =>
    (validPass(scenario)?.verdict?.deviations ?? []).map((text) => ({ scenario: scenario.test.id, text })),
  );
  return {
    sessionId,
    title: profile.title,
    objective: profile.objective,
    result: resultOf(state, ended),
    isEnded: profile.status === 'ENDED',
    endedBy: ended?.by ?? 'the owner',
    endNote: ended?.note ?? '',
    source: profile.source,
    createdAt: profile.created_at,
    lastAt: at,
    left: leftIn(state, rollout),
    guardrails: profile.guardrails,
    people: peopleOf(state),
    requirements: requirementsOf(state, loaded),
    decisions: valuesOf(state.decisions.all)
      .filter(({ status }) => status === 'RESOLVED')
      .map(({ decision_id, topic, position }) => ({ decision_id, topic, position })),
    defects: defectsOf(state),
    deviations,
    followups: followupsOf(state)
      .filter(({ ofVerdict }) => !ofVerdict)
      .map(({ followup_id, kind, side, by, text }) => ({
        ...{ followup_id, kind, text },
        side: namesIn(state)(side),
        by: namesIn(state)(by),
      })),
    carried: carriedOf(state),
    owner: ownerEntries(state, loaded),
    moderator: moderatorEntries(state, loaded),
    rollout,
    overridden: valuesOf(state.findings.all)
      .filter(({ status }) => status === 'OVERRIDDEN')
      .map(({ finding_id, text, override_reason }) => ({ finding_id, text, override_reason })),
    commits: commitsOf(state),
    contract: contractOf(state),
    built: contract && {
      summary: contract.summary,
      inScope: contract.scope.in,
      outOfScope: contract.scope.out,
    },
    approvals: viewAllApprovals(state)
      .filter(({ given }) => given.length > 0)
      .map(({ stage, required, given }) => ({
        stage,
        required,
        given: given.map(({ person, at }) => ({ name: person?.name ?? 'the owner', at })),
      })),
    head: { seq: head.seq, hash: head.hash },
  };
}

function resultOf(state: SessionState, ended: Ended | undefined): string {
  const { status, phase } = state.profile;
  const { activation_authorized, deployment_authorized } = state.manifest;
  const authorized = activation_authorized
    ? ' Deployment and activation were authorized.'
    : deployment_authorized
      ? ' The deployment was authorized.'
      : '';
  if (status === 'ENDED') return `Ended as ${ended?.end_reason ?? 'ENDED'} in the phase ${phase}.${authorized}`;
  const movers = moversOf(state);
  const next = movers.length > 0 ? ` The next step is that of ${movers.map(partyWords).join(', ')}.` : '';
  return `Not finished: the session is ${status} in the phase ${phase}.${next}${authorized}`;
}

function peopleOf(state: SessionState) {
  const { profile, access } = state;
  const nameOf = namesIn(state);
  const builders = BUILDERS.map((role) => ({
    role,
    name: nameOf(role),
    repository: profile.agents[role].repository,
  }));
  const hasModerator = access.currentToken.moderator !== undefined;
  return hasModerator ? [...builders, { role: 'moderator', name: nameOf('moderator'), repository: '' }] : builders;
}

function requirementsOf(state: SessionState, loaded: ReportSources['loaded']) {
  const scenarios = new Map(scenariosOf(state).map((scenario) => [scenario.test.id, scenario]));
  return state.profile.requirements.map(({ requirement_id, text, acceptance_criteria: criteria = [] }) => {
    const mapped = testsOfRequirement(state, requirement_id);
    const isProven = mapped.length > 0 && mapped.every(({ id }) => scenarios.get(id)?.status === 'PASSED');
    const tests = mapped.map(({ id, title }) => ({ id, title, ...testResultOf(state, scenarios.get(id), loaded) }));
    const levels = mapped.flatMap(({ id }) => {
      const scenario = scenarios.get(id);
      return (isProven && scenario && levelOfScenario(scenario)) || [];
    });
    return { id: requirement_id, text, criteria, isProven, levels, tests };
  });
}

function testResultOf(state: SessionState, scenario: Scenario | undefined, loaded: ReportSources['loaded']) {
  const nameOf = namesIn(state);
  const over = scenario?.record.carried ? ', carried over from other commits' : '';
  const level = scenario && levelOfScenario(scenario);
  const status = `${scenario?.status ?? 'not run'}${over}${level ? ` on ${level} evidence` : ''}`;
  const pass = scenario && validPass(scenario);
  if (!pass) return { status, evidence: [], judge: '' };
  const evidence = pass.evidence.map(({ message_id, by, kind, run }) => {
    const stored = loaded.find(({ seq }) => seq === message_id);
    const claim = evidenceIn(stored)?.claim ?? '';
    return { by: nameOf(by), kind, level: levelOfItem({ run }), claim };
  });
  return { status, evidence, judge: pass.verdict ? nameOf(pass.verdict.by) : '' };
}

const validPass = ({ status, record }: Scenario): Attempt | undefined =>
  status === 'PASSED' ? passOf(record) : undefined;

const carriedOf = (state: SessionState) =>
  scenariosOf(state).flatMap(({ test, record }) => {
    if (!record.carried) return [];
    const { by, reason, commits, changes } = record.carried;
    return [
      {
        attempt: `${test.id}/${passOf(record)?.attempt}`,
        by: by === 'owner' ? 'the owner' : namesIn(state)(by),
        reason,
        changes: changes.map(({ declared_by, since, paths }) => ({
          by: namesIn(state)(declared_by),
          since,
          to: commits[declared_by],
          paths,
        })),
      },
    ];
  });

function defectsOf(state: SessionState) {
  const { defects, scenarios } = state.verify;
  const nameOf = namesIn(state);
  return valuesOf(defects).map((defect) => {
    const { defect_id, scenario_id, attempt, status, assigned_to, refusal, fix, waiver_reason } = defect;
    const attempts = lookUp(scenarios, scenario_id)?.attempts ?? [];
    const failed = attempts.find((one) => one.attempt === attempt && !refusal);
    return {
      ...{ defect_id, scenario_id, status, refusal, fix, waiver_reason },
      assigned_to: nameOf(assigned_to),
      failure: failed?.verdict?.note ?? '',
      reassigned: (defect.reassigned ?? []).map(({ to, reason = '' }) => ({ to: nameOf(to), reason })),
    };
  });
}

const commitsOf = (state: SessionState) =>
  BUILDERS.flatMap((role) => {
    const declared = state.verify.handshakes[role];
    return declared ? [{ name: namesIn(state)(role), service: declared.service, commit: declared.commit }] : [];
  });

/** The approved revision. If no revision is approved, the latest revision. */
function contractOf(state: SessionState) {
  const { latest, revisions } = state.contract;
  const approved = state.manifest.current && lookUp(revisions, state.manifest.current.revision_id);
  const revision = approved ?? latest;
  if (!revision) return null;
  const status = approved ? 'APPROVED' : (statusOfLatest(state) ?? '');
  return { revision: revision.revision_id, hash: revision.content_hash, status };
}

export type ReportFacts = ReturnType<typeof reportFacts>;
