import fc from 'fast-check';

/** Generates contracts that fit the schema. They are described here independently of the schema under test. */

const text = fc.oneof(
  fc.constantFrom('x', 'A sentence.', ' padded ', '\nline', '日本', '0'),
  fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).filter((value) => value.trim() !== ''),
);
const id = fc.oneof(
  fc.constantFrom('a', 'T-1', 'req_2.b', '9'),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/),
);
const builder = fc.constantFrom('agent_a', 'agent_b');
const consumer = fc.oneof(
  builder,
  fc.constantFrom('external:shop', 'external: the shop', 'external::', 'external:\u{1f6d2}'),
);
const evidenceKind = fc.constantFrom('http_exchange', 'log', 'test_report', 'trace', 'screenshot', 'metric', 'manual');
const anything = fc.jsonValue({ maxDepth: 2 });
const record = fc.dictionary(
  fc.string({ maxLength: 6 }).filter((name) => name !== '__proto__'),
  anything,
  { maxKeys: 3 },
);
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }, optional: readonly (keyof T)[] = []) => {
  const required = Object.keys(members).filter((name) => !optional.some((other) => other === name));
  return fc.record<Record<string, unknown>>({ ...members }, { requiredKeys: required, noNullPrototype: true });
};

const operation = some({ name: text, request: anything, response: anything, errors: list(fc.oneof(text, record)) }, [
  'request',
  'response',
  'errors',
]);

const anInterface = some({
  id,
  name: text,
  kind: fc.constantFrom('http', 'event', 'library', 'cli', 'data', 'ui'),
  provider: builder,
  consumers: list(consumer),
  description: text,
  operations: list(operation),
});

const task = some({
  id,
  title: text,
  assignee: builder,
  requirements: list(id),
  interfaces: list(id),
  depends_on: list(id),
  deliverables: list(text),
  done_when: list(text),
});

const evidencePolicy = some(
  {
    per_agent_kinds: some({ agent_a: list(evidenceKind), agent_b: list(evidenceKind) }, ['agent_a', 'agent_b']),
    min_items: fc.integer({ min: 1, max: 20 }),
    correlated: fc.boolean(),
  },
  ['per_agent_kinds', 'min_items', 'correlated'],
);

const aTest = some(
  {
    id,
    title: text,
    given: text,
    when: text,
    // biome-ignore lint/suspicious/noThenProperty: `then` is a member of a contract's test.
    then: text,
    executor: builder,
    responsible: builder,
    requirements: list(id),
    interfaces: list(id),
    depends_on: list(id),
    evidence_policy: evidencePolicy,
  },
  ['responsible', 'evidence_policy'],
);

const gate = some(
  { id, title: text, stage: fc.constantFrom('build', 'deployment', 'activation'), condition: text, evidence: text },
  ['evidence'],
);

export const aContract: fc.Arbitrary<unknown> = some(
  {
    schema_version: fc.constant('1'),
    title: text,
    summary: text,
    scope: some({ in: list(text), out: list(text) }),
    decisions: list(id),
    interfaces: list(anInterface),
    data_models: list(some({ id, name: text, json_schema: fc.oneof(record, fc.boolean()) })),
    tasks: list(task),
    tests: list(aTest),
    gates: list(gate),
    risks: list(some({ id, text, mitigation: text, assignee: builder })),
    safety_conditions: list(some({ id, text, covered_by: list(id) })),
    dependencies: list(some({ name: text, version: text, assignee: builder, why: text }, ['version'])),
    rollout: some({ steps: list(text), rollback: text }),
    fixture_version: text,
    artifacts: list(
      some({
        filename: text,
        media_type: text,
        audience: fc.constantFrom('agent_a', 'agent_b', 'both'),
        content: fc.string({ maxLength: 10 }),
      }),
    ),
  },
  ['schema_version'],
);
