import { add, drop, INTERFACE, put, TASK } from '../changes.ts';
import type { RuleCases } from './rule-case.ts';

const RISK = { id: 'risk-late-answer', text: 'The provider is down.', mitigation: 'Try later.', assignee: 'agent_a' };

export const idCases: RuleCases = {
  DUPLICATE_ID: {
    severity: 'error',
    cases: [
      { with: 'two tasks of one id', changes: [put('/tasks/3/id', 'task-captures')], at: ['/tasks/3/id'] },
      { with: 'a gate of a test id', changes: [put('/gates/1/id', 'test-retry')], at: ['/gates/1/id'] },
      {
        with: 'two interfaces of one id',
        changes: [put('/interfaces/1/id', 'captures-api')],
        at: ['/interfaces/1/id'],
      },
      {
        with: 'a third of the same id',
        changes: [add('/risks/-', RISK), add('/risks/-', RISK)],
        at: ['/risks/1/id', '/risks/2/id'],
      },
      { with: 'an interface of a task id', changes: [put('/data_models/0/id', 'task-captures')], at: [] },
      { with: 'an id that only looks alike', changes: [put('/tasks/3/id', 'Task-captures')], at: [] },
      {
        with: 'ids that every object has',
        changes: [put('/tasks/3/id', 'constructor'), put('/gates/0/id', 'toString')],
        at: [],
      },
    ],
  },
  ID_USED_BY_TWO_KINDS: {
    severity: 'warning',
    cases: [
      {
        with: 'a model of an interface id',
        changes: [put('/data_models/0/id', 'captures-api')],
        at: ['/data_models/0/id'],
      },
      { with: 'a risk of a gate id', changes: [put('/risks/0/id', 'gate-build')], at: ['/risks/0/id'] },
      { with: 'a test of a task id, which is an error', changes: [put('/tests/1/id', 'task-captures')], at: [] },
    ],
  },
  SIMILAR_IDS: {
    severity: 'warning',
    cases: [
      { with: 'two tasks', changes: [put('/tasks/3/id', 'Task-Captures')], at: ['/tasks/3/id'] },
      { with: 'a risk and a gate', changes: [put('/risks/0/id', 'GATE-build')], at: ['/risks/0/id'] },
      { with: 'another dash', changes: [put('/tasks/3/id', 'task_captures')], at: [] },
    ],
  },
  UNKNOWN_REQUIREMENT: {
    severity: 'error',
    cases: [
      {
        with: 'a task and a test',
        changes: [add('/tasks/0/requirements/-', 'req-4'), add('/tests/1/requirements/0', 'constructor')],
        at: ['/tasks/0/requirements/2', '/tests/1/requirements/0'],
      },
      { with: 'other capitals', changes: [put('/tasks/1/requirements/0', 'REQ-3')], at: ['/tasks/1/requirements/0'] },
      { with: 'a further requirement', changes: [add('/tasks/0/requirements/-', 'req-3')], at: [] },
    ],
  },
  UNKNOWN_INTERFACE: {
    severity: 'error',
    cases: [
      {
        with: 'a task and a test',
        changes: [add('/tasks/0/interfaces/-', 'refunds-api'), put('/tests/0/interfaces/0', 'capture')],
        at: ['/tasks/0/interfaces/1', '/tests/0/interfaces/0'],
      },
      {
        with: 'an interface that is removed',
        changes: [drop('/interfaces/1')],
        at: ['/tasks/1/interfaces/0', '/tasks/3/interfaces/0', '/tests/1/interfaces/0'],
      },
      {
        with: 'a further interface',
        changes: [add('/interfaces/-', INTERFACE), add('/tasks/0/interfaces/-', 'ledger-report')],
        at: [],
      },
    ],
  },
  UNKNOWN_TASK: {
    severity: 'error',
    cases: [
      { with: 'no such task', changes: [add('/tasks/0/depends_on/-', 'task-refunds')], at: ['/tasks/0/depends_on/0'] },
      { with: 'a test', changes: [add('/tasks/3/depends_on/-', 'test-retry')], at: ['/tasks/3/depends_on/2'] },
      {
        with: 'a member that every object has',
        changes: [add('/tasks/0/depends_on/-', 'constructor')],
        at: ['/tasks/0/depends_on/0'],
      },
      { with: 'a further task', changes: [add('/tasks/-', TASK), add('/tasks/3/depends_on/-', 'task-more')], at: [] },
    ],
  },
  UNKNOWN_TEST: {
    severity: 'error',
    cases: [
      { with: 'no such test', changes: [add('/tests/0/depends_on/-', 'test-refund')], at: ['/tests/0/depends_on/0'] },
      { with: 'a task', changes: [put('/tests/1/depends_on/0', 'task-captures')], at: ['/tests/1/depends_on/0'] },
      { with: 'none', changes: [drop('/tests/1/depends_on/0')], at: [] },
    ],
  },
  UNKNOWN_COVER: {
    severity: 'error',
    cases: [
      {
        with: 'no such record',
        changes: [add('/safety_conditions/0/covered_by/0', 'review')],
        at: ['/safety_conditions/0/covered_by/0'],
      },
      {
        with: 'a risk',
        changes: [put('/safety_conditions/1/covered_by/0', 'risk-late-answer')],
        at: ['/safety_conditions/1/covered_by/0'],
      },
      {
        with: 'a task, a test and a gate',
        changes: [put('/safety_conditions/1/covered_by', ['task-events', 'test-settle', 'gate-build'])],
        at: [],
      },
    ],
  },
  REPEATED_REFERENCE: {
    severity: 'warning',
    cases: [
      { with: 'a decision', changes: [add('/decisions/-', 'd_1')], at: ['/decisions/2'] },
      { with: 'a consumer', changes: [add('/interfaces/0/consumers/-', 'agent_a')], at: ['/interfaces/0/consumers/1'] },
      { with: 'a task', changes: [add('/tasks/1/depends_on/-', 'task-captures')], at: ['/tasks/1/depends_on/1'] },
      {
        with: 'a requirement of a test',
        changes: [add('/tests/1/requirements/-', 'req-3')],
        at: ['/tests/1/requirements/1'],
      },
      {
        with: 'a cover',
        changes: [add('/safety_conditions/0/covered_by/0', 'test-retry')],
        at: ['/safety_conditions/0/covered_by/2'],
      },
      { with: 'two consumers from outside', changes: [add('/interfaces/1/consumers/-', 'external:finance')], at: [] },
    ],
  },
};
