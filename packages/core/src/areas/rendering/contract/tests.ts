import { plural } from '../../../kernel/counted.ts';
import { BUILDERS } from '../../../kernel/roles.ts';
import type { Contract, ContractTest } from '../../document/contract.ts';
import { responsibleFor } from '../../document/outline.ts';
import { code, codes, inline } from '../markdown.ts';
import { idAndTitle, stack, tableOrNone } from '../wording.ts';

type Interfaces = Pick<Contract, 'interfaces'>;

const STORY_HEAD = ['Test', 'Given', 'When', 'Then', 'Executor', 'Responsible', 'Requirements'];
const NEEDS_HEAD = ['Test', 'Interfaces', 'After tests', 'Evidence'];

/** The tests of a contract in two tables: what each test does, and what it needs. */
export const testTables = (tests: readonly ContractTest[], contract: Interfaces): string =>
  stack(
    tableOrNone(
      STORY_HEAD,
      tests.map((test) => storyRow(test, contract)),
    ),
    tests.length > 0 ? tableOrNone(NEEDS_HEAD, tests.map(needsRow)) : '',
  );

const storyRow = (test: ContractTest, contract: Interfaces): string[] => [
  idAndTitle(test),
  inline(test.given),
  inline(test.when),
  inline(test.then),
  code(test.executor),
  code(responsibleFor(contract, test)),
  codes(test.requirements),
];

const needsRow = (test: ContractTest): string[] => [
  code(test.id),
  codes(test.interfaces),
  codes(test.depends_on),
  evidenceAsked(test),
];

/** The evidence that a test requires besides one item from each agent. */
function evidenceAsked({ evidence_policy: policy }: ContractTest): string {
  if (!policy) return '';
  const kinds = BUILDERS.flatMap((builder) => {
    const asked = policy.per_agent_kinds?.[builder];
    return asked ? [`${code(builder)}: ${asked.join(', ')}`] : [];
  });
  const least = policy.min_items === undefined ? [] : [`at least ${plural(policy.min_items, 'item')} each`];
  const together = policy.correlated ? ['one `request_id` on both sides'] : [];
  return [...kinds, ...least, ...together].join('; ');
}
