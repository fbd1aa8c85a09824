import { BUILDERS } from '../../kernel/roles.ts';
import { byId, type ContractTest } from '../document/contract.ts';
import { partiesOf } from './interface-rules.ts';
import { cyclesIn } from './reference-rules.ts';
import type { ContractRule } from './rule.ts';

type EvidencePolicy = NonNullable<ContractTest['evidence_policy']>;

/** Rules about tests. */
export const TEST_RULES: readonly ContractRule[] = [
  {
    code: 'TEST_WITHOUT_PURPOSE',
    severity: 'warning',
    explanation: 'Each test must name a requirement or an interface.',
    hint: 'Name the requirements that the test checks or the interfaces that it goes through.',

    *check({ tests }) {
      for (const [at, { id, requirements, interfaces }] of tests.entries())
        if (requirements.length === 0 && interfaces.length === 0)
          yield { pointer: `/tests/${at}`, message: `Test ${id} names neither a requirement nor an interface.` };
    },
  },
  {
    code: 'TEST_RESPONSIBLE_OUTSIDE',
    severity: 'warning',
    explanation: 'The builder responsible for a test must provide or consume one of its interfaces.',
    hint: 'Name the provider or a consumer of an interface of the test as responsible, or leave responsible out.',

    *check({ tests, interfaces }) {
      const interfaceOf = byId(interfaces);
      for (const [at, test] of tests.entries()) {
        const { id, responsible } = test;
        const involved = test.interfaces.flatMap((name) => interfaceOf.get(name) ?? []);
        if (responsible && involved.length > 0 && !involved.some((item) => partiesOf(item).has(responsible)))
          yield {
            pointer: `/tests/${at}/responsible`,
            message: `${responsible} neither provides nor consumes an interface of test ${id}.`,
          };
      }
    },
  },
  {
    code: 'SINGLE_EXECUTOR',
    severity: 'warning',
    explanation: 'Each builder must execute at least one test.',
    hint: 'Make each builder the executor of the tests that begin on its side.',

    *check({ tests }) {
      const [first, ...others] = tests;
      if (first && others.length > 0 && others.every(({ executor }) => executor === first.executor))
        yield {
          pointer: '/tests',
          message: `${first.executor} is the executor of every test; the other builder executes none.`,
        };
    },
  },
  {
    code: 'ONE_SIDED_KINDS',
    severity: 'warning',
    explanation: 'A test must name kinds of evidence for both builders or for neither.',
    hint: 'Name kinds of evidence for the other builder too; name manual if that builder cannot observe the system.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries()) {
        const { per_agent_kinds: kinds, min_items = 1 } = evidence_policy ?? {};
        const unnamed = BUILDERS.filter((builder) => (kinds?.[builder] ?? []).length === 0);
        if (kinds && unnamed.length === 1)
          yield {
            pointer: `/tests/${at}/evidence_policy/per_agent_kinds`,
            message: `Test ${id} names no kinds for ${unnamed[0]}, which must still give evidence: at least ${min_items} of any kind.`,
          };
      }
    },
  },
  {
    code: 'RUN_CARRIED_OVER',
    severity: 'error',
    explanation: 'A test that demands a run must not let passes be carried over.',
    hint: 'Leave carry out, or leave level and per_agent_tests out.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries())
        if (evidence_policy?.carry && demandsRun(evidence_policy))
          yield {
            pointer: `/tests/${at}/evidence_policy/carry`,
            message: `Test ${id} demands a recorded run, and lets a pass be carried over without one.`,
          };
    },
  },
  {
    code: 'RUN_WITHOUT_TESTS',
    severity: 'warning',
    explanation: 'A test of level recorded or ci must name tests of both reports.',
    hint: 'Name in per_agent_tests what the report of each builder must show as passed; without names, any command will do.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries()) {
        const { level, per_agent_tests: names } = evidence_policy ?? {};
        const unnamed = BUILDERS.filter((builder) => (names?.[builder] ?? []).length === 0);
        if ((level === 'recorded' || level === 'ci') && unnamed.length > 0)
          yield {
            pointer: `/tests/${at}/evidence_policy`,
            message: `Test ${id} demands a run, but names no test of the report of ${unnamed.join(' and ')}.`,
          };
      }
    },
  },
  {
    code: 'CI_CORRELATED',
    severity: 'warning',
    explanation: 'A test of level ci must not be correlated.',
    hint: 'Set correlated to false, unless the workflows of both builders send the same request_id.',

    *check({ tests }) {
      for (const [at, { id, evidence_policy }] of tests.entries())
        if (evidence_policy?.level === 'ci' && evidence_policy.correlated !== false)
          yield {
            pointer: `/tests/${at}/evidence_policy/correlated`,
            message: `Test ${id} demands runs of workflows, and the same request_id of both.`,
          };
    },
  },
];

export const demandsRun = ({ level, per_agent_tests: names }: EvidencePolicy): boolean =>
  (level ?? 'claimed') !== 'claimed' || BUILDERS.some((builder) => (names?.[builder] ?? []).length > 0);

/** Rules about what tasks and tests cover, and in which order they can be done. */
export const COVERAGE_RULES: readonly ContractRule[] = [
  {
    code: 'REQUIREMENT_NOT_COVERED',
    severity: 'error',
    explanation: 'A task or a test must name each requirement.',
    hint: 'Name the requirement in the task that implements it and in the test that shows that it is met.',

    *check({ tasks, tests }, { requirementIds }) {
      const covered = new Set([...tasks, ...tests].flatMap(({ requirements }) => requirements));
      for (const id of requirementIds)
        if (!covered.has(id)) yield { pointer: '/tasks', message: `No task and no test names requirement ${id}.` };
    },
  },
  {
    code: 'REQUIREMENT_NOT_TESTED',
    severity: 'warning',
    explanation: 'A test must name each requirement that a task names.',
    hint: 'Add a test that shows that the requirement is met. If no test can show it, map the requirement to a decision, task or gate in the preflight; this warning then remains, but blocks nothing.',

    *check({ tasks, tests }, { requirementIds }) {
      const built = new Set(tasks.flatMap(({ requirements }) => requirements));
      const tested = new Set(tests.flatMap(({ requirements }) => requirements));
      for (const id of requirementIds)
        if (built.has(id) && !tested.has(id)) yield { pointer: '/tests', message: `No test names requirement ${id}.` };
    },
  },
  {
    code: 'AGENDA_SCENARIO_OPEN',
    severity: 'warning',
    ofAgenda: true,
    explanation: 'A test must have the id of each scenario of the agenda.',
    hint: 'Add the scenario of read_task as a test, with its id and the interfaces that it goes through. If it is not to be tested, tell the owner why.',

    *check({ tests }, { scenarioIds }) {
      const tested = new Set(tests.map(({ id }) => id));
      for (const id of scenarioIds)
        if (!tested.has(id))
          yield { pointer: '/tests', message: `No test has the id ${id}, a scenario of the agenda.` };
    },
  },
  {
    code: 'SAFETY_CONDITION_NOT_COVERED',
    severity: 'error',
    explanation: 'Each safety condition must name a task, test or gate in covered_by.',
    hint: 'In covered_by, name the tasks, tests or gates that ensure the condition.',

    *check({ safety_conditions }) {
      for (const [at, { id, covered_by }] of safety_conditions.entries())
        if (covered_by.length === 0)
          yield {
            pointer: `/safety_conditions/${at}/covered_by`,
            message: `Safety condition ${id} names nothing in covered_by.`,
          };
    },
  },
  {
    code: 'TASK_CYCLE',
    severity: 'error',
    explanation: 'The dependencies of tasks must form no cycle.',
    hint: 'From depends_on remove an id that is not needed, or split one of the tasks.',

    check: ({ tasks }) => cyclesIn('tasks', tasks),
  },
  {
    code: 'TEST_CYCLE',
    severity: 'error',
    explanation: 'The dependencies of tests must form no cycle.',
    hint: 'From depends_on remove an id that is not needed, or split one of the tests.',

    check: ({ tests }) => cyclesIn('tests', tests),
  },
];
