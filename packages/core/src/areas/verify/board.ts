import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import {
  type BoundedLists,
  boundedLists,
  costOf,
  LEFT_OUT,
  type LeftOut,
} from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Role } from '../../kernel/roles.ts';
import { viewAttachment } from '../attachments/rules.ts';
import { MessageCursor, RevisionId, text } from '../fields.ts';
import { LIST_COST, pickOf } from '../listing.ts';
import { viewAuthorizations } from '../manifest/rules.ts';
import { AuthorizationsView } from '../manifest/state.ts';
import { code, codes, inline, NONE, stack, table } from '../rendering/markdown.ts';
import { PHASES } from '../session/events.ts';
import type { SessionState } from '../state.ts';
import { NextItemView, type Task } from '../task.ts';
import { certificationLevel, certificationOf, gateStandings } from './certification.ts';
import { isStanding } from './defects.ts';
import { evidenceIn, levelOfItem } from './events.ts';
import {
  evaluateEvidence,
  levelOf,
  levelOfScenario,
  levelsOfSides,
  passOf,
  type Scenario,
  scenarioOf,
  scenariosOf,
} from './scenarios.ts';
import {
  CertificationView,
  type FullScenario,
  nextSource,
  ScenarioView,
  viewDefect,
  viewEvaluation,
  viewHandshake,
  viewTest,
} from './schemas.ts';
import {
  type Attempt,
  type AttemptView,
  DefectView,
  type Evidence,
  EvidenceRef,
  type EvidenceView,
  type Handshake,
  HandshakeView,
} from './state.ts';

/** Maximum number of attempts shown for each scenario on a board with all scenarios. */
const SHOWN_ATTEMPTS = 5;
/** Maximum number of items of evidence shown for the latest attempt of each scenario on a board with all scenarios. */
const SHOWN_ITEMS = 20;

type ShownItem = z.output<typeof EvidenceView>;

const viewRef = pickOf(EvidenceRef);
const viewItem = (item: Evidence): ShownItem => ({ ...viewRef(item), level: levelOfItem(item) });

/** The items of evidence of an attempt that fit into the answer, and a note about the items that do not fit. */
interface ShownEvidence {
  readonly evidence: ShownItem[];
  readonly left_out?: LeftOut;
}

/**
 * The short view of a scenario that has passed without deviations, for an agent that reads the whole board. Undefined
 * for other scenarios.
 */
function viewPassed(scenario: Scenario): z.output<typeof ScenarioView> | undefined {
  const { test, status, record } = scenario;
  const pass = status === 'PASSED' ? passOf(record) : undefined;
  if (!pass || pass.verdict?.deviations) return undefined;
  const passed = { attempt: pass.attempt, evidence_count: pass.evidence.length };
  return {
    scenario_id: test.id,
    status,
    attempts: [],
    ...viewLevels(scenario),
    passed,
    ...viewCarried(record),
  };
}

/** A scenario on a board with all scenarios: its latest attempts, and the evidence of the last attempt only. */
function viewScenario(scenario: Scenario, tool: string): FullScenario {
  const { test, record } = scenario;
  const latest = record.attempts.at(-1);
  return viewWith(scenario, tool, record.attempts.slice(-SHOWN_ATTEMPTS), (attempt) =>
    attempt === latest ? latestItems(attempt, callFor(tool, test.id, attempt.attempt)) : { evidence: [] },
  );
}

/** The scenario that the call names: the requested attempt, and a page of its evidence in full. */
export function viewAsked(
  scenario: Scenario,
  asked: AskedAttempt,
  tool: string,
  loaded: readonly LoggedEvent[],
): FullScenario {
  const { attempt } = asked;
  const call = callFor(tool, scenario.test.id, attempt?.attempt ?? 1);
  const shown = scenario.record.attempts.slice(-SHOWN_ATTEMPTS);
  const attempts = attempt && !shown.includes(attempt) ? [attempt, ...shown.slice(1)] : shown;
  return viewWith(scenario, tool, attempts, (each) =>
    each === attempt ? evidencePage(asked.items, loaded, call) : { evidence: [] },
  );
}

/** The requested attempt, and its items of evidence whose event numbers are greater than `after` of the call. */
export interface AskedAttempt {
  /** Undefined if the scenario has no attempts. */
  readonly attempt: Attempt | undefined;
  readonly items: readonly Evidence[];
}

function askedAttempt(
  { test, record: { attempts } }: Scenario,
  { attempt: number, after = 0 }: { readonly attempt?: number | undefined; readonly after?: number | undefined },
): AskedAttempt {
  const attempt = number === undefined ? attempts.at(-1) : attempts.find((each) => each.attempt === number);
  const id = `${test.id}/${number}`;
  if (number !== undefined && !attempt)
    fail('UNKNOWN_RECORD', `There is no attempt ${id}.`, { record: { type: 'attempt', id } });
  return { attempt, items: (attempt?.evidence ?? []).filter(({ message_id }) => message_id > after) };
}

const callFor = (tool: string, id: string, attempt: number): string =>
  `Call ${tool} with scenario_id: "${id}" and attempt: ${attempt}`;

function viewWith(
  scenario: Scenario,
  tool: string,
  attempts: readonly Attempt[],
  evidenceOf: (attempt: Attempt) => ShownEvidence,
): FullScenario {
  const { test, status, record, waitsFor } = scenario;
  const waiting = status === 'WAITING' ? `Waits for ${waitsFor.join(', ')}.` : null;
  const left = record.attempts.length - attempts.length;
  return {
    scenario_id: test.id,
    title: test.title,
    status,
    reason: status === 'STALE' ? record.reason : waiting,
    ...viewCarried(record),
    ...viewLevels(scenario),
    ...viewTest(test),
    ...demandsOf(test),
    attempts: attempts.map((attempt) => viewAttempt(scenario, attempt, evidenceOf(attempt))),
    ...(left > 0 ? { left_out: { count: left, how: `${callFor(tool, test.id, 1)}, or another attempt number.` } } : {}),
  };
}

function viewAttempt(
  { test: { evidence_policy: policy }, attachments }: Scenario,
  { attempt, status, started_by, started_at, commits, evidence: items, verdict, reason }: Attempt,
  shown: ShownEvidence,
): z.output<typeof AttemptView> {
  const attached = attachments.filter((one) => one.attempt === attempt).map(viewAttachment);
  return {
    attempt,
    status,
    started_by,
    started_at,
    commits,
    evidence_count: items.length,
    evaluation: viewEvaluation(evaluateEvidence(items, policy)),
    level: levelOf(items, policy),
    verdict,
    reason,
    ...(attached.length > 0 && { attachments: attached }),
    ...shown,
  };
}

/** The members `level` and `levels` of a scenario. */
function viewLevels(scenario: Scenario) {
  const levels = levelsOfSides(scenario);
  return { level: levelOfScenario(scenario), ...(levels && { levels }) };
}

/** The member `demands` of a scenario. Empty unless the contract demands runs. */
function demandsOf({ evidence_policy: { level, per_agent_tests } = {} }: Scenario['test']) {
  const demands = { ...(level && { level }), ...(per_agent_tests && { per_agent_tests }) };
  return Object.keys(demands).length > 0 ? { demands } : {};
}

/** The member `carried` of a scenario. Empty unless its pass was carried over. */
const viewCarried = ({ carried }: Scenario['record']) => (carried ? { carried } : {});

function latestItems({ evidence }: Attempt, call: string): ShownEvidence {
  const left = evidence.length - SHOWN_ITEMS;
  const shown = evidence.slice(-SHOWN_ITEMS).map(viewItem);
  return left > 0
    ? { evidence: shown, left_out: { count: left, how: `${call} for all items of evidence.` } }
    : { evidence: shown };
}

/** The first items of evidence that fit into the answer, but at least one item. */
function evidencePage(items: readonly Evidence[], loaded: readonly LoggedEvent[], call: string): ShownEvidence {
  const bodies = new Map(loaded.map((event) => [event.seq, event]));
  const evidence: ShownItem[] = [];
  let cost = 0;
  for (const item of items) {
    const event = bodies.get(item.message_id);
    if (!event) break;
    const whole = { ...viewItem(item), ...bodyOf(event) };
    cost += costOf(whole);
    if (evidence.length > 0 && cost > LIST_COST) break;
    evidence.push(whole);
  }
  const left = items.length - evidence.length;
  if (left === 0) return { evidence };
  return { evidence, left_out: { count: left, how: `${call} and after: ${evidence.at(-1)?.message_id ?? 0}.` } };
}

function bodyOf(event: LoggedEvent): Partial<ShownItem> {
  const body = evidenceIn(event);
  if (!body) return {};
  const { claim, summary, assertions, commit, run } = body;
  return { claim, summary, assertions, commit, ...(run && { run }), submitted_at: event.at };
}

/**
 * The input of a board. Without `scenario_id`, the answer is the whole board; otherwise one scenario, and the evidence
 * of one of its attempts.
 */
export const BoardInput = z.strictObject({
  scenario_id: text(60).optional(),
  attempt: z.int().min(1).optional().describe('Default: the latest.'),
  after: MessageCursor.optional().describe('Evidence after this message.'),
  format: z.enum(['structured', 'both']).optional().describe('both adds Markdown.'),
});
type BoardInput = z.output<typeof BoardInput>;

/** Spec 2. The whole test board. */
export const WholeBoardView = z.strictObject({
  phase: z.enum(PHASES),
  manifest_id: z.string().nullable(),
  revision_id: RevisionId.nullable(),
  fixture_version: z.string().nullable(),
  handshakes: z.strictObject({ agent_a: HandshakeView.nullable(), agent_b: HandshakeView.nullable() }),
  scenarios: z.array(ScenarioView),
  defects: z.array(DefectView),
  next_actions: z.array(NextItemView).describe('The calls that are due, as verify_next lists them.'),
  certification: CertificationView,
  authorizations: AuthorizationsView,
  markdown: z.string().nullable().describe('The board as Markdown; null unless format is both.'),
  ...LEFT_OUT,
});
type WholeBoard = z.output<typeof WholeBoardView>;

/**
 * The test board as an agent sees it. If the call names a scenario, the lists contain only this scenario and its
 * defects.
 */
export const BoardView = WholeBoardView.partial({
  manifest_id: true,
  revision_id: true,
  fixture_version: true,
  handshakes: true,
  next_actions: true,
  certification: true,
  authorizations: true,
  markdown: true,
});
documented.add(BoardView, { id: 'Board' });

/** Maximum number of events that are read for an answer, which shows as many of these events as fit. */
const MAX_READ = 100;

/** Numbers of the events with the evidence of the requested attempt. Empty if the call names no scenario. */
export function boardSeqs(state: SessionState, { scenario_id, ...of }: BoardInput): number[] {
  if (scenario_id === undefined) return [];
  const { items } = askedAttempt(scenarioOf(state, scenario_id), of);
  return items.slice(0, MAX_READ).map(({ message_id }) => message_id);
}

/** Maximum size of the lists of a whole board, in bytes as `costOf` counts them. */
const BOARD_COST = 500_000;
const BESIDE_EVIDENCE_COST = 100_000;

interface BoardCall {
  readonly tool: string;
  readonly input: BoardInput;
  readonly role: Role;
  readonly loaded: readonly LoggedEvent[];
  /** The tasks of the caller, if it is a builder. */
  readonly due?: readonly Task[];
}

/**
 * The whole board, or the scenario that the call names. With `format: both`, the answer has all members in
 * either case, because the Markdown shows them.
 */
export const viewBoard = (state: SessionState, call: BoardCall): z.output<typeof BoardView> =>
  call.input.scenario_id === undefined || call.input.format === 'both'
    ? viewWholeBoard(state, call)
    : viewOneScenario(state, call);

function viewOneScenario(state: SessionState, call: BoardCall): z.output<typeof BoardView> {
  const { lists, leftOut } = boardLists(state, call);
  return { phase: state.profile.phase, scenarios: lists.scenarios(), defects: lists.defects(), ...leftOut };
}

export function viewWholeBoard(state: SessionState, call: BoardCall): WholeBoard {
  const { current } = state.manifest;
  const checks = certificationOf(state);
  const { lists, leftOut } = boardLists(state, call);
  const board = {
    scenarios: lists.scenarios(),
    defects: lists.defects(),
    certification: {
      ...lists.gates(),
      certified: checks.every(({ ok }) => ok),
      checks,
      level: certificationLevel(state),
    },
  };
  return {
    phase: state.profile.phase,
    manifest_id: current?.manifest_id ?? null,
    revision_id: current?.revision_id ?? null,
    fixture_version: current?.fixture_version ?? null,
    handshakes: lists.handshakes(),
    ...board,
    next_actions: lists.next(),
    authorizations: viewAuthorizations(state.manifest),
    markdown:
      call.input.format === 'both' ? renderBoard({ ...board, scenarios: board.scenarios.filter(isFull) }) : null,
    ...leftOut,
  };
}

/** Whether the view of a scenario has all members. For the owner and on a board with Markdown, every view has them. */
export const isFull = (scenario: z.output<typeof ScenarioView>): scenario is FullScenario =>
  scenario.title !== undefined;

/**
 * The long lists of the board. If the answer cannot hold everything, scenarios that have not passed, open defects and
 * the most urgent calls come first.
 */
function boardLists(state: SessionState, { tool, input, role, loaded, due = [] }: BoardCall) {
  const { scenario_id, format } = input;
  const isBrief = role !== 'owner' && format !== 'both';
  const asked = scenario_id === undefined ? undefined : scenarioOf(state, scenario_id);
  const lists = boundedLists(asked ? BESIDE_EVIDENCE_COST : BOARD_COST);
  const { agent_a, agent_b } = state.verify.handshakes;
  const handshakes = { agent_a: listHandshake(lists, agent_a), agent_b: listHandshake(lists, agent_b) };
  const scenarios = asked
    ? () => [viewAsked(asked, askedAttempt(asked, input), tool, loaded)]
    : lists.list({
        records: scenariosOf(state),
        view: (scenario) => (isBrief ? viewPassed(scenario) : undefined) ?? viewScenario(scenario, tool),
        isCurrent: ({ status }) => status !== 'PASSED',
        how: () => `Call ${tool} with the scenario_id of a test of the contract.`,
      });
  const defects = lists.list({
    records: valuesOf(state.verify.defects).filter((defect) => !asked || defect.scenario_id === scenario_id),
    view: viewDefect,
    isCurrent: isStanding,
    how: () =>
      asked
        ? 'Read the transcript: it contains all defects of the scenario.'
        : `Call ${tool} with a scenario_id to read the defects of one scenario.`,
  });
  const standings = asked ? [] : gateStandings(state);
  const gates = lists.list({ records: standings, view: (gate) => gate, how: () => 'Read the contract for all gates.' });
  const next = lists.list(nextSource(due));
  return {
    lists: {
      scenarios,
      defects,
      next,
      gates: () => (standings.length > 0 ? { gates: gates() } : {}),
      handshakes: () => ({ agent_a: handshakes.agent_a(), agent_b: handshakes.agent_b() }),
    },
    leftOut: lists.leftOut(),
  };
}

/** Views a handshake. Its lists count for the size limit of the answer, because an agent can make these lists long. */
function listHandshake(lists: BoundedLists, own: Handshake | undefined): () => z.output<typeof HandshakeView> | null {
  if (!own) return () => null;
  const how = () => 'Read the transcript: it contains the full handshake.';
  const shown = <T>(records: readonly T[]) => lists.list({ records, view: (record) => record, how });
  const capabilities = own.capabilities && shown(own.capabilities);
  const interfaces = own.interfaces && shown(own.interfaces);
  const changes = own.changes && Object.entries(own.changes).map(([commit, paths]) => [commit, shown(paths)] as const);
  return () => ({
    ...viewHandshake(own),
    ...(capabilities ? { capabilities: capabilities() } : {}),
    ...(interfaces ? { interfaces: interfaces() } : {}),
    ...(changes ? { changes: Object.fromEntries(changes.map(([commit, paths]) => [commit, paths()])) } : {}),
  });
}

interface Board {
  readonly scenarios: readonly FullScenario[];
  readonly defects: readonly z.output<typeof DefectView>[];
  readonly certification: z.output<typeof CertificationView>;
}

/** The test board as a Markdown document. Markdown syntax in the texts of agents is escaped. */
const renderBoard = ({ scenarios, defects, certification }: Board): string =>
  `${stack(
    '# Test board',
    scenarios.length === 0 ? NONE : scenarioTable(scenarios),
    ...deviationSection(scenarios),
    ...carriedSection(scenarios),
    '## Defects',
    defects.length === 0 ? NONE : defectTable(defects),
    '## Certification',
    table(
      ['Check', 'Holds', 'Why'],
      certification.checks.map(({ check, ok, detail }) => [code(check), ok ? 'yes' : 'no', inline(detail)]),
    ),
  )}\n`;

const scenarioTable = (scenarios: Board['scenarios']): string =>
  table(
    ['Scenario', 'Title', 'Status', 'Level', 'Executor', 'Depends on', 'Attempts', 'Note'],
    scenarios.map(({ scenario_id, title, status, level, levels, executor, depends_on, attempts, reason }) => [
      code(scenario_id),
      inline(title),
      status,
      levels && levels.agent_a !== levels.agent_b
        ? `${level} (${BUILDERS.map((builder) => `${code(builder)} ${levels[builder]}`).join(', ')})`
        : (level ?? '-'),
      code(executor),
      depends_on.length === 0 ? '-' : codes(depends_on),
      attempts.length === 0 ? '-' : attempts.map(attemptLine).join(', '),
      reason === null ? '-' : inline(reason),
    ]),
  );

/**
 * The section with the deviations from the contract that the latest verdicts of passed scenarios list. Empty if there
 * are none.
 */
function deviationSection(scenarios: Board['scenarios']): string[] {
  const rows = scenarios
    .filter(({ status }) => status === 'PASSED')
    .flatMap(({ scenario_id, attempts }) =>
      (attempts.at(-1)?.verdict?.deviations ?? []).map((said) => [code(scenario_id), inline(said)]),
    );
  return rows.length === 0 ? [] : ['## Deviations of passed scenarios', table(['Scenario', 'Deviation'], rows)];
}

/** The section with the passes that count for other commits without a rerun. Empty if there are none. */
function carriedSection(scenarios: Board['scenarios']): string[] {
  const rows = scenarios.flatMap(({ scenario_id, carried }) =>
    carried
      ? BUILDERS.filter((builder) => carried.verified[builder] !== carried.commits[builder]).map((builder) => [
          code(scenario_id),
          code(builder),
          code(carried.verified[builder]),
          code(carried.commits[builder]),
          code(carried.by),
          inline(carried.reason),
        ])
      : [],
  );
  const heads = ['Scenario', 'Side', 'Passed on', 'Counts for', 'By', 'Reason'];
  return rows.length === 0 ? [] : ['## Passes carried over', table(heads, rows)];
}

const attemptLine = ({ attempt, status, evidence_count }: Board['scenarios'][number]['attempts'][number]): string =>
  `${attempt} ${status} (evidence: ${evidence_count})`;

const defectTable = (defects: Board['defects']): string =>
  table(
    ['Defect', 'Scenario', 'Status', 'Assigned to', 'Refused step'],
    defects.map(({ defect_id, scenario_id, status, assigned_to, refusal }) => [
      code(defect_id),
      code(scenario_id),
      status,
      code(assigned_to),
      refusal ? `${refusal.stage}: ${inline(refusal.reason)}` : '-',
    ]),
  );
