import { add, drop, put } from '../changes.ts';
import type { RuleCases } from './rule-case.ts';

const FOUR = { requirementIds: ['req-1', 'req-2', 'req-3', 'req-4'] };

export const coverageCases: RuleCases = {
  REQUIREMENT_NOT_COVERED: {
    severity: 'error',
    cases: [
      { with: 'a requirement that nothing names', changes: [], mission: FOUR, at: ['/tasks'] },
      {
        with: 'no tasks and no tests',
        changes: [put('/tasks', []), put('/tests', [])],
        at: ['/tasks', '/tasks', '/tasks'],
      },
      { with: 'a test alone', changes: [add('/tests/0/requirements/-', 'req-4')], mission: FOUR, at: [] },
      { with: 'a task alone', changes: [add('/tasks/0/requirements/-', 'req-4')], mission: FOUR, at: [] },
    ],
  },
  REQUIREMENT_NOT_TESTED: {
    severity: 'warning',
    cases: [
      { with: 'a task alone', changes: [add('/tasks/0/requirements/-', 'req-4')], mission: FOUR, at: ['/tests'] },
      { with: 'no tests', changes: [put('/tests', [])], at: ['/tests', '/tests', '/tests'] },
      { with: 'a requirement that nothing names, which is an error', changes: [], mission: FOUR, at: [] },
    ],
  },
  AGENDA_SCENARIO_OPEN: {
    severity: 'warning',
    cases: [
      {
        with: 'two scenarios of three without a test',
        changes: [],
        mission: { scenarioIds: ['test-retry', 'test-outage', 'task-events'] },
        at: ['/tests', '/tests'],
      },
      { with: 'a test for each scenario', changes: [], mission: { scenarioIds: ['test-retry'] }, at: [] },
    ],
  },
  SAFETY_CONDITION_NOT_COVERED: {
    severity: 'error',
    cases: [
      {
        with: 'an empty list',
        changes: [put('/safety_conditions/1/covered_by', [])],
        at: ['/safety_conditions/1/covered_by'],
      },
      { with: 'a gate alone', changes: [put('/safety_conditions/1/covered_by', ['gate-build'])], at: [] },
      { with: 'no safety conditions', changes: [put('/safety_conditions', [])], at: [] },
    ],
  },
  TASK_CYCLE: {
    severity: 'error',
    cases: [
      {
        with: 'a task that waits for itself',
        changes: [add('/tasks/0/depends_on/-', 'task-captures')],
        at: ['/tasks/0/depends_on/0'],
      },
      { with: 'two tasks', changes: [add('/tasks/0/depends_on/-', 'task-events')], at: ['/tasks/1/depends_on/0'] },
      {
        with: 'a long way round',
        changes: [add('/tasks/0/depends_on/-', 'task-outcomes')],
        at: ['/tasks/1/depends_on/0', '/tasks/2/depends_on/0'],
      },
      { with: 'two ways to one task', changes: [add('/tasks/3/depends_on/-', 'task-captures')], at: [] },
    ],
  },
  TEST_CYCLE: {
    severity: 'error',
    cases: [
      { with: 'two tests', changes: [add('/tests/0/depends_on/-', 'test-settle')], at: ['/tests/1/depends_on/0'] },
      {
        with: 'a test that waits for itself',
        changes: [add('/tests/1/depends_on/0', 'test-settle')],
        at: ['/tests/1/depends_on/0'],
      },
      { with: 'no dependency', changes: [drop('/tests/1/depends_on/0')], at: [] },
    ],
  },
};
