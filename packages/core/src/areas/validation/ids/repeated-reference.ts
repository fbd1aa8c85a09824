import type { Contract } from '../../document/contract.ts';
import type { ContractRule, Fault } from '../rule.ts';

export const repeatedReference: ContractRule = {
  reads: 'contract',
  code: 'REPEATED_REFERENCE',
  severity: 'warning',
  explanation: 'A list must name an id only once; a repetition is often a typo.',
  hint: 'Remove the repeated id, or write the id that was meant.',

  *check(contract) {
    for (const { pointer, names } of listsOf(contract)) yield* repeatedIn(pointer, names);
  },
};

interface NameList {
  readonly pointer: string;
  readonly names: readonly string[];
}

function* listsOf({ decisions, interfaces, tasks, tests, safety_conditions }: Contract): Generator<NameList> {
  yield { pointer: '/decisions', names: decisions };
  for (const [at, { consumers }] of interfaces.entries())
    yield { pointer: `/interfaces/${at}/consumers`, names: consumers };
  for (const [list, records] of [
    ['tasks', tasks],
    ['tests', tests],
  ] as const)
    for (const [at, record] of records.entries())
      for (const member of ['requirements', 'interfaces', 'depends_on'] as const)
        yield { pointer: `/${list}/${at}/${member}`, names: record[member] };
  for (const [at, { covered_by }] of safety_conditions.entries())
    yield { pointer: `/safety_conditions/${at}/covered_by`, names: covered_by };
}

function* repeatedIn(pointer: string, names: readonly string[]): Generator<Fault> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) yield { pointer: `${pointer}/${index}`, message: 'This id is already in the list.' };
    seen.add(name);
  }
}
