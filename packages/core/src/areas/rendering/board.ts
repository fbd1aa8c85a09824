import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { code, codes, inline, NONE, stack, table } from './markdown.ts';

type Sides = Readonly<Record<Builder, string>>;

interface Board {
  readonly scenarios: readonly {
    readonly scenario_id: string;
    readonly title: string;
    readonly status: string;
    readonly reason: string | null;
    readonly carried?:
      | { readonly by: string; readonly reason: string; readonly verified: Sides; readonly commits: Sides }
      | undefined;
    readonly level: string | null;
    readonly levels?: Sides | undefined;
    readonly executor: string;
    readonly depends_on: readonly string[];
    readonly attempts: readonly {
      readonly attempt: number;
      readonly status: string;
      readonly evidence_count: number;
      readonly verdict: { readonly deviations?: readonly string[] | undefined } | null;
    }[];
  }[];
  readonly defects: readonly {
    readonly defect_id: string;
    readonly scenario_id: string;
    readonly status: string;
    readonly assigned_to: string;
    readonly refusal?: { readonly stage: string; readonly reason: string } | undefined;
  }[];
  readonly certification: {
    readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly detail: string }[];
  };
}

/** The test board as a Markdown document. Markdown syntax in the texts of agents is escaped. */
export const renderBoard = ({ scenarios, defects, certification }: Board): string =>
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
