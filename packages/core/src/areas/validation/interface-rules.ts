import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { byId, type Contract, type ContractInterface, type ContractTask } from '../document/contract.ts';
import type { ContractRule } from './rule.ts';

/** Whether one builder provides the interface and the other builder consumes it. */
const isShared = ({ provider, consumers }: ContractInterface): boolean => consumers.includes(otherBuilder(provider));

export const partiesOf = ({ provider, consumers }: ContractInterface): ReadonlySet<Builder> =>
  new Set([provider, ...consumers.filter(isBuilder)]);

/** For each interface id, the assignees of the tasks that name the interface. */
function assigneesByInterface(tasks: readonly ContractTask[]): Map<string, Set<Builder>> {
  const assignees = new Map<string, Set<Builder>>();
  for (const { assignee, interfaces } of tasks) {
    for (const id of interfaces) {
      const known = assignees.get(id);
      if (known) known.add(assignee);
      else assignees.set(id, new Set([assignee]));
    }
  }
  return assignees;
}

interface PlacedOperation {
  readonly operation: ContractInterface['operations'][number];
  readonly pointer: string;
  readonly of: ContractInterface;
}

function* operationsOf({ interfaces }: Contract, kind: ContractInterface['kind']): Generator<PlacedOperation> {
  for (const [at, of] of interfaces.entries())
    if (of.kind === kind)
      for (const [index, operation] of of.operations.entries())
        yield { operation, of, pointer: `/interfaces/${at}/operations/${index}` };
}

const isSaid = (payload: unknown): boolean =>
  payload !== undefined && payload !== null && !(typeof payload === 'string' && payload.trim() === '');

const PLACES = ['path', 'url', 'query', 'method', 'mutation'];

const saysWhere = (request: unknown): boolean =>
  isRecord(request) && PLACES.some((member) => Object.hasOwn(request, member));

/** Rules about interfaces and their operations. */
export const INTERFACE_RULES: readonly ContractRule[] = [
  {
    code: 'INTERFACE_WITHOUT_CONSUMER',
    severity: 'error',
    explanation: 'Each interface must have a consumer.',
    hint: 'Name the consumers (agent_a, agent_b or external:<name>), or remove the interface.',

    *check({ interfaces }) {
      for (const [at, { id, consumers }] of interfaces.entries())
        if (consumers.length === 0)
          yield { pointer: `/interfaces/${at}/consumers`, message: `Nobody consumes interface ${id}.` };
    },
  },
  {
    code: 'INTERFACE_WITHOUT_PROVIDER_TASK',
    severity: 'error',
    explanation: 'The provider of an interface must have a task that names it.',
    hint: 'Give the provider a task that names the interface, or correct the provider.',

    *check({ interfaces, tasks }) {
      const assignees = assigneesByInterface(tasks);
      for (const [at, { id, provider }] of interfaces.entries())
        if (!assignees.get(id)?.has(provider))
          yield { pointer: `/interfaces/${at}/provider`, message: `No task of ${provider} names interface ${id}.` };
    },
  },
  {
    code: 'INTERFACE_WITHOUT_CONSUMER_TASK',
    severity: 'warning',
    explanation: 'Each builder that consumes an interface must have a task that names it.',
    hint: 'Give the consumer a task that names the interface, or remove the builder from consumers.',

    *check({ interfaces, tasks }) {
      const assignees = assigneesByInterface(tasks);
      for (const [at, { id, provider, consumers }] of interfaces.entries())
        for (const [index, consumer] of consumers.entries())
          if (isBuilder(consumer) && consumer !== provider && !assignees.get(id)?.has(consumer))
            yield {
              pointer: `/interfaces/${at}/consumers/${index}`,
              message: `No task of ${consumer} names interface ${id}.`,
            };
    },
  },
  {
    code: 'INTERFACE_SELF_CONSUMED',
    severity: 'warning',
    explanation: 'Each interface must have a consumer other than its provider.',
    hint: 'Name the real consumers, or remove the interface.',

    *check({ interfaces }) {
      for (const [at, { id, provider, consumers }] of interfaces.entries())
        if (consumers.length > 0 && consumers.every((consumer) => consumer === provider))
          yield {
            pointer: `/interfaces/${at}/consumers`,
            message: `Interface ${id} is consumed only by its provider.`,
          };
    },
  },
  {
    code: 'INTERFACE_NOT_TESTED',
    severity: 'warning',
    explanation: 'A test must name each shared interface.',
    hint: 'Add a test that names the interface and runs through both services.',

    *check({ interfaces, tests }) {
      const tested = new Set(tests.flatMap((test) => test.interfaces));
      for (const [at, item] of interfaces.entries())
        if (isShared(item) && !tested.has(item.id))
          yield { pointer: `/interfaces/${at}`, message: `No test names interface ${item.id}, which both sides use.` };
    },
  },
  {
    code: 'NO_SHARED_INTERFACE',
    severity: 'warning',
    explanation: 'One builder must provide at least one interface that the other consumes.',
    hint: 'Write down what one side provides and the other consumes: routes, events, files, tables.',

    *check({ interfaces }) {
      if (!interfaces.some(isShared))
        yield { pointer: '/interfaces', message: 'No interface is provided by one builder and consumed by the other.' };
    },
  },
  {
    code: 'UNDECLARED_INTERFACE_USE',
    severity: 'warning',
    explanation: 'A builder whose task names an interface must provide or consume it.',
    hint: 'Add the assignee to the consumers of the interface, or remove the interface from the task.',

    *check({ interfaces, tasks }) {
      const parties = new Map(Array.from(byId(interfaces), ([id, item]) => [id, partiesOf(item)]));
      for (const [at, task] of tasks.entries())
        for (const [index, id] of task.interfaces.entries())
          if (parties.get(id)?.has(task.assignee) === false)
            yield {
              pointer: `/tasks/${at}/interfaces/${index}`,
              message: `${task.assignee} neither provides nor consumes interface ${id}.`,
            };
    },
  },
  {
    code: 'INTERFACE_WITHOUT_OPERATIONS',
    severity: 'warning',
    explanation: 'Each interface must list its operations.',
    hint: 'List each route, event, command or file, each with its request and its response.',

    *check({ interfaces }) {
      for (const [at, { id, kind, operations }] of interfaces.entries())
        if (kind !== 'ui' && operations.length === 0)
          yield { pointer: `/interfaces/${at}/operations`, message: `Interface ${id} has no operations.` };
    },
  },
  {
    code: 'DUPLICATE_OPERATION',
    severity: 'error',
    explanation: 'An interface must describe an operation only once.',
    hint: 'Merge the two operations, or give them different names.',

    *check({ interfaces }) {
      for (const [at, { id, operations }] of interfaces.entries()) {
        const seen = new Set<string>();
        for (const [index, operation] of operations.entries()) {
          const name = operation.name.trim();
          if (seen.has(name))
            yield {
              pointer: `/interfaces/${at}/operations/${index}/name`,
              message: `Interface ${id} already has an operation with this name.`,
            };
          seen.add(name);
        }
      }
    },
  },
  {
    code: 'HTTP_OPERATION_WITHOUT_PATH',
    severity: 'warning',
    explanation: 'The name of an HTTP operation must contain its method and path.',
    hint: 'Name the operation by its method and path, for example POST /v1/captures.',

    *check(contract) {
      for (const { operation, pointer, of } of operationsOf(contract, 'http'))
        if (!operation.name.includes('/') && !saysWhere(operation.request))
          yield { pointer: `${pointer}/name`, message: `The name of an operation of interface ${of.id} has no path.` };
    },
  },
  {
    code: 'HTTP_OPERATION_WITHOUT_RESPONSE',
    severity: 'warning',
    explanation: 'Each HTTP operation must describe its response.',
    hint: 'In the member response, describe the answer: its status, and its body as a JSON Schema, an example or a sentence.',

    *check(contract) {
      for (const { operation, pointer, of } of operationsOf(contract, 'http'))
        if (!isSaid(operation.response))
          yield { pointer, message: `An operation of interface ${of.id} does not describe its response.` };
    },
  },
  {
    code: 'HTTP_OPERATION_WITHOUT_ERRORS',
    severity: 'warning',
    explanation: 'Each HTTP operation must list its errors: they tell its consumer when to retry.',
    hint: 'In the member errors of the operation, list every status and error code that its consumer must handle separately.',

    *check(contract) {
      for (const { operation, pointer, of } of operationsOf(contract, 'http'))
        if (!operation.errors?.length)
          yield { pointer, message: `An operation of interface ${of.id} lists no errors.` };
    },
  },
  {
    code: 'EVENT_WITHOUT_PAYLOAD',
    severity: 'warning',
    explanation: 'Each event must describe its payload in request.',
    hint: 'In the member request, describe the data of the event: as a JSON Schema, an example or a sentence.',

    *check(contract) {
      for (const { operation, pointer, of } of operationsOf(contract, 'event'))
        if (!isSaid(operation.request) && !isSaid(operation.response))
          yield { pointer, message: `An event of interface ${of.id} does not describe its payload.` };
    },
  },
];
