import type { Contract } from '../document/contract.ts';
import { idsOf, referencesIn, unknownAmong } from './references.ts';
import type { Fault, Rule } from './rule.ts';

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

/** Rules about the records that other records name. */
export const REFERENCE_RULES: readonly Rule[] = [
  {
    reads: 'contract',
    code: 'UNKNOWN_REQUIREMENT',
    severity: 'error',
    explanation: 'Each requirement that the contract names must exist in the session.',
    hint: 'Use the requirement_ids that read_task shows, spelled in the same way.',

    *check({ tasks, tests }, { requirementIds }) {
      const known = new Set(requirementIds);
      const what = 'requirement of the mission';
      yield* unknownAmong(referencesIn('tasks', tasks, 'requirements'), known, what);
      yield* unknownAmong(referencesIn('tests', tests, 'requirements'), known, what);
    },
  },
  {
    reads: 'contract',
    code: 'UNKNOWN_INTERFACE',
    severity: 'error',
    explanation: 'Each interface that a task or test names must be in the contract.',
    hint: 'Name an interface of this contract, or add the missing interface to the contract.',

    *check({ tasks, tests, interfaces }) {
      const known = idsOf(interfaces);
      const what = 'interface of this contract';
      yield* unknownAmong(referencesIn('tasks', tasks, 'interfaces'), known, what);
      yield* unknownAmong(referencesIn('tests', tests, 'interfaces'), known, what);
    },
  },
  {
    reads: 'contract',
    code: 'UNKNOWN_TASK',
    severity: 'error',
    explanation: 'Each task in depends_on must be in the contract.',
    hint: 'Name a task of this contract, or remove the id from depends_on.',

    check: ({ tasks }) =>
      unknownAmong(referencesIn('tasks', tasks, 'depends_on'), idsOf(tasks), 'task of this contract'),
  },
  {
    reads: 'contract',
    code: 'UNKNOWN_TEST',
    severity: 'error',
    explanation: 'Each test in depends_on must be in the contract.',
    hint: 'Name a test of this contract, or remove the id from depends_on.',

    check: ({ tests }) =>
      unknownAmong(referencesIn('tests', tests, 'depends_on'), idsOf(tests), 'test of this contract'),
  },
  {
    reads: 'contract',
    code: 'UNKNOWN_COVER',
    severity: 'error',
    explanation: 'Each id in covered_by must name a task, test or gate of the contract.',
    hint: 'Name tasks, tests or gates of this contract in covered_by.',

    check({ safety_conditions, tasks, tests, gates }) {
      const known = idsOf([...tasks, ...tests, ...gates]);
      const references = referencesIn('safety_conditions', safety_conditions, 'covered_by');
      return unknownAmong(references, known, 'task, test or gate of this contract');
    },
  },
  {
    reads: 'contract',
    code: 'REPEATED_REFERENCE',
    severity: 'warning',
    explanation: 'A list must name an id only once; a repetition is often a typo.',
    hint: 'Remove the repeated id, or write the id that was meant.',

    *check(contract) {
      for (const { pointer, names } of listsOf(contract)) yield* repeatedIn(pointer, names);
    },
  },
];
