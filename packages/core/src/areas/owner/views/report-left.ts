import { plural } from '../../../kernel/counted.ts';
import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder } from '../../../kernel/roles.ts';
import { taskKey } from '../../actions/build-progress.ts';
import { openFindings } from '../../findings/rules.ts';
import { activeHolds } from '../../holds/rules.ts';
import { named } from '../../listing.ts';
import type { ReportedEntry, ReportedLeft, ReportFacts } from '../../rendering/report/facts.ts';
import { moversOf } from '../../session/movers.ts';
import { viewDuties } from '../../session/owner-waits/duties.ts';
import { ownerWaits } from '../../session/owner-waits/owner-waits.ts';
import type { SessionState } from '../../state.ts';
import { scenariosOf, standingDefects } from '../../verify/scenarios/scenarios.ts';
import { namesIn, namesOf } from './report-names.ts';
import { ownerTasks } from './report-owner.ts';

/** What is not done yet, by kind of record. */
export const leftIn = (state: SessionState, rollout: ReportFacts['rollout']): ReportedLeft[] => [
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
function rolloutLeft(rollout: ReportFacts['rollout']): ReportedEntry[] {
  const stages = stagesLeft(rollout);
  const steps = rollout?.steps.length ?? 0;
  if (stages.length === 0 || steps === 0) return stages;
  const what = `Rollout of ${plural(steps, 'step')}, which the reports do not confirm`;
  return [...stages, { what, text: 'see Deployment and activation' }];
}

/** The stages that are not authorized, and the missing reports on the others. */
const stagesLeft = (rollout: ReportFacts['rollout']): ReportedEntry[] =>
  (rollout?.stages ?? []).flatMap(({ stage, isAuthorized, gates, reports }) => {
    const missing = reports.filter(({ note }) => note === null).map(({ by }) => by);
    if (isAuthorized && missing.length === 0) return [];
    const state = isAuthorized ? `no report of ${missing.join(' and ')}` : 'not authorized';
    const what = `${stage === 'deployment' ? 'Deployment' : 'Activation'}, ${state}`;
    return [{ what, text: gates.length > 0 ? `its gates are ${named(gates.map(({ id }) => id))}` : '' }];
  });
