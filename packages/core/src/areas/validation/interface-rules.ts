import { memoizeBy } from '../../kernel/maps.ts';
import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { byId, type Contract, type ContractInterface, type ContractTask } from '../document/contract.ts';
import { namesIn } from '../document/json-pointer.ts';
import { faultAt, membersOf, type Place, placeOf } from './nodes.ts';
import type { ContractRule, Fault } from './rule.ts';

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

/** A JSON Schema in a data model: the schema of the model itself, or a schema inside that schema. */
interface SchemaNode {
  readonly schema: Record<string, unknown>;
  readonly place: Place | null;
}

/** The schemas of a data model, the outermost first. */
interface ModelSchemas {
  readonly id: string;
  readonly root: unknown;
  readonly nodes: readonly SchemaNode[];
}

const modelSchemas = memoizeBy(({ data_models }: Contract): readonly ModelSchemas[] =>
  data_models.map(({ id, json_schema }, at) => ({
    id,
    root: json_schema,
    nodes: schemasIn(json_schema, placeOf('data_models', at, 'json_schema')),
  })),
);

const ONE = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const BY_NAME = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

interface Candidate {
  readonly value: unknown;
  readonly place: Place | null;
}

/**
 * A JSON Schema and all schemas inside it. The values of enum, const, examples and similar keywords are skipped,
 * because they are data. A loop instead of recursion, because deep nesting would exhaust the stack.
 */
function schemasIn(root: unknown, place: Place | null): SchemaNode[] {
  const nodes: SchemaNode[] = [];
  const waiting: Candidate[] = [{ value: root, place }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!isRecord(next.value)) continue;
    nodes.push({ schema: next.value, place: next.place });
    for (const [keyword, value] of Object.entries(next.value)) {
      const inner = { value, place: { part: keyword, within: next.place } };
      if (ONE.has(keyword) && isRecord(value)) waiting.push(inner);
      else if (isHolder(keyword, value)) for (const member of held(inner)) waiting.push(member);
    }
  }
  return nodes;
}

const isHolder = (keyword: string, value: unknown): boolean =>
  Array.isArray(value) ? LIST.has(keyword) : BY_NAME.has(keyword);

const held = ({ value, place }: Candidate): Candidate[] =>
  membersOf(value).map(([part, member]) => ({ value: member, place: { part, within: place } }));

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function isTypeKnown(schema: Record<string, unknown>): boolean {
  if (!Object.hasOwn(schema, 'type')) return true;
  const { type } = schema;
  return Array.isArray(type) ? type.length > 0 && type.every((one) => TYPES.has(one)) : TYPES.has(type);
}

/**
 * Whether a schema inside the data model has its own `$id`. Inside such a schema, `#` stands for that schema instead of
 * the whole model, so the references of the model are not checked.
 */
const hasOtherRoots = ({ nodes: [, ...inner] }: ModelSchemas): boolean =>
  inner.some(({ schema }) => Object.hasOwn(schema, '$id'));

function* lostRefs({ id, root, nodes }: ModelSchemas): Generator<Fault> {
  const known = new Map<string, boolean>();
  for (const { schema, place } of nodes.filter(hasLocalRef))
    if (!pointsInto(root, String(schema.$ref), known))
      yield faultAt(
        { part: '$ref', within: place },
        `A $ref in data model ${id} points to a schema that its json_schema does not contain.`,
      );
}

const hasLocalRef = ({ schema }: SchemaNode): boolean =>
  Object.hasOwn(schema, '$ref') && typeof schema.$ref === 'string' && schema.$ref.startsWith('#/');

function pointsInto(root: unknown, ref: string, known: Map<string, boolean>): boolean {
  const isKnown = known.get(ref) ?? leadsSomewhere(root, ref);
  known.set(ref, isKnown);
  return isKnown;
}

function leadsSomewhere(root: unknown, ref: string): boolean {
  let node = root;
  for (const name of namesIn(decoded(ref.slice(1))).slice(1)) {
    if (!(isRecord(node) || Array.isArray(node)) || !Object.hasOwn(node, name)) return false;
    node = Reflect.get(node, name);
  }
  return true;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function* impossibleIn({
  required,
  properties = {},
  additionalProperties,
  patternProperties,
}: Schema): Generator<number> {
  if (!Array.isArray(required) || !isRecord(properties)) return;
  if (additionalProperties !== false || patternProperties !== undefined) return;
  for (const [index, name] of required.entries())
    if (typeof name === 'string' && !Object.hasOwn(properties, name)) yield index;
}

type Schema = Readonly<Record<string, unknown>>;

/** Rules about the JSON Schemas of data models. */
export const DATA_MODEL_RULES: readonly ContractRule[] = [
  {
    code: 'DATA_MODEL_TYPE_UNKNOWN',
    severity: 'error',
    explanation: 'A type must be one of the seven of JSON Schema.',
    hint: 'Use string, number, integer, boolean, object, array or null; a date is a string with a format.',

    *check(contract) {
      for (const { id, nodes } of modelSchemas(contract))
        for (const { schema, place } of nodes)
          if (!isTypeKnown(schema))
            yield faultAt(
              { part: 'type', within: place },
              `Data model ${id} uses a type that JSON Schema does not know.`,
            );
    },
  },
  {
    code: 'DATA_MODEL_REF_UNKNOWN',
    severity: 'warning',
    explanation: 'A $ref that begins with # must point into the same json_schema.',
    hint: 'Put the referenced schema under $defs of the same json_schema and point to it.',

    *check(contract) {
      for (const model of modelSchemas(contract)) if (!hasOtherRoots(model)) yield* lostRefs(model);
    },
  },
  {
    code: 'DATA_MODEL_UNSATISFIABLE',
    severity: 'error',
    explanation: 'If additionalProperties is false, each required member must be declared.',
    hint: 'Declare the member under properties, spelled as in required.',

    *check(contract) {
      for (const { id, nodes } of modelSchemas(contract))
        for (const { schema, place } of nodes)
          for (const index of impossibleIn(schema))
            yield faultAt(
              { part: index, within: { part: 'required', within: place } },
              `Data model ${id} requires a member that it does not allow.`,
            );
    },
  },
];
