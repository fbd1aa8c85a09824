import { type JsonSchema, mapInner } from '../../kernel/operation/json-schema.ts';
import type { SubmittedContract } from './contract.ts';
import { CONTRACT_JSON_SCHEMA } from './example.ts';
import { withShared } from './shown-changes.ts';

/** Keywords that the short schema leaves out, so that it accepts everything that the whole schema accepts. */
const LIMITS: ReadonlySet<string> = new Set([
  'pattern',
  'minimum',
  'maximum',
  'maxItems',
  'propertyNames',
  'additionalProperties',
]);

/** A member of each test that every author may leave out, and that is long. */
const EVIDENCE_POLICY: JsonSchema = { description: 'What proves a pass, if not one item of each agent.' };

/** The schema of a contract for an author who may leave sections out. It names these sections, and shows the others. */
export function shortSchema(optional: readonly string[]): JsonSchema {
  const { properties = {}, required = [] } = CONTRACT_JSON_SCHEMA;
  const { schema_version: _, ...sections } = properties;
  const shown = Object.entries(sections).filter(([name]) => !optional.includes(name));
  return withShared({
    type: 'object',
    description: `Ids: 1 to 60 letters, digits, "_", "." or "-". No empty text, no unknown member. May be left out: ${optional.join(', ')}, evidence_policy of tests; whole: true shows their members. A test with the id of an agenda scenario may leave out what that says, and depends_on.`,
    properties: Object.fromEntries(shown.map(([name, schema]) => [name, short(schema)])),
    required: required.filter((name) => !optional.includes(name)),
  });
}

function short(schema: JsonSchema): JsonSchema {
  if (schema.properties?.level) return EVIDENCE_POLICY;
  const { description, ...rest } = mapInner(schema, short);
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !LIMITS.has(keyword)));
  return schema.pattern === undefined && description !== undefined ? { ...kept, description } : kept;
}

/** A small contract without the sections that a light session may leave out. Breaks no rule that applies to it. */
export const SHORT_EXAMPLE: SubmittedContract = {
  title: 'Orders tell the carrier',
  summary: 'The shop (agent_b) names the carrier of an order; the app (agent_a) shows it.',
  decisions: ['d_1'],
  interfaces: [
    {
      id: 'orders',
      name: 'Orders of the shop',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a', 'external: support desk'],
      description: 'An order has a new member, carrier.',
      operations: [
        {
          name: 'GET /v1/orders/{id}',
          response: { status: 200, body: { id: 'o-1', carrier: 'DHL' } },
          errors: ['404 ORDER_UNKNOWN'],
        },
      ],
    },
  ],
  tasks: [
    {
      id: 'task-name',
      title: 'Add carrier to orders',
      assignee: 'agent_b',
      requirements: ['req-1'],
      interfaces: ['orders'],
      depends_on: [],
      deliverables: ['Member carrier'],
      done_when: ['GET /v1/orders/o-1 contains carrier.'],
    },
    {
      id: 'task-show',
      title: 'Show the carrier',
      assignee: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['orders'],
      depends_on: ['task-name'],
      deliverables: ['Line in the order page'],
      done_when: ['The page of o-1 says DHL.'],
    },
  ],
  tests: [
    {
      id: 'test-carrier',
      title: 'The page shows the carrier',
      given: 'Order o-1 goes with DHL.',
      when: 'The app opens the page of o-1.',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      then: 'The page says DHL.',
      executor: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['orders'],
      depends_on: [],
    },
  ],
};
