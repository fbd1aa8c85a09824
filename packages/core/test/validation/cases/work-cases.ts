import { add, drop, INTERFACE, put, TASK, TEST } from '../changes.ts';
import type { RuleCases } from './rule-case.ts';

const ALONE = { ...TASK, interfaces: [], requirements: ['req-1'] };
const REPORT = [add('/interfaces/-', INTERFACE), add('/tasks/0/interfaces/-', 'ledger-report')];

export const workCases: RuleCases = {
  BUILDER_WITHOUT_TASK: {
    severity: 'warning',
    cases: [
      {
        with: 'all tasks of one builder',
        changes: [put('/tasks/2/assignee', 'agent_b'), put('/tasks/3/assignee', 'agent_b')],
        at: ['/tasks'],
      },
      { with: 'no tasks', changes: [put('/tasks', [])], at: ['/tasks', '/tasks'] },
      { with: 'one task each', changes: [drop('/tasks/3'), drop('/tasks/1')], at: [] },
    ],
  },
  TASK_WITHOUT_PURPOSE: {
    severity: 'warning',
    cases: [
      {
        with: 'neither requirement nor interface',
        changes: [add('/tasks/-', { ...ALONE, requirements: [] })],
        at: ['/tasks/4'],
      },
      { with: 'a requirement alone', changes: [add('/tasks/-', ALONE)], at: [] },
    ],
  },
  TASK_WITHOUT_DELIVERABLES: {
    severity: 'warning',
    cases: [
      { with: 'an empty list', changes: [put('/tasks/1/deliverables', [])], at: ['/tasks/1/deliverables'] },
      { with: 'one', changes: [put('/tasks/1/deliverables', ['The publisher'])], at: [] },
    ],
  },
  TASK_WITHOUT_DONE_WHEN: {
    severity: 'warning',
    cases: [
      { with: 'an empty list', changes: [put('/tasks/1/done_when', [])], at: ['/tasks/1/done_when'] },
      { with: 'one', changes: [put('/tasks/1/done_when', ['An event is sent.'])], at: [] },
    ],
  },
  TASK_WAITS_WITHOUT_INTERFACE: {
    severity: 'warning',
    cases: [
      {
        with: 'a task of the other builder that hands nothing over',
        changes: [add('/tasks/-', ALONE), add('/tasks/3/depends_on/-', 'task-more')],
        at: ['/tasks/3/depends_on/2'],
      },
      {
        with: 'an interface that only others use',
        changes: [...REPORT, put('/tasks/0/interfaces', ['ledger-report'])],
        at: ['/tasks/2/depends_on/0'],
      },
      {
        with: 'a deliverable that the waiting task names',
        changes: [
          add('/tasks/-', { ...ALONE, deliverables: ['Key table'] }),
          add('/tasks/3/depends_on/-', 'task-more'),
          add('/tasks/3/done_when/-', 'Key table'),
        ],
        at: [],
      },
      {
        with: 'a task of the same builder',
        changes: [add('/tasks/-', ALONE), add('/tasks/1/depends_on/-', 'task-more')],
        at: [],
      },
    ],
  },
  TEST_WITHOUT_PURPOSE: {
    severity: 'warning',
    cases: [
      {
        with: 'neither requirement nor interface',
        changes: [add('/tests/-', { ...TEST, requirements: [], interfaces: [] })],
        at: ['/tests/2'],
      },
      { with: 'an interface alone', changes: [add('/tests/-', { ...TEST, requirements: [] })], at: [] },
    ],
  },
  TEST_RESPONSIBLE_OUTSIDE: {
    severity: 'warning',
    cases: [
      {
        with: 'neither provider nor consumer',
        changes: [...REPORT, add('/tests/-', { ...TEST, interfaces: ['ledger-report'], responsible: 'agent_a' })],
        at: ['/tests/2/responsible'],
      },
      { with: 'a consumer', changes: [put('/tests/0/responsible', 'agent_a')], at: [] },
      {
        with: 'a test without interfaces',
        changes: [add('/tests/-', { ...TEST, interfaces: [], responsible: 'agent_a' })],
        at: [],
      },
    ],
  },
  SINGLE_EXECUTOR: {
    severity: 'warning',
    cases: [
      { with: 'one executor of all', changes: [put('/tests/1/executor', 'agent_a')], at: ['/tests'] },
      { with: 'one test', changes: [drop('/tests/1')], at: [] },
    ],
  },
  ONE_SIDED_KINDS: {
    severity: 'warning',
    cases: [
      {
        with: 'kinds of one builder',
        changes: [drop('/tests/0/evidence_policy/per_agent_kinds/agent_b')],
        at: ['/tests/0/evidence_policy/per_agent_kinds'],
      },
      {
        with: 'an empty list of kinds',
        changes: [put('/tests/0/evidence_policy/per_agent_kinds/agent_a', [])],
        at: ['/tests/0/evidence_policy/per_agent_kinds'],
      },
      { with: 'no kinds', changes: [drop('/tests/0/evidence_policy/per_agent_kinds')], at: [] },
      { with: 'kinds of nobody', changes: [put('/tests/0/evidence_policy/per_agent_kinds', {})], at: [] },
    ],
  },
  RUN_CARRIED_OVER: {
    severity: 'error',
    cases: [
      {
        with: 'a level beside carry',
        changes: [put('/tests/0/evidence_policy', { level: 'recorded', carry: 'owner' })],
        at: ['/tests/0/evidence_policy/carry'],
      },
      {
        with: 'named tests beside carry',
        changes: [put('/tests/0/evidence_policy', { per_agent_tests: { agent_b: ['books once'] }, carry: 'owner' })],
        at: ['/tests/0/evidence_policy/carry'],
      },
      { with: 'carry alone', changes: [put('/tests/0/evidence_policy', { level: 'claimed', carry: 'owner' })], at: [] },
      { with: 'a level alone', changes: [put('/tests/0/evidence_policy', { level: 'recorded' })], at: [] },
    ],
  },
  CI_CORRELATED: {
    severity: 'warning',
    cases: [
      {
        with: 'the level ci',
        changes: [put('/tests/0/evidence_policy', { level: 'ci' })],
        at: ['/tests/0/evidence_policy/correlated'],
      },
      {
        with: 'the level ci, not correlated',
        changes: [put('/tests/0/evidence_policy', { level: 'ci', correlated: false })],
        at: [],
      },
    ],
  },
  RUN_WITHOUT_TESTS: {
    severity: 'warning',
    cases: [
      {
        with: 'a level and names of one builder',
        changes: [put('/tests/0/evidence_policy', { level: 'recorded', per_agent_tests: { agent_a: ['books once'] } })],
        at: ['/tests/0/evidence_policy'],
      },
      {
        with: 'a level and names of both builders',
        changes: [
          put('/tests/0/evidence_policy', {
            level: 'recorded',
            per_agent_tests: { agent_a: ['books once'], agent_b: ['keeps > the key'] },
          }),
        ],
        at: [],
      },
      {
        with: 'names without a level',
        changes: [put('/tests/0/evidence_policy', { per_agent_tests: { agent_a: ['books once'] } })],
        at: [],
      },
    ],
  },
  GATE_RUN_TOO_EARLY: {
    severity: 'error',
    cases: [
      { with: 'a run for the build', changes: [add('/gates/0/run', { by: 'agent_a' })], at: ['/gates/0/run'] },
      { with: 'a run for the deployment', changes: [add('/gates/1/run', { by: 'agent_a' })], at: [] },
    ],
  },
  GATE_MISSING: {
    severity: 'warning',
    cases: [
      { with: 'no gates', changes: [put('/gates', [])], at: ['/gates', '/gates', '/gates'] },
      { with: 'two of one stage and none of another', changes: [put('/gates/2/stage', 'build')], at: ['/gates'] },
      {
        with: 'a second of one stage',
        changes: [add('/gates/-', { id: 'gate-more', title: 'Tidy', stage: 'build', condition: 'No warnings.' })],
        at: [],
      },
    ],
  },
};
