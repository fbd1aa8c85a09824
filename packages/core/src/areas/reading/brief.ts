import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { type BoundedLists, boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { hasModerator } from '../access/rules.ts';
import { actionEvents } from '../actions/events.ts';
import { reportAction } from '../actions/rules.ts';
import { RELEASE } from '../approvals/events.ts';
import { ApprovalsView, optionsOf, StepOptions, viewApprovals } from '../approvals/rules.ts';
import { lastStepOf } from '../approvals/state.ts';
import { storedData } from '../catalog.ts';
import type { Revision } from '../contract/state.ts';
import { wordDiff } from '../document/shown-changes.ts';
import {
  AgentRole,
  At,
  BuilderRole,
  DecisionId,
  DefectId,
  EvidenceLevelName,
  FindingId,
  LogHead,
  Party,
  RevisionId,
} from '../fields.ts';
import { activeHolds, CaveatView, findingSeqs, listOpenCaveats, viewWholeFinding } from '../findings/rules.ts';
import type { Finding } from '../findings/state.ts';
import { awaitedSince, viewRecommendation } from '../interventions/rules.ts';
import { RecommendationView } from '../interventions/state.ts';
import { LIST_COST, pageCall, pickOf } from '../listing.ts';
import { listOwnerReadiness, missingForBuild, OwnerReadinessView } from '../manifest/readiness.ts';
import { AgendaOpen, viewAgenda } from '../planning/rules.ts';
import { type Decision, latestOn } from '../planning/state.ts';
import { profileOf, termsOf } from '../profiles.ts';
import { viewModeratorReview } from '../reviews/rules.ts';
import { ModeratorReviewView } from '../reviews/state.ts';
import type { Phase } from '../session/state.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { certificationOf, Deviation, deviatingPasses, missingGates } from '../verify/certification.ts';
import { isStanding } from '../verify/defects.ts';
import { levelOfScenario, scenariosOf } from '../verify/scenarios.ts';
import { CarriedPassView, viewCarriedPass, viewDefect, viewHandshake } from '../verify/schemas.ts';
import { DefectView, HandshakeView } from '../verify/state.ts';
import { countsOf, revisionChanges } from './changes.ts';
import {
  BriefStage,
  type CitedDecision,
  type CitedDecisions,
  citedDecisions,
  countHeadings,
  GATE_FIELDS,
  listGates,
  listRequests,
  type Pair,
  REQUEST_FIELDS,
  readingOf,
  sectionsToRead,
} from './rules.ts';

/**
 * The members of a brief about decisions that changed since the owner last read the contract, and about findings that
 * were closed without being resolved.
 */
const CONTRACT_FIELDS = {
  decisions_added: z
    .array(
      z.strictObject({
        decision_id: DecisionId,
        topic: z.string(),
        status: z.string(),
        proposed_by: BuilderRole,
        supersedes: DecisionId.nullable().describe('The decision on its topic that the revision `since` cites.'),
        position: z
          .string()
          .optional()
          .describe('The decided position. Absent if since is null, or if `changes` shows its words.'),
        changes: z
          .string()
          .optional()
          .describe('Words that differ from the position of `supersedes`: [-removed-] {+added+}.'),
      }),
    )
    .describe(
      'Active decisions that were proposed after the revision `since`; if since is null, all active decisions.',
    ),
  decisions_superseded: z
    .array(z.strictObject({ decision_id: DecisionId, topic: z.string(), superseded_by: DecisionId }))
    .describe(
      'Decisions that the revision `since` cites and that were replaced; with the latest decision on the topic.',
    ),
  findings_put_aside: z
    .array(
      z.strictObject({
        finding_id: FindingId,
        status: z.enum(['OVERRIDDEN', 'WITHDRAWN']),
        raised_by: AgentRole,
        blocking: z.boolean(),
        by: Party.describe('Who overrode or withdrew the finding.'),
        reason: z
          .string()
          .nullable()
          .describe('Why the owner overrode the finding; null for a finding that was withdrawn.'),
        text: z
          .string()
          .nullable()
          .describe(
            'Null for a withdrawn finding if 20 findings with higher numbers were withdrawn too; the operation `records` shows its text.',
          ),
      }),
    )
    .describe('Findings that were closed without being resolved.'),
};
const PutAside = CONTRACT_FIELDS.findings_put_aside.element;
documented.add(PutAside, { id: 'FindingPutAside' });

/** Maximum number of withdrawn findings whose texts are read from the log. */
const MAX_READ = 20;

/**
 * The withdrawn findings that were raised last. Only the log contains the texts of withdrawn findings; the state does not
 * contain when they were withdrawn.
 */
const withdrawnFindings = ({ findings }: SessionState): readonly Finding[] =>
  valuesOf(findings.all)
    .filter(({ text }) => text === null)
    .slice(-MAX_READ);

/** Numbers of the events that contain the texts of withdrawn findings. */
export const putAsideSeqs = (state: SessionState): number[] => withdrawnFindings(state).flatMap(findingSeqs);

interface Sources {
  readonly since: Revision | null;
  /** The decisions that `since` cites. */
  readonly cited: CitedDecisions;
  /** The events with the numbers of `putAsideSeqs`. */
  readonly loaded: readonly LoggedEvent[];
}

function listContract(lists: BoundedLists, state: SessionState, { since, cited, loaded }: Sources) {
  const { decisions, findings } = state;
  const withdrawn = withdrawnFindings(state);
  const all = valuesOf(decisions.all);
  const isNewer = ({ text_seqs: [proposed = 0] }: Decision): boolean => proposed > (since?.seq ?? 0);
  const replaced = [...cited.values()].flatMap((decision) => {
    const by = latestOn(decisions, decision.topic);
    return by && by.decision_id !== decision.decision_id ? [{ decision, by }] : [];
  });
  const added = lists.list({
    records: all.filter((one) => isNewer(one) && (one.status === 'RESOLVED' || one.status === 'PROPOSED')),
    view: (decision) => {
      const before = cited.get(nameKey(decision.topic));
      return {
        decision_id: decision.decision_id,
        topic: decision.topic,
        status: decision.status,
        proposed_by: decision.proposed_by,
        supersedes: before?.decision_id ?? null,
        ...(since && viewRule(decision, before)),
      };
    },
    how: () => pageCall('records', 0, 'type: "decision"'),
  });
  const superseded = lists.list({
    records: replaced,
    view: ({ decision: { decision_id, topic }, by }) => ({
      decision_id,
      topic,
      superseded_by: by.decision_id,
    }),
    how: () => pageCall('records', 0, 'type: "decision"'),
  });
  const putAside = lists.list({
    records: valuesOf(findings.all).flatMap(
      (finding) =>
        viewPutAside(
          withdrawn.includes(finding) ? viewWholeFinding(state, finding, loaded).text : finding.text,
          finding,
        ) ?? [],
    ),
    view: (one) => one,
    how: () => pageCall('records', 0, 'type: "finding"'),
  });
  return () => ({
    decisions_added: added(),
    decisions_superseded: superseded(),
    findings_put_aside: putAside(),
  });
}

function viewRule({ position }: Decision, before: CitedDecision | undefined): { position?: string; changes?: string } {
  if (position === null) return {};
  return before?.position === undefined ? { position } : { changes: wordDiff(before.position, position) };
}

const pickPutAside = pickOf(PutAside);

function viewPutAside(text: string | null, { status, ...finding }: Finding) {
  if (status !== 'OVERRIDDEN' && status !== 'WITHDRAWN') return undefined;
  const by = status === 'OVERRIDDEN' ? ('owner' as const) : finding.raised_by;
  return pickPutAside({ ...finding, status, by, reason: finding.override_reason, text });
}

/** The moderator's review and recommendations, and since when its advice on the owner's step is expected. */
const ModeratorSay = namedObject('ModeratorSay', {
  takes_part: z.boolean().describe('Whether a moderator can act now.'),
  review: ModeratorReviewView.nullable().describe("The moderator's review of the latest revision."),
  open_advice: z.array(RecommendationView).describe('Recommendations that you have not answered, oldest first.'),
  last_advice: RecommendationView.nullable().describe("The moderator's latest recommendation, answered or not."),
  awaited_since: At.nullable().describe(
    "Time since which the moderator's advice on this step is expected; null if it has advised, cannot act or is not asked.",
  ),
});

function viewModeratorSay(state: SessionState, stage: BriefStage): z.output<typeof ModeratorSay> {
  const { recommendations, contract, moderatorReviews } = state;
  const review = lookUp(moderatorReviews, contract.latest?.revision_id ?? '');
  const advice = valuesOf(recommendations.all);
  const open = recommendations.open.flatMap((id) => lookUp(recommendations.all, id) ?? []);
  const last = advice.at(-1);
  return {
    takes_part: hasModerator(state),
    review: review ? viewModeratorReview(state)(review) : null,
    open_advice: open.map(viewRecommendation),
    last_advice: last ? viewRecommendation(last) : null,
    awaited_since: awaitedSince(state, stage),
  };
}

const NEXT_STAGE = {
  PLANNING: 'approval',
  CONTRACT: 'approval',
  READINESS: 'build',
  VERIFY: 'deployment',
  RELEASE: 'activation',
} as const;

export function nextStage(state: SessionState): BriefStage {
  const stage = NEXT_STAGE[state.profile.phase];
  return isOfRelease(stage) && termsOf(state).releasesAtOnce ? RELEASE : stage;
}

const isOfRelease = (stage: BriefStage): boolean => stage !== 'approval' && stage !== 'build';

const PHASES_OF: Readonly<Record<BriefStage, readonly Phase[]>> = {
  approval: ['CONTRACT'],
  build: ['READINESS'],
  deployment: ['VERIFY'],
  activation: ['RELEASE'],
  release: ['VERIFY', 'RELEASE'],
};

const MAX_MISSING = 20;

/**
 * The unmet conditions for the owner's step. The texts consist of codes and ids. Empty if the owner can take the step
 * now.
 */
function missingFor(state: SessionState, stage: BriefStage): string[] {
  const { phase, status } = state.profile;
  const phases = PHASES_OF[stage];
  const wrongPhase = phases.includes(phase) ? [] : [`The session is in ${phase}, not in ${phases.join(' or ')}.`];
  const wrongProfile =
    stage === RELEASE && !termsOf(state).releasesAtOnce
      ? [`The profile ${profileOf(state)} needs a deployment and an activation.`]
      : [];
  const wrongStatus = status === 'ACTIVE' || status === 'PAUSED' ? [] : [`The session is ${status}.`];
  return [...wrongStatus, ...wrongProfile, ...wrongPhase, ...conditionsOf(state, stage)].slice(0, MAX_MISSING);
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
  return [
    ...certificationOf(state).flatMap(({ check, ok, detail }) => (ok ? [] : [`${check}: ${detail}`])),
    ...(lastStepOf(stage) === 'activation' ? missingGates(state, 'activation') : []).map(
      ({ gate_id, missing }) => `Gate ${gate_id} is missing ${missing.join('; ')}.`,
    ),
  ];
}

/** The report of an agent on the gates, after the owner has authorized the deployment or the activation. */
const GateReport = namedObject('GateReport', {
  role: BuilderRole,
  reported: z.boolean().describe('Whether the agent has reported; you can take the step without the report.'),
  note: z.string().nullable().describe('What the agent saw, in its own words.'),
});

const PassLevel = namedObject('PassLevel', { scenario_id: z.string(), level: EvidenceLevelName });

const VERIFY_FIELDS = {
  handshakes: z
    .array(HandshakeView)
    .describe('What each side has declared about its running service, with its commit.'),
  levels: z
    .array(PassLevel)
    .describe('The evidence on which the pass of each scenario rests: claimed is what agents wrote.'),
  deviations: z.array(Deviation),
  carried: z.array(CarriedPassView),
  defects: z.array(DefectView).describe('Defects of the present manifest, also closed ones.'),
  defects_reassigned: z.array(DefectId).describe('Defects assigned to another builder than the contract names.'),
  gate_reports: z.array(GateReport).describe('For activation: what each agent saw at the gates after the deployment.'),
};

/** The values of `VERIFY_FIELDS` for a step that comes before the verification. */
const NO_VERIFY = {
  handshakes: [],
  levels: [],
  deviations: [],
  carried: [],
  defects: [],
  defects_reassigned: [],
  gate_reports: [],
};

/** Numbers of the stored events that contain the agents' reports on the gates. */
export const reportSeqs = (state: SessionState): number[] =>
  BUILDERS.flatMap((builder) => reportAction(state, builder)?.completed_seq ?? []);

const gateReports = (state: SessionState, loaded: readonly LoggedEvent[]) =>
  BUILDERS.flatMap((role): z.output<typeof GateReport>[] => {
    const action = reportAction(state, role);
    if (!action) return [];
    const { completed_seq } = action;
    if (completed_seq === undefined) return [{ role, reported: false, note: null }];
    const { note = null } = storedData(loaded, completed_seq, actionEvents['action.completed']);
    return [{ role, reported: true, note }];
  });

function listVerify(lists: BoundedLists, state: SessionState, loaded: readonly LoggedEvent[]) {
  const scenarios = scenariosOf(state);
  const responsibleFor = new Map(scenarios.map(({ test }) => [test.id, test.responsible]));
  const deviations = lists.list({
    records: deviatingPasses(state),
    view: (one) => one,
    how: () => 'Call board.',
  });
  const carried = lists.list({
    records: scenarios.flatMap(viewCarriedPass),
    view: (one) => one,
    how: () => 'Call board.',
  });
  const levels = lists.list({
    records: scenarios.flatMap((scenario) => {
      const level = levelOfScenario(scenario);
      return level ? [{ scenario_id: scenario.test.id, level }] : [];
    }),
    view: (one) => one,
    how: () => 'Call board.',
  });
  const all = valuesOf(state.verify.defects);
  const defects = lists.list({ records: all, view: viewDefect, isCurrent: isStanding, how: () => 'Call board.' });
  const reassigned = all.filter(
    ({ scenario_id, assigned_to }) => assigned_to !== (responsibleFor.get(scenario_id) ?? assigned_to),
  );
  const declared = BUILDERS.flatMap((builder) => state.verify.handshakes[builder] ?? []);
  return () => ({
    handshakes: declared.map(viewHandshake),
    levels: levels(),
    deviations: deviations(),
    carried: carried(),
    defects: defects(),
    defects_reassigned: reassigned.map(({ defect_id }) => defect_id),
    gate_reports: gateReports(state, loaded),
  });
}

export const BriefView = z.strictObject({
  stage: BriefStage,
  head: LogHead,
  approvals: ApprovalsView,
  options: StepOptions,
  missing: z
    .array(z.string())
    .describe(
      'Why the service would refuse the step now; empty if you can take it. The conditions of `gates` without `standing` are not checked.',
    ),
  revision_id: RevisionId.nullable().describe('The latest revision; null if there is none yet.'),
  content_hash: z.string().nullable(),
  title: z.string().nullable(),
  manifest_id: z.string().nullable(),
  manifest_sha256: z.string().nullable().describe('Null before an approval.'),
  since: RevisionId.nullable().describe(
    'The newest earlier revision that you approved or of which you read a section; after the approval, the approved one.',
  ),
  changes: z
    .array(z.strictObject({ section: z.string(), count: z.int() }))
    .describe('Number of changes in each section after the revision `since`; the operation `changes` shows them.'),
  unread: z
    .array(z.string())
    .describe('For the approval: sections of the latest revision whose present text you have not read.'),
  reading: z
    .strictObject({ read: z.int(), of: z.int() })
    .describe(
      'For the approval: `read` is the number of sections that you have read, `of` the number of all sections. `schema_version`, `title`, `summary`, `scope` and `fixture_version` count as one section, `risks` and `safety_conditions` too, and so do all members that the schema of the contract does not know.',
    ),
  agenda_open: AgendaOpen.optional(),
  ...REQUEST_FIELDS,
  ...CONTRACT_FIELDS,
  open_caveats: z.array(CaveatView).describe('Open caveats of the reviews that approve the latest revision.'),
  moderator: ModeratorSay,
  readiness: z
    .array(OwnerReadinessView)
    .describe(
      'For the build: the readiness reports, each answer, and whether the other builder has confirmed the answer.',
    ),
  ...GATE_FIELDS,
  ...VERIFY_FIELDS,
  ...LEFT_OUT,
});

/** The data that a brief needs besides the state. */
interface BriefSources {
  readonly pair: Pair | undefined;
  readonly document: ReadDocument;
  /** The events with the numbers of `reportSeqs`, `requestSeqs`, `putAsideSeqs` and `positionSeqs`. */
  readonly loaded: readonly LoggedEvent[];
}

/** Shows what an owner should know before a step. Lists that do not concern the step are empty. */
export function viewBrief(
  state: SessionState,
  stage: BriefStage,
  { pair, document, loaded }: BriefSources,
): z.output<typeof BriefView> {
  const { revision = null, since = null } = pair ?? {};
  const { current } = state.manifest;
  const sections = revision && stage === 'approval' ? sectionsToRead(state, document(revision.content_hash)) : [];
  const unread = sections.filter((section) => readingOf(state.reading, section) === undefined);
  const lists = boundedLists(LIST_COST);
  const requests = stage === 'approval' ? listRequests(lists, state, { pair, loaded }) : () => ({ requests: [] });
  const cited = citedDecisions(state, since, document, loaded);
  const contract = listContract(lists, state, { since, cited, loaded });
  const caveats = listOpenCaveats(lists, state);
  const readiness = stage === 'build' ? listOwnerReadiness(lists, state) : () => [];
  const gates = listGates(lists, state, {
    stage,
    text: revision && stage !== 'approval' ? document(revision.content_hash) : null,
  });
  const { agenda_open } = stage === 'approval' ? viewAgenda(state) : {};
  const verify = isOfRelease(stage) ? listVerify(lists, state, loaded) : () => NO_VERIFY;
  return {
    stage,
    head: { ...state.head },
    approvals: viewApprovals(state, stage),
    ...optionsOf(state, stage),
    missing: missingFor(state, stage),
    revision_id: revision?.revision_id ?? null,
    content_hash: revision?.content_hash ?? null,
    title: revision?.title ?? null,
    manifest_id: current?.manifest_id ?? null,
    manifest_sha256: current?.manifest_sha256 ?? null,
    since: since?.revision_id ?? null,
    changes: pair
      ? countsOf(revisionChanges(state, pair, document, loaded)).filter(
          ({ section }) => since !== null || sections.some((one) => one.section === section),
        )
      : [],
    unread: unread.map(({ section }) => section),
    reading: { read: countHeadings(sections) - countHeadings(unread), of: countHeadings(sections) },
    ...(agenda_open && { agenda_open }),
    ...requests(),
    ...contract(),
    open_caveats: caveats(),
    moderator: viewModeratorSay(state, stage),
    readiness: readiness(),
    ...gates(),
    ...verify(),
    ...lists.leftOut(),
  };
}
