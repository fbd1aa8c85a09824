import { add, drop, INTERFACE, put, TASK } from '../changes.ts';
import type { RuleCases } from './rule-case.ts';

const REPORT = [add('/interfaces/-', INTERFACE), add('/tasks/0/interfaces/-', 'ledger-report')];

export const interfaceCases: RuleCases = {
  INTERFACE_WITHOUT_CONSUMER: {
    severity: 'error',
    cases: [
      { with: 'an empty list', changes: [put('/interfaces/1/consumers', [])], at: ['/interfaces/1/consumers'] },
      { with: 'a consumer from outside alone', changes: REPORT, at: [] },
    ],
  },
  INTERFACE_WITHOUT_PROVIDER_TASK: {
    severity: 'error',
    cases: [
      {
        with: 'only a task of the consumer',
        changes: [put('/tasks/0/interfaces', [])],
        at: ['/interfaces/0/provider'],
      },
      { with: 'no task at all', changes: [add('/interfaces/-', INTERFACE)], at: ['/interfaces/2/provider'] },
      { with: 'a task of the provider', changes: REPORT, at: [] },
    ],
  },
  INTERFACE_WITHOUT_CONSUMER_TASK: {
    severity: 'warning',
    cases: [
      {
        with: 'only a task of the provider',
        changes: [put('/tasks/3/interfaces', [])],
        at: ['/interfaces/1/consumers/0'],
      },
      { with: 'a consumer from outside', changes: REPORT, at: [] },
      {
        with: 'the provider among the consumers',
        changes: [...REPORT, put('/interfaces/2/consumers', ['agent_b', 'external:finance'])],
        at: [],
      },
    ],
  },
  INTERFACE_SELF_CONSUMED: {
    severity: 'warning',
    cases: [
      {
        with: 'the provider alone',
        changes: [...REPORT, put('/interfaces/2/consumers', ['agent_b'])],
        at: ['/interfaces/2/consumers'],
      },
      {
        with: 'the provider and others',
        changes: [...REPORT, put('/interfaces/2/consumers', ['agent_b', 'external:finance'])],
        at: [],
      },
    ],
  },
  INTERFACE_NOT_TESTED: {
    severity: 'warning',
    cases: [
      { with: 'no test that names it', changes: [put('/tests/1/interfaces', ['captures-api'])], at: ['/interfaces/1'] },
      { with: 'no tests', changes: [put('/tests', [])], at: ['/interfaces/0', '/interfaces/1'] },
      { with: 'one that only others use', changes: REPORT, at: [] },
    ],
  },
  NO_SHARED_INTERFACE: {
    severity: 'warning',
    cases: [
      { with: 'no interfaces', changes: [put('/interfaces', [])], at: ['/interfaces'] },
      {
        with: 'consumers from outside alone',
        changes: [put('/interfaces/0/consumers', ['external:web']), put('/interfaces/1/consumers', ['external:web'])],
        at: ['/interfaces'],
      },
      { with: 'one that is shared', changes: [drop('/interfaces/1')], at: [] },
    ],
  },
  UNDECLARED_INTERFACE_USE: {
    severity: 'warning',
    cases: [
      {
        with: 'a task of neither provider nor consumer',
        changes: [...REPORT, add('/tasks/2/interfaces/-', 'ledger-report')],
        at: ['/tasks/2/interfaces/1'],
      },
      {
        with: 'a task of the provider',
        changes: [...REPORT, add('/tasks/-', { ...TASK, interfaces: ['ledger-report'] })],
        at: [],
      },
    ],
  },
  INTERFACE_WITHOUT_OPERATIONS: {
    severity: 'warning',
    cases: [
      {
        with: 'routes, events and files left out',
        changes: [...REPORT, ...[0, 1, 2].map((at) => put(`/interfaces/${at}/operations`, []))],
        at: ['/interfaces/0/operations', '/interfaces/1/operations', '/interfaces/2/operations'],
      },
      {
        with: 'a user interface',
        changes: [...REPORT, put('/interfaces/2/operations', []), put('/interfaces/2/kind', 'ui')],
        at: [],
      },
    ],
  },
  DUPLICATE_OPERATION: {
    severity: 'error',
    cases: [
      {
        with: 'a name of before, with a space',
        changes: [put('/interfaces/1/operations/1/name', ' capture.settled ')],
        at: ['/interfaces/1/operations/1/name'],
      },
      {
        with: 'the same name in another interface',
        changes: [...REPORT, put('/interfaces/2/operations/0/name', 'capture.settled')],
        at: [],
      },
    ],
  },
  HTTP_OPERATION_WITHOUT_PATH: {
    severity: 'warning',
    cases: [
      {
        with: 'a bare name',
        changes: [put('/interfaces/0/operations/0/name', 'createCapture')],
        at: ['/interfaces/0/operations/0/name'],
      },
      {
        with: 'a request that names the path',
        changes: [
          put('/interfaces/0/operations/0/name', 'createCapture'),
          put('/interfaces/0/operations/0/request', { method: 'POST', path: '/v1/captures' }),
        ],
        at: [],
      },
      { with: 'an event', changes: [put('/interfaces/1/operations/0/name', 'settled')], at: [] },
    ],
  },
  HTTP_OPERATION_WITHOUT_RESPONSE: {
    severity: 'warning',
    cases: [
      {
        with: 'no response',
        changes: [drop('/interfaces/0/operations/0/response')],
        at: ['/interfaces/0/operations/0'],
      },
      {
        with: 'a response of null and of blanks',
        changes: [put('/interfaces/0/operations/0/response', null), put('/interfaces/0/operations/1/response', ' ')],
        at: ['/interfaces/0/operations/0', '/interfaces/0/operations/1'],
      },
      {
        with: 'a response as a JSON Schema',
        changes: [put('/interfaces/0/operations/0/response', { type: 'object' })],
        at: [],
      },
      { with: 'an event without one', changes: [], at: [] },
    ],
  },
  HTTP_OPERATION_WITHOUT_ERRORS: {
    severity: 'warning',
    cases: [
      {
        with: 'none and an empty list',
        changes: [drop('/interfaces/0/operations/0/errors'), put('/interfaces/0/operations/1/errors', [])],
        at: ['/interfaces/0/operations/0', '/interfaces/0/operations/1'],
      },
      { with: 'one line', changes: [put('/interfaces/0/operations/0/errors', ['503 when busy'])], at: [] },
    ],
  },
  EVENT_WITHOUT_PAYLOAD: {
    severity: 'warning',
    cases: [
      {
        with: 'no request and no response',
        changes: [drop('/interfaces/1/operations/1/request')],
        at: ['/interfaces/1/operations/1'],
      },
      {
        with: 'the payload as response',
        changes: [
          drop('/interfaces/1/operations/1/request'),
          add('/interfaces/1/operations/1/response', { capture_id: 'c-1' }),
        ],
        at: [],
      },
      { with: 'a route without a request', changes: [drop('/interfaces/0/operations/0/request')], at: [] },
    ],
  },
};
