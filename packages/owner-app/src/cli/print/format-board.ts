import type { Answer } from '@parley/core/client';
import { plural } from '@parley/core/text';
import { runParts } from '@parley/core/words';
import { namedText } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import type { Table } from '../../text/table.ts';
import { serverNow, sinceText } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { block, indentedLines, listBlock, tableBlock } from './answer.ts';
import { approvalTexts, type NameOf, namesIn } from './names.ts';

type Board = Answer<'board'>;
type Scenario = Board['scenarios'][number];
type Attempt = Scenario['attempts'][number];
type Evidence = Attempt['evidence'][number];
export type Defect = Board['defects'][number];
type Carried = NonNullable<Scenario['carried']>;

/**
 * Formats the test board.
 *
 * @param now milliseconds since 1970, from which the ages of obligations are computed
 */
export function formatBoard(board: Board, page: Page, now = serverNow()): string[] {
  const nameOf = namesIn(board);
  return [
    ...tableBlock('handshakes', handshakeTable(board, nameOf), page),
    ...tableBlock('addresses', addressTable(board, nameOf), page),
    ...tableBlock('commits', commitTable(board, nameOf), page),
    ...tableBlock('workflows that report', workflowTable(board, nameOf), page),
    ...tableBlock('scenarios', scenarioTable(board), page),
    ...tableBlock('who owes what', owesTable(board, nameOf, now), page),
    ...board.scenarios.flatMap((scenario) => evidenceLines(scenario, nameOf, page)),
    ...tableBlock('changed paths, as declared', changeTable(board, nameOf), page),
    ...tableBlock('passes carried over', carriedTable(board, nameOf), page),
    ...tableBlock('deviations', deviationTable(board), page),
    ...tableBlock('defects', defectTable(board, nameOf), page),
    ...tableBlock('checks', checkTable(board, nameOf), page),
    ...tableBlock('gates that demand a run', gateTable(board, nameOf), page),
    ...listBlock('approvals', approvalTexts(board.approvals), page),
    '',
    board.certification.certified
      ? page.paint(
          ['green', 'bold'],
          `✔ certified: every check passes; lowest evidence ${board.certification.level ?? 'unknown'}`,
        )
      : page.paint(['yellow', 'bold'], 'not certified yet'),
  ];
}

const handshakesOf = ({ handshakes: { agent_a, agent_b } }: Board) => [agent_a, agent_b].flatMap((one) => one ?? []);

const handshakeTable = (board: Board, nameOf: NameOf): Table => ({
  heads: ['agent', 'commit', 'state', 'service', 'version', 'in', 'fixtures'],
  rows: handshakesOf(board).map((one) => [
    nameOf(one.by),
    one.commit,
    one.ready && one.dependencies_healthy ? 'ready' : 'not ready',
    one.service,
    one.version,
    one.environment,
    one.fixture_version ?? '',
  ]),
});

const workflowTable = ({ workflows }: Board, nameOf: NameOf): Table => ({
  heads: ['agent', 'repository', 'workflow', 'ref'],
  rows: workflows.map(({ role, repository, workflow, ref }) => [nameOf(role), repository, workflow, ref]),
  flexible: 2,
});

const addressTable = (board: Board, nameOf: NameOf): Table => ({
  heads: ['agent', 'address'],
  rows: handshakesOf(board).flatMap(({ by, address }) => (address ? [[nameOf(by), address]] : [])),
});

/**
 * The table of the web pages of the declared commits. A commit has no row if Parley does not know the web addresses of
 * the host of its repository.
 */
const commitTable = ({ agents }: Board, nameOf: NameOf): Table => ({
  heads: ['agent', 'page'],
  rows: agents.flatMap(({ role, commit_url }) => (commit_url ? [[nameOf(role), commit_url]] : [])),
});

/** What each builder must do before a scenario can pass, and since when. */
const owesTable = ({ scenarios }: Board, nameOf: NameOf, now: number): Table => ({
  heads: ['scenario', 'who', 'owes', 'since'],
  rows: scenarios.flatMap(({ scenario_id, owes }) =>
    owes.map(({ role, what, since }) => [scenario_id, nameOf(role), what, sinceText(since, now)]),
  ),
  flexible: 2,
});

const scenarioTable = ({ scenarios }: Board): Table => ({
  heads: ['scenario', 'status', 'rests on', 'run by', 'runs', 'items', 'title'],
  rows: scenarios.map(({ scenario_id, status, level, executor, attempts, title }) => [
    scenario_id,
    status,
    level ?? '-',
    executor,
    String(attempts.length),
    String(attempts.at(-1)?.evidence_count ?? 0),
    title,
  ]),
});

/** The paths that each builder declares as changed. Nothing checks them but `parley commit-changes --of`. */
const changeTable = (board: Board, nameOf: NameOf): Table => ({
  heads: ['declared by', 'since', 'paths'],
  rows: handshakesOf(board).flatMap(({ by, changes = {} }) =>
    Object.entries(changes).map(([since, paths]) => [nameOf(by), since.slice(0, 12), paths.join(', ') || '-']),
  ),
});

const carriedTable = ({ scenarios }: Board, nameOf: NameOf): Table => ({
  heads: ['scenario', 'by', 'from, to and why'],
  rows: scenarios.flatMap(({ scenario_id, carried }) =>
    carried ? [[scenario_id, nameOf(carried.by), carriedText(carried, nameOf)]] : [],
  ),
});

/** The deviations from the contract in the latest verdicts of passed scenarios. */
const deviationTable = ({ scenarios }: Board): Table => ({
  heads: ['scenario', 'accepted deviation'],
  rows: scenarios
    .filter(({ status }) => status === 'PASSED')
    .flatMap(({ scenario_id, attempts }) =>
      (attempts.at(-1)?.verdict?.deviations ?? []).map((said) => [scenario_id, said]),
    ),
});

const defectTable = ({ defects }: Board, nameOf: NameOf): Table => ({
  heads: ['id', 'status', 'assigned to', 'scenario', 'fix or waiver'],
  rows: defects.map((defect) => [
    defect.defect_id,
    defect.status,
    nameOf(defect.assigned_to),
    defect.scenario_id,
    defect.fix?.note || defect.waiver_reason || refusalText(defect) || '-',
  ]),
});

const checkTable = ({ certification: { checks } }: Board, nameOf: NameOf): Table => ({
  heads: ['', 'check', 'why'],
  rows: checks.map(({ ok, check, detail }) => [ok ? '✔' : '✘', check, namedText(detail, nameOf)]),
});

const gateTable = ({ certification: { gates = [] } }: Board, nameOf: NameOf): Table => ({
  heads: ['gate', 'stage', 'by', 'level', 'missing'],
  rows: gates.map(({ gate_id, stage, run, level, missing }) => [
    ...[gate_id, stage, nameOf(run.by), level ?? 'missing', missing.join('; ')],
  ]),
});

/**
 * The attempts of a scenario, with the evidence of both agents and the verdict. Empty if the board was read without
 * `scenario_id`, because the evidence on such a board has no claims.
 */
function evidenceLines({ scenario_id, attempts, carried }: Scenario, nameOf: NameOf, page: Page): string[] {
  const read = attempts.filter(({ evidence }) => evidence.some(({ claim }) => claim !== undefined));
  const over = carried ? indentedLines(`carried over: ${carriedText(carried, nameOf)}`, page) : [];
  return read.flatMap((attempt) => [
    ...block(
      `evidence of ${scenario_id}/${attempt.attempt}, ${attempt.status}`,
      attemptLines(attempt, nameOf, page),
      page,
    ),
    ...(attempt.status === 'PASSED' ? over : []),
  ]);
}

/** The evidence and the files of both agents, and the verdict. */
export const attemptLines = (
  { evidence, attachments = [], verdict }: Attempt,
  nameOf: NameOf,
  page: Page,
): string[] => [
  ...evidence.flatMap((item) => itemLines(item, nameOf, page)),
  ...attachments.flatMap(({ by, filename, bytes, sha256 }) =>
    indentedLines(`${nameOf(by)} attached ${filename}, ${bytes} bytes: ${sha256}`, page),
  ),
  ...verdictLines(verdict, nameOf, page),
];

function itemLines(item: Evidence, nameOf: NameOf, page: Page): string[] {
  const { by, kind, level, commit = '', claim = '', summary = '', assertions = [], run } = item;
  return [
    page.paint('bold', visibleLine(`${nameOf(by)}, ${kind}, ${level}, commit ${(run?.commit ?? commit).slice(0, 12)}`)),
    ...[
      ...(run ? runParts(run).map(({ label, text }) => `${label}: ${text}`) : []),
      run ? `The agent says: ${claim}` : claim,
      summary,
      ...assertions.map(assertionText),
      run?.output ?? '',
    ].flatMap((text) => indentedLines(text, page)),
  ];
}

/** The result of a check: its name, and the value that was found, beside the expected value if the check failed. */
const assertionText = ({ name, expected, actual, passed }: NonNullable<Evidence['assertions']>[number]): string =>
  passed ? `✔ ${name}: ${valueText(actual)}` : `✘ ${name}: ${valueText(actual)} instead of ${valueText(expected)}`;

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function verdictLines(given: Attempt['verdict'], nameOf: NameOf, page: Page): string[] {
  if (!given) return [];
  const { by, verdict, note, deviations = [] } = given;
  return [
    page.paint('bold', visibleLine(`${nameOf(by)} judges: ${verdict}`)),
    ...[note ?? '', ...deviations.map((said) => `accepted deviation: ${said}`)].flatMap((text) =>
      indentedLines(text, page),
    ),
  ];
}

/** How a pass was carried over: what differs, who declared it, and the reason. */
function carriedText({ commits, changes, reason }: Carried, nameOf: NameOf): string {
  const differences = changes.map(
    ({ declared_by, since, paths }) =>
      `${since.slice(0, 12)} → ${commits[declared_by].slice(0, 12)} (${plural(paths, 'changed path')}, declared by ${nameOf(declared_by)})`,
  );
  return `${differences.join(', ') || 'the same commits again'}: ${reason}`;
}

/** The step that the owner refused because of a defect, and why. Empty if a FAIL opened the defect. */
const refusalText = ({ refusal }: Defect): string =>
  refusal ? `the ${refusal.stage} was refused: ${refusal.reason}` : '';

/** A defect, with the refused step, the waiver and the fix. `reassigned` lists the ids of defects that changed hands. */
export function defectText(defect: Defect, reassigned: readonly string[], nameOf: NameOf): string {
  const { defect_id, status, scenario_id, assigned_to, waiver_reason, fix } = defect;
  const end = [refusalText(defect), waiver_reason && `waived: ${waiver_reason}`, fix?.note && `fix: ${fix.note}`];
  const whose = `${nameOf(assigned_to)}${reassigned.includes(defect_id) ? ', reassigned' : ''}`;
  const ended = end.filter(Boolean).join('; ');
  return `${defect_id} ${status} of ${scenario_id} (${whose})${ended && `  ${ended}`}`;
}

/** The passes of a brief that were carried over, one text for each. */
export const carriedTexts = (brief: Answer<'brief'>, nameOf: NameOf): string[] =>
  brief.carried.map(
    ({ scenario_id, attempt, carried }) =>
      `${scenario_id}/${attempt}, by ${nameOf(carried.by)}: ${carriedText(carried, nameOf)}`,
  );
