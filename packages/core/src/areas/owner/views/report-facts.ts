import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { AGENTS, BUILDERS, isBuilder, type Role } from '../../../kernel/roles.ts';
import { STEPS } from '../../approvals/state.ts';
import { statusOfLatest } from '../../blockers/revision-status.ts';
import type { ReportFacts } from '../../rendering/report/report.ts';
import { moversOf } from '../../session/movers.ts';
import type { SessionState } from '../../state.ts';
import { testsOfRequirement } from '../../verify/scenarios/requirement-tests.ts';
import { passOf, type Scenario, scenariosOf } from '../../verify/scenarios/scenarios.ts';

interface Ended {
  readonly end_reason: string;
  readonly note?: string | undefined;
}

/**
 * Collects the facts for the report about a session.
 * @param ended undefined if the session has not ended
 */
export function reportFacts(state: SessionState, ended?: Ended): ReportFacts {
  const { sessionId, profile, approvals, head, at } = state;
  const deviations = scenariosOf(state).flatMap(({ test, record, status }) =>
    ((status === 'PASSED' ? passOf(record) : undefined)?.verdict?.deviations ?? []).map((text) => ({
      scenario: test.id,
      text,
    })),
  );
  return {
    sessionId,
    title: profile.title,
    objective: profile.objective,
    result: resultOf(state, ended),
    endNote: ended?.note ?? '',
    createdAt: profile.createdAt,
    lastAt: at,
    people: peopleOf(state),
    requirements: requirementsOf(state),
    decisions: valuesOf(state.decisions.all)
      .filter(({ status }) => status === 'RESOLVED')
      .map(({ decisionId, topic, position }) => ({ id: decisionId, topic, position: position ?? '' })),
    defects: valuesOf(state.verify.defects).map(({ defectId, scenarioId, status, assignedTo, fix, waiverReason }) => ({
      id: defectId,
      scenario: scenarioId,
      status,
      assignedTo,
      settledBy: fix?.note ?? waiverReason ?? '',
    })),
    deviations,
    overridden: valuesOf(state.findings.all)
      .filter(({ status }) => status === 'OVERRIDDEN')
      .map(({ findingId, text, overrideReason }) => ({
        id: findingId,
        text: text ?? '',
        reason: overrideReason ?? '',
      })),
    commits: commitsOf(state),
    contract: contractOf(state),
    approvals: STEPS.flatMap((stage) => {
      const names = approvals[stage].flatMap(({ person }) => person?.name ?? []);
      return names.length === 0 ? [] : [{ stage, names }];
    }),
    head: { seq: head.seq, hash: head.hash },
  };
}

function resultOf(state: SessionState, ended: Ended | undefined): string {
  const { status, phase } = state.profile;
  const { isActivationAuthorized, isDeploymentAuthorized } = state.manifest;
  const authorized = isActivationAuthorized
    ? ' Deployment and activation were authorized.'
    : isDeploymentAuthorized
      ? ' The deployment was authorized.'
      : '';
  if (status === 'ENDED') return `Ended as ${ended?.end_reason ?? 'ENDED'} in the phase ${phase}.${authorized}`;
  const movers = moversOf(state);
  const next = movers.length > 0 ? ` The next step is that of ${movers.map(partyOf).join(', ')}.` : '';
  return `Not finished: the session is ${status} in the phase ${phase}.${next}${authorized}`;
}

const partyOf = (role: Role): string => (isBuilder(role) ? role : `the ${role}`);

function peopleOf({ profile, access }: SessionState): ReportFacts['people'] {
  const { agents } = profile;
  const builders = BUILDERS.map((role) => ({ role, name: agents[role].name, repository: agents[role].repository }));
  const joined = new Set(AGENTS.filter((role) => access.currentToken[role] !== undefined));
  const moderator = { role: 'moderator', name: 'Moderator', repository: '' };
  const people = joined.has('moderator') ? [...builders, moderator] : builders;
  return people.map((person) => ({ ...person, name: person.name || person.role }));
}

function requirementsOf(state: SessionState): ReportFacts['requirements'] {
  const scenarios = new Map(scenariosOf(state).map((scenario) => [scenario.test.id, scenario]));
  return state.profile.requirements.map(({ requirement_id, text }) => {
    const mapped = testsOfRequirement(state, requirement_id);
    const isProven = mapped.length > 0 && mapped.every(({ id }) => scenarios.get(id)?.status === 'PASSED');
    const shown = mapped.map(({ id, title }) => ({ id, title, ...standingOf(scenarios.get(id)) }));
    return { id: requirement_id, text, isProven, tests: shown };
  });
}

function standingOf(scenario: Scenario | undefined): { status: string; evidence: string } {
  if (!scenario) return { status: 'not run', evidence: '' };
  const pass = scenario.status === 'PASSED' ? passOf(scenario.record) : undefined;
  if (!pass) return { status: scenario.status, evidence: '' };
  const counts = BUILDERS.map((role) => `${pass.evidence.filter(({ by }) => by === role).length} of ${role}`);
  const judge = pass.verdict ? `, judged by ${pass.verdict.by}` : '';
  return { status: scenario.status, evidence: `evidence: ${counts.join(', ')}${judge}` };
}

const commitsOf = ({ verify, profile }: SessionState): ReportFacts['commits'] =>
  BUILDERS.flatMap((role) => {
    const declared = verify.handshakes[role];
    return declared
      ? [{ name: profile.agents[role].name || role, service: declared.service, commit: declared.commit }]
      : [];
  });

/** The approved revision. If no revision is approved, the latest revision. */
function contractOf(state: SessionState): ReportFacts['contract'] {
  const { latest, revisions } = state.contract;
  const approved = state.manifest.current && lookUp(revisions, state.manifest.current.revision_id);
  const revision = approved ?? latest;
  if (!revision) return null;
  const status = approved ? 'APPROVED' : (statusOfLatest(state) ?? '');
  return { revision: revision.revisionId, hash: revision.contentHash, status };
}
