import { plural } from '../../../kernel/counted.ts';
import { BUILDERS } from '../../../kernel/roles.ts';
import type { Contract, ContractTest } from '../../document/contract.ts';
import { responsibleFor } from '../../document/outline.ts';
import { bullets, code, codes, lines } from '../markdown.ts';
import { idAndTitle, NONE, stack } from '../wording.ts';

type Interfaces = Pick<Contract, 'interfaces'>;

/** The tests of a contract, each with all its members below its title. Members without a value are left out. */
export const testSections = (tests: readonly ContractTest[], contract: Interfaces, heading: string): string =>
  tests.length > 0
    ? stack(...tests.flatMap((test) => [`${heading} ${idAndTitle(test)}`, bullets(membersOf(test, contract))]))
    : NONE;

const membersOf = (test: ContractTest, contract: Interfaces): string[] => [
  ...member('Given', lines(test.given, '  ')),
  ...member('When', lines(test.when, '  ')),
  ...member('Then', lines(test.then, '  ')),
  `Executor: ${code(test.executor)}. Responsible: ${code(responsibleFor(contract, test))}.`,
  ...member('Requirements', codes(test.requirements)),
  ...member('Interfaces', codes(test.interfaces)),
  ...member('After tests', codes(test.depends_on)),
  ...member('Evidence', evidenceAsked(test)),
];

const member = (label: string, value: string): string[] => (value === '' ? [] : [`${label}: ${value}`]);

/** The evidence that a test requires besides one item from each agent. */
function evidenceAsked({ evidence_policy: policy }: ContractTest): string {
  if (!policy) return '';
  const kinds = BUILDERS.flatMap((builder) => {
    const asked = policy.per_agent_kinds?.[builder];
    return asked ? [`${code(builder)}: ${asked.join(', ')}`] : [];
  });
  const least = policy.min_items === undefined ? [] : [`at least ${plural(policy.min_items, 'item')} each`];
  const together = policy.correlated ? ['one `request_id` on both sides'] : [];
  const who = { owner: 'the owner', other_agent: 'the agent with the same commit, or the owner,' };
  const carry = policy.carry ? [`${who[policy.carry]} may carry a pass over to another commit`] : [];
  return [...kinds, ...least, ...together, ...carry].join('; ');
}
