import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { BUILDERS, partyWords } from '../../../kernel/roles.ts';
import { viewAllApprovals } from '../../approvals/schemas.ts';
import { statusOfLatest } from '../../blockers/revision-status.ts';
import type { ReportFacts } from '../../rendering/report/facts.ts';
import { moversOf } from '../../session/movers.ts';
import type { SessionState } from '../../state.ts';
import { verifyEvents } from '../../verify/events.ts';
import type { Attempt } from '../../verify/record.ts';
import { testsOfRequirement } from '../../verify/scenarios/requirement-tests.ts';
import { passOf, type Scenario, scenariosOf } from '../../verify/scenarios/scenarios.ts';
import { leftIn } from './report-left.ts';
import { moderatorEntries, moderatorSeqs } from './report-moderator.ts';
import { namesIn } from './report-names.ts';
import { ownerEntries, ownerSeqs } from './report-owner.ts';
import { approvedContract, gateReportSeqs, type RolloutSources, rolloutOf } from './report-rollout.ts';

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
export function reportFacts(state: SessionState, { ended, ...sources }: ReportSources): ReportFacts {
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
    createdAt: profile.created_at,
    lastAt: at,
    left: leftIn(state, rollout),
    guardrails: profile.guardrails,
    people: peopleOf(state),
    requirements: requirementsOf(state, loaded),
    decisions: valuesOf(state.decisions.all).filter(({ status }) => status === 'RESOLVED'),
    defects: defectsOf(state),
    deviations,
    carried: carriedOf(state),
    owner: ownerEntries(state, loaded),
    moderator: moderatorEntries(state, loaded),
    rollout,
    overridden: valuesOf(state.findings.all).filter(({ status }) => status === 'OVERRIDDEN'),
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

function peopleOf(state: SessionState): ReportFacts['people'] {
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

function requirementsOf(state: SessionState, loaded: ReportSources['loaded']): ReportFacts['requirements'] {
  const scenarios = new Map(scenariosOf(state).map((scenario) => [scenario.test.id, scenario]));
  return state.profile.requirements.map(({ requirement_id, text, acceptance_criteria: criteria = [] }) => {
    const mapped = testsOfRequirement(state, requirement_id);
    const isProven = mapped.length > 0 && mapped.every(({ id }) => scenarios.get(id)?.status === 'PASSED');
    const tests = mapped.map(({ id, title }) => ({ id, title, ...testResultOf(state, scenarios.get(id), loaded) }));
    return { id: requirement_id, text, criteria, isProven, tests };
  });
}

type TestResult = Pick<ReportFacts['requirements'][number]['tests'][number], 'status' | 'evidence' | 'judge'>;

function testResultOf(
  state: SessionState,
  scenario: Scenario | undefined,
  loaded: ReportSources['loaded'],
): TestResult {
  const nameOf = namesIn(state);
  const over = scenario?.record.carried ? ', carried over from other commits' : '';
  const status = `${scenario?.status ?? 'not run'}${over}`;
  const pass = scenario && validPass(scenario);
  if (!pass) return { status, evidence: [], judge: '' };
  const evidence = pass.evidence.map(({ message_id, by, kind }) => {
    const stored = loaded.find(({ seq }) => seq === message_id);
    const claim = verifyEvents['evidence.submitted'].data.safeParse(stored?.data).data?.claim ?? '';
    return { by: nameOf(by), kind, claim };
  });
  return { status, evidence, judge: pass.verdict ? nameOf(pass.verdict.by) : '' };
}

const validPass = ({ status, record }: Scenario): Attempt | undefined =>
  status === 'PASSED' ? passOf(record) : undefined;

const carriedOf = (state: SessionState): ReportFacts['carried'] =>
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

function defectsOf(state: SessionState): ReportFacts['defects'] {
  const { defects, scenarios } = state.verify;
  const nameOf = namesIn(state);
  return valuesOf(defects).map((defect) => {
    const { scenario_id, attempt, assigned_to, refusal, reassigned = [] } = defect;
    const attempts = lookUp(scenarios, scenario_id)?.attempts ?? [];
    const failed = attempts.find((one) => one.attempt === attempt && !refusal);
    return {
      ...defect,
      assigned_to: nameOf(assigned_to),
      failure: failed?.verdict?.note ?? '',
      reassigned: reassigned.map(({ to, reason = '' }) => ({ to: nameOf(to), reason })),
    };
  });
}

const commitsOf = (state: SessionState): ReportFacts['commits'] =>
  BUILDERS.flatMap((role) => {
    const declared = state.verify.handshakes[role];
    return declared ? [{ name: namesIn(state)(role), service: declared.service, commit: declared.commit }] : [];
  });

/** The approved revision. If no revision is approved, the latest revision. */
function contractOf(state: SessionState): ReportFacts['contract'] {
  const { latest, revisions } = state.contract;
  const approved = state.manifest.current && lookUp(revisions, state.manifest.current.revision_id);
  const revision = approved ?? latest;
  if (!revision) return null;
  const status = approved ? 'APPROVED' : (statusOfLatest(state) ?? '');
  return { revision: revision.revision_id, hash: revision.content_hash, status };
}
