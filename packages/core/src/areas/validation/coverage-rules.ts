import { cyclesIn } from './cycles.ts';
import type { Rule } from './rule.ts';

/** Rules about what tasks and tests cover, and in which order they can be done. */
export const COVERAGE_RULES: readonly Rule[] = [
  {
    reads: 'contract',
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
    reads: 'contract',
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
    reads: 'contract',
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
    reads: 'contract',
    code: 'TASK_CYCLE',
    severity: 'error',
    explanation: 'The dependencies of tasks must form no cycle.',
    hint: 'From depends_on remove an id that is not needed, or split one of the tasks.',

    check: ({ tasks }) => cyclesIn('tasks', tasks),
  },
  {
    reads: 'contract',
    code: 'TEST_CYCLE',
    severity: 'error',
    explanation: 'The dependencies of tests must form no cycle.',
    hint: 'From depends_on remove an id that is not needed, or split one of the tests.',

    check: ({ tests }) => cyclesIn('tests', tests),
  },
];
