import type { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import type { CertificationView, FullScenario } from '../verify/schemas.ts';
import type { DefectView } from '../verify/state.ts';
import { code, codes, inline, NONE, stack, table } from './markdown.ts';

interface Board {
  readonly scenarios: readonly FullScenario[];
  readonly defects: readonly z.output<typeof DefectView>[];
  readonly certification: z.output<typeof CertificationView>;
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
