import type { AgentClient } from '@parley/core';
import type { Pen } from './pen.ts';

export type Json = Readonly<Record<string, unknown>>;

export const REQUIREMENT = 'req-1';
export const MAPPING = { requirement_id: REQUIREMENT, tasks: ['task-a', 'task-b'], tests: ['test-1', 'test-2'] };

interface ContractParts {
  readonly fixtureVersion: string;
  readonly filenames: readonly [string, string];
}

/** A contract of agent_a. `pen` makes the hostile text for each of its text fields. */
export function writeContract(pen: Pen, { fixtureVersion, filenames }: ContractParts): Json {
  const text = (field: string) => pen.write('agent_a', `contract ${field}`);
  const line = (field: string, maxChars: number) => pen.writeLine('agent_a', `contract ${field}`, maxChars);
  return {
    title: text('title'),
    summary: text('summary'),
    scope: { in: [text('scope.in[]')], out: [text('scope.out[]')] },
    decisions: ['d_1', 'd_2'],
    interfaces: [writeInterface(pen)],
    data_models: [{ id: 'model', name: text('data_models[].name'), json_schema: writeSchema(pen) }],
    tasks: [task('task-a', 'agent_a', ['task-b']), task('task-b', 'agent_b', [])],
    tests: [test('test-1', 'agent_a', 'agent_b', []), test('test-2', 'agent_b', 'agent_a', ['test-1']), demanding()],
    gates: ['build', 'deployment', 'activation'].map((stage) => ({
      ...{ id: `gate-${stage}`, title: text('gates[].title'), stage },
      ...{ condition: text('gates[].condition'), evidence: text('gates[].evidence') },
      ...(stage === 'activation' && {
        run: { by: 'agent_a', command: line('gates[].run.command', 400), tests: [line('gates[].run.tests[]', 250)] },
      }),
    })),
    risks: [{ id: 'risk', text: text('risks[].text'), mitigation: text('risks[].mitigation'), assignee: 'agent_b' }],
    safety_conditions: [{ id: 'safe', text: text('safety_conditions[].text'), covered_by: ['test-1'] }],
    dependencies: ['agent_a', 'agent_b'].map((assignee) => ({
      ...{ name: text('dependencies[].name'), version: text('dependencies[].version'), assignee },
      why: text('dependencies[].why'),
    })),
    rollout: { steps: [text('rollout.steps[]')], rollback: text('rollout.rollback') },
    fixture_version: fixtureVersion,
    artifacts: filenames.map((filename, index) => ({
      ...{ filename, media_type: text('artifacts[].media_type'), audience: index === 0 ? 'both' : 'agent_b' },
      content: text('artifacts[].content'),
    })),
  };

  /** A test that demands a run, so that no pass of it can be carried over. */
  function demanding(): Json {
    const names = (by: string) => [line(`tests[].evidence_policy.per_agent_tests.${by}[]`, 40)];
    const per_agent_tests = { agent_a: names('agent_a'), agent_b: names('agent_b') };
    return { ...test('test-3', 'agent_a', 'agent_b', []), evidence_policy: { per_agent_tests } };
  }

  function task(id: string, assignee: string, depends_on: readonly string[]): Json {
    return {
      ...{ id, title: text('tasks[].title'), assignee, requirements: [REQUIREMENT], interfaces: ['api'], depends_on },
      ...{ deliverables: [text('tasks[].deliverables[]')], done_when: [text('tasks[].done_when[]')] },
    };
  }

  function test(id: string, executor: string, responsible: string, depends_on: readonly string[]): Json {
    return {
      ...{ id, title: text('tests[].title'), given: text('tests[].given'), when: text('tests[].when') },
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
      then: text('tests[].then'),
      ...{ executor, responsible, requirements: [REQUIREMENT], interfaces: ['api'], depends_on },
      evidence_policy: { carry: 'owner' },
    };
  }
}

/** The line break makes the service show a payload as a block. */
export const LINES = 'In lines:\n';

function writeInterface(pen: Pen): Json {
  const text = (field: string) => pen.write('agent_a', `contract interfaces[].${field}`);
  const line = (field: string) => pen.writeLine('agent_a', `contract interfaces[].${field}`);
  const shape = (field: string) => ({ [text(field)]: text(field), padding: 'p'.repeat(100) });
  return {
    ...{ id: 'api', name: text('name'), kind: 'http', provider: 'agent_b' },
    consumers: ['agent_a', `external:${line('consumers[]')}`],
    description: text('description'),
    operations: [
      {
        name: text('operations[].name'),
        request: shape('operations[].request'),
        response: line('operations[].response'),
        errors: [line('operations[].errors[]')],
      },
      {
        name: text('operations[].name'),
        request: `${LINES}${text('operations[].request')}`,
        response: shape('operations[].response'),
        errors: [shape('operations[].errors[]')],
      },
    ],
  };
}

function writeSchema(pen: Pen): Json {
  const text = () => pen.write('agent_a', 'contract data_models[].json_schema');
  return { type: 'object', title: text(), properties: { [text()]: { description: text() } }, padding: 'p'.repeat(100) };
}

const TRIES = 40;

/**
 * Replaces texts in which validation finds errors, until the contract is valid. `another` returns the new text for a
 * pointer.
 */
export async function mendContract(
  author: AgentClient,
  contract: Json,
  another: (pointer: string) => string,
): Promise<Json> {
  let mended = contract;
  for (let left = TRIES; left > 0; left -= 1) {
    const { errors } = await author.call('validate_contract_draft', { contract: { ...mended } });
    if (errors.length === 0) return mended;
    for (const { pointer } of errors) mended = withTextAt(mended, pointer, another(pointer));
  }
  throw new Error('The contract cannot be mended.');
}

function withTextAt(contract: Json, pointer: string, text: string): Json {
  const copy: Json = structuredClone(contract);
  const names = pointer.slice(1).split('/');
  const last = names.pop() ?? '';
  const holder = names.reduce<object>((value, name) => Object(Reflect.get(value, name)), copy);
  if (typeof Reflect.get(holder, last) !== 'string') throw new Error(`No text stands at ${pointer}.`);
  Reflect.set(holder, last, text);
  return copy;
}
