import { createHash } from 'node:crypto';

/** The requirements of the model's sessions: two, so that a contract can fit the mapping of only one of them. */
export const REQUIREMENTS = [
  { requirement_id: 'R1', text: 'An order reserves stock.' },
  { requirement_id: 'R2', text: 'A reservation ends.' },
];

const task = (id: string, assignee: string, requirement: string) => ({
  id,
  title: `Work of ${assignee}`,
  assignee,
  requirements: [requirement],
  interfaces: ['api'],
  depends_on: [],
  deliverables: ['A service.'],
  done_when: ['Its tests pass.'],
});

const check = (id: string, requirement: string) => ({
  id,
  title: `Check of ${requirement}`,
  given: 'stock',
  when: 'an order comes',
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
  then: 'it is reserved',
  executor: 'agent_a',
  requirements: [requirement],
  interfaces: ['api'],
  depends_on: [],
});

const gate = (stage: string) => ({ id: `gate-${stage}`, title: stage, stage, condition: 'The tests pass.' });

type Json = Readonly<Record<string, unknown>>;

/** A small contract without errors, for a session with exactly these RESOLVED decisions. */
export const goodContract = (decisions: readonly string[]): Json => ({
  title: 'Orders',
  summary: 'Orders reserve stock.',
  scope: { in: ['Stock.'], out: [] },
  decisions,
  interfaces: [
    {
      id: 'api',
      name: 'Stock API',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a'],
      description: 'Reserves stock.',
      operations: [{ name: 'POST /stock', request: {}, response: {}, errors: ['409'] }],
    },
  ],
  data_models: [],
  tasks: [task('task-a', 'agent_a', 'R1'), task('task-b', 'agent_b', 'R2')],
  tests: [check('test-1', 'R1'), check('test-2', 'R2')],
  gates: [gate('build'), gate('deployment'), gate('activation')],
  risks: [],
  safety_conditions: [],
  dependencies: [],
  rollout: { steps: ['Deploy.'], rollback: 'Deploy the version before.' },
  fixture_version: '1',
  artifacts: [],
});

/**
 * Functions that make contracts from the ids of the RESOLVED decisions. Together they cause every kind of validation result.
 */
export const VARIANTS = {
  good: goodContract,
  /** Valid. Its title differs from that of `good`, so its hash differs too. */
  renamed: (decisions) => ({ ...goodContract(decisions), title: 'Orders and stock' }),
  /** Names R2 in no task and no test, and lacks a test that `MAPPINGS` names. */
  withoutTest2: (decisions) => ({
    ...goodContract(decisions),
    tasks: [task('task-a', 'agent_a', 'R1'), task('task-b', 'agent_b', 'R1')],
    tests: [check('test-1', 'R1')],
  }),
  /** Names R2 in no task and no test, and lacks the task and the test that `MAPPINGS` names for it. */
  withoutAllOfR2: (decisions) => ({
    ...goodContract(decisions),
    tasks: [task('task-a', 'agent_a', 'R1'), task('task-c', 'agent_b', 'R1')],
    tests: [check('test-1', 'R1')],
  }),
  /** Valid, with other ids than those that `MAPPINGS` names for R2. */
  otherIds: (decisions) => ({
    ...goodContract(decisions),
    tasks: [task('task-a', 'agent_a', 'R1'), task('task-c', 'agent_b', 'R2')],
    tests: [check('test-1', 'R1'), check('test-3', 'R2')],
  }),
  broken: (decisions) => ({ ...goodContract(decisions), title: 7 }),
  wrong: (decisions) => ({
    ...goodContract(decisions),
    fixture_version: '2',
    tests: [{ ...check('test-1', 'R1'), depends_on: ['test-9'] }, check('test-2', 'R2')],
  }),
} as const satisfies Record<string, (decisions: readonly string[]) => Json>;

export type Variant = keyof typeof VARIANTS;

/** One mapping for each requirement. The contract `good` contains every id in them. */
export const MAPPINGS = [
  { requirement_id: 'R1', tasks: ['task-a'], tests: ['test-1'] },
  { requirement_id: 'R2', tasks: ['task-b'], tests: ['test-2'] },
];

/** Returns `MAPPINGS` without the ids that a contract lacks. A requirement without remaining ids is mapped to a gate. */
export function mappingsFor(contract: unknown): Json[] {
  const ids = (member: string): string[] => listOf(Object(contract)[member]).map((item) => String(Object(item).id));
  const tasks = ids('tasks');
  const tests = ids('tests');
  return MAPPINGS.map(({ requirement_id, ...named }) => {
    const left = {
      tasks: named.tasks.filter((id) => tasks.includes(id)),
      tests: named.tests.filter((id) => tests.includes(id)),
    };
    const isEmpty = left.tasks.length + left.tests.length === 0;
    return { requirement_id, ...left, ...(isEmpty ? { gates: ['gate-build'] } : {}) };
  });
}

/** The ids of the requirements that no task and no test of the contract names. */
export function uncovered(contract: unknown): string[] {
  const { tasks, tests } = Object(contract);
  const named = new Set([...listOf(tasks), ...listOf(tests)].flatMap((item) => listOf(Object(item).requirements)));
  return REQUIREMENTS.map(({ requirement_id }) => requirement_id).filter((id) => !named.has(id));
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the RFC 8785 form of strings, arrays and objects, independently of the code under test. These contracts contain no other
 * values.
 */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
}

export const hashOf = (value: unknown): string => createHash('sha256').update(canonicalText(value)).digest('hex');
