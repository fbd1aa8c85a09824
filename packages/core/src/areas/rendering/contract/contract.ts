import { plural } from '../../../kernel/counted.ts';
import { BUILDERS } from '../../../kernel/roles.ts';
import type { Contract } from '../../document/contract.ts';
import { code, codes, inline, prose } from '../markdown.ts';
import { codesOrNone, NONE, numbered, stack, textList } from '../wording.ts';
import { type DecidedText, decisionList } from './decisions.ts';
import { dataModelSections, interfaceSection } from './interfaces.ts';
import { artifactTable, dependencyTable, gateSections, riskTable, safetyList } from './plan-tables.ts';
import { taskGraph } from './task-graph.ts';
import { requirementsAndInterfaces, taskItem } from './tasks.ts';
import { testSections } from './tests.ts';

/**
 * The contract as a Markdown document for people. Equal contracts give equal documents. No text in the contract can add
 * headings, markup or links to the document.
 * @param decided the texts of the decisions that the contract names; if a text is missing, the document shows the
 * decision's id only
 */
export function renderContract(contract: Contract, decided: readonly DecidedText[] = []): string {
  const { title, summary, scope, decisions, interfaces, rollout } = contract;
  const document = stack(
    `# ${inline(title)}`,
    sizes(contract),
    prose(summary),
    '## Scope',
    '### In scope',
    textList(scope.in),
    '### Out of scope',
    textList(scope.out),
    '## Decisions',
    decisions.length > 0 ? `The contract rests on ${codes(decisions)}.` : NONE,
    decided.length > 0 ? decisionList(decided) : '',
    '## Interfaces',
    ...(interfaces.length > 0 ? interfaces.map((item) => interfaceSection(item, '###')) : [NONE]),
    '## Data models',
    dataModelSections(contract.data_models, '###'),
    '## Tasks',
    ...taskSections(contract),
    '## Tests',
    testSections(contract.tests, contract, '###'),
    '## Gates',
    ...gateSections(contract.gates, '###'),
    '## Risks',
    riskTable(contract.risks),
    '## Safety conditions',
    safetyList(contract),
    '## Dependencies',
    dependencyTable(contract.dependencies),
    '## Rollout',
    numbered(rollout.steps),
    '### Rollback',
    prose(rollout.rollback),
    '## Artifacts',
    artifactTable(contract.artifacts),
  );
  return `${document}\n`;
}

const sizes = ({ interfaces, tasks, tests, gates, fixture_version }: Contract): string =>
  [
    plural(interfaces.length, 'interface'),
    plural(tasks.length, 'task'),
    plural(tests.length, 'test'),
    plural(gates.length, 'gate'),
    `fixture version ${code(fixture_version)}`,
  ].join(' · ');

const taskSections = (contract: Contract): string[] => [
  ...BUILDERS.flatMap((builder) => [
    `### Tasks of ${code(builder)}`,
    contract.tasks
      .filter(({ assignee }) => assignee === builder)
      .map((task) =>
        taskItem(task, [...requirementsAndInterfaces(task), `Depends on: ${codesOrNone(task.depends_on)}`]),
      )
      .join('\n') || NONE,
  ]),
  '### Order of tasks',
  taskGraph(contract),
];
