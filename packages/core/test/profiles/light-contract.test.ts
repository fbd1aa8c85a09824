import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { overBudget } from '../../../../test/support/budgets.ts';
import { SHORT_EXAMPLE } from '../../src/areas/contract/operations.ts';
import { PROFILES } from '../../src/areas/profiles.ts';
import { checkContract, RULE_LIST } from '../../src/areas/validation/validate.ts';
import { given } from '../../src/testing/index.ts';
import { SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { decided, play, submit } from '../story.ts';
import { LIGHT_CONTRACT } from './light-contract.ts';
import { hashIn, inLight, LIGHT, lightSubmitted } from './light-story.ts';

const FILLED = {
  scope: { in: [], out: [] },
  data_models: [],
  gates: [],
  risks: [],
  safety_conditions: [],
  dependencies: [],
  rollout: { steps: [], rollback: 'Left out: the profile of this session asks for no rollout.' },
  fixture_version: '1',
  artifacts: [],
};

const planIn = (past: Parameters<typeof given>[0]) => given(past, LIGHT).when('get_final_plan', {}, 'agent_b').reply();

describe('a contract in a light session', () => {
  test('is stored in the whole form, valid and without warnings', () => {
    const plan = planIn(lightSubmitted);
    expect(plan.contract).toEqual({ ...LIGHT_CONTRACT, ...FILLED });
    expect(plan).toMatchObject({ error_count: 0, warning_count: 0 });
    expect(Buffer.byteLength(JSON.stringify(LIGHT_CONTRACT))).toBeLessThan(2_500);
  });

  test('is validated as a draft with the hash that its revision then has', () => {
    const draft = given(decided, LIGHT)
      .when('validate_contract_draft', { contract: LIGHT_CONTRACT }, 'agent_a')
      .reply();
    expect(draft).toMatchObject({ valid: true, warnings: [], content_hash: hashIn(lightSubmitted) });
  });

  test('gets a section that a patch removes filled in again, and one that a patch writes stays', () => {
    const patched = inLight(lightSubmitted, [
      [
        'agent_a',
        'patch_contract',
        {
          expected_parent_id: 'r_1',
          reason: 'A gate.',
          ops: [
            { op: 'remove', path: '/rollout' },
            { op: 'add', path: '/gates/-', value: { id: 'g', title: 'G', stage: 'deployment', condition: 'It runs.' } },
          ],
        },
      ],
    ]);
    expect(planIn(patched).contract).toEqual({
      ...LIGHT_CONTRACT,
      ...FILLED,
      gates: [{ id: 'g', title: 'G', stage: 'deployment', condition: 'It runs.' }],
    });
    const diff = given(patched, LIGHT).when('get_revision_diff', {}, 'agent_b').reply();
    expect(diff.ops).toEqual([
      { op: 'add', path: '/gates/0', value: { id: 'g', title: 'G', stage: 'deployment', condition: 'It runs.' } },
    ]);
    const again = given(patched, LIGHT).when('revalidate_contract', {}, 'agent_b').reply();
    expect(again).toMatchObject({ valid: true, warning_count: 0 });
  });

  test('takes what its tests leave out from the scenarios of the same ids', () => {
    const [whole] = LIGHT_CONTRACT.tests;
    if (!whole) throw new Error('The contract has no test.');
    const { interfaces, depends_on: _, ...rest } = whole;
    const scenario = { ...rest, given: 'Stock of 3 units.' };
    const session = { profile: 'light' as const, agenda: { topics: [], scenarios: [scenario] } };
    const storedOf = (tests: readonly object[]) => {
      const past = play(decided, [submit('', { ...LIGHT_CONTRACT, tests })], { session });
      return given(past, { session }).when('get_final_plan', {}, 'agent_b').reply();
    };
    const own = { id: 'test-reserve', interfaces };
    expect(storedOf([own])).toMatchObject({
      contract: { tests: [{ ...scenario, ...own, depends_on: [] }] },
      error_count: 0,
    });
    const after = { ...own, depends_on: ['test-first'] };
    expect(storedOf([after])).toMatchObject({ contract: { tests: [{ ...scenario, ...after }] } });
    expect(storedOf([{ ...own, when: 'Later.' }])).toMatchObject({
      contract: { tests: [{ ...scenario, ...own, when: 'Later.' }] },
    });
    expect(storedOf([{ ...own, id: 'test-other' }])).toMatchObject({
      contract: { tests: [{ ...own, id: 'test-other' }] },
      validation_errors: expect.arrayContaining([expect.objectContaining({ pointer: '/tests/0/title' })]),
    });
    const draft = { contract: { ...LIGHT_CONTRACT, tests: [own] } };
    expect(given(decided, { session }).when('validate_contract_draft', draft, 'agent_a').reply()).toMatchObject({
      content_hash: storedOf([own]).content_hash,
    });
  });

  test('can be written by patches alone', () => {
    const { interfaces, ...rest } = LIGHT_CONTRACT;
    const ops = Object.entries({ ...rest, interfaces }).map(([name, value]) => ({
      op: 'add' as const,
      path: `/${name}`,
      value,
    }));
    const gate = { id: 'g', title: 'G', stage: 'activation', condition: 'It runs.' };
    const input = {
      expected_parent_id: '',
      reason: 'First.',
      ops: [...ops, { op: 'add', path: '/gates/-', value: gate }],
    };
    const patched = inLight(decided, [['agent_a', 'patch_contract', input]]);
    expect(planIn(patched).contract).toEqual({ ...LIGHT_CONTRACT, ...FILLED, gates: [gate] });
  });

  test('may be a whole one, with the rules of its sections', () => {
    const whole = inLight(decided, [submit('', SAMPLE_CONTRACT)]);
    expect(planIn(whole).contract).toEqual(SAMPLE_CONTRACT);
    const run = { by: 'agent_a' as const };
    const early = { ...SAMPLE_CONTRACT, gates: [{ id: 'g', title: 'G', stage: 'build', condition: 'C.', run }] };
    const checked = given(decided, LIGHT).when('validate_contract_draft', { contract: early }, 'agent_a').reply();
    expect(checked.errors.map(({ code }) => code)).toEqual(['GATE_RUN_TOO_EARLY']);
  });

  test('needs its six sections, and a session of the profile full needs all', () => {
    const { tests: _, ...without } = LIGHT_CONTRACT;
    const missing = (options: typeof LIGHT | undefined) =>
      given(decided, options)
        .when('validate_contract_draft', { contract: without }, 'agent_a')
        .reply()
        .errors.map(({ pointer }) => pointer);
    expect(missing(LIGHT)).toEqual(['/tests']);
    expect(missing(undefined)).toHaveLength(10);
  });

  test('names its requirements itself: the blocker asks for a patch, not for a preflight', () => {
    const tasks = LIGHT_CONTRACT.tasks.map((task) => ({ ...task, requirements: ['R1'] }));
    const tests = LIGHT_CONTRACT.tests.map((each) => ({ ...each, requirements: ['R1'] }));
    const unnamed = inLight(decided, [submit('', { ...LIGHT_CONTRACT, tasks, tests })]);
    const { blockers } = given(unnamed, LIGHT).when('list_blockers', {}, 'agent_a').reply();
    expect(blockers.map(({ code, resolution }) => [code, resolution.tool])).toEqual([
      ['VALIDATION_ERROR', 'patch_contract'],
      ['PREFLIGHT_MISSING', 'patch_contract'],
      ['REVIEW_MISSING', 'submit_final_review'],
      ['REVIEW_MISSING', 'submit_final_review'],
    ]);
  });
});

describe('get_contract_schema in a light session', () => {
  const answer = given([], LIGHT).when('get_contract_schema', {}, 'agent_a').reply();

  test('is within its budget', () => {
    expect(overBudget('get_contract_schema in a light session', Buffer.byteLength(JSON.stringify(answer)))).toEqual([]);
  });

  test('has a schema that accepts its example and a whole contract, and names what may be left out', () => {
    const accepts = new Ajv2020({ strict: true, strictRequired: false }).compile(answer.contract_schema);
    expect([accepts(answer.example), accepts(SAMPLE_CONTRACT), accepts({ title: 'T' })]).toEqual([true, true, false]);
    expect(answer.contract_schema.description).toContain(Object.keys(FILLED).join(', '));
  });

  test('shows with whole the sections that may be left out, as a full session does', () => {
    const whole = given([], LIGHT).when('get_contract_schema', { whole: true }, 'agent_a').reply();
    expect(whole).toEqual(given().when('get_contract_schema', {}, 'agent_a').reply());
  });

  test('has an example that breaks no rule that applies', () => {
    const { waived } = PROFILES.light;
    const mission = { requirementIds: ['req-1'], scenarioIds: [], fixtureVersion: '1', waived };
    expect(answer.example).toEqual(SHORT_EXAMPLE);
    expect(checkContract({ ...answer.example, ...FILLED }, mission).issues).toEqual([]);
  });

  test('tells rules that exist', () => {
    const { waived, shortSchemaRules: told = [] } = PROFILES.light;
    const codes = RULE_LIST.map(({ code }) => code);
    expect([...waived, ...told].filter((code) => !codes.includes(code))).toEqual([]);
    const [errors, warnings] = [0, 1].map((part) => answer.rules.join('\n').split('The rules below only warn.')[part]);
    expect(answer.rules).toHaveLength(told.length + 1);
    expect(errors).toContain('Ids must be unique; tasks, tests and gates share one set of ids.');
    expect(warnings).toContain('A test must name each shared interface.');
    expect(warnings).not.toContain('(warning)');
  });
});

describe('read_task in a light session', () => {
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a scenario.
  const words = { given: 'Stock of 2 units.', when: 'An order of 2 units is placed.', then: '2 units are reserved.' };
  const scenarios = ['reserve', 'expiry', 'outage'].map((id) => ({
    id: `test-${id}`,
    title: `The ${id} of a reservation`,
    ...words,
    requirements: ['R1'],
  }));
  const topics = [
    { topic: 'Store', question: 'Where does a reservation live?' },
    { topic: 'Retries', question: 'Who repeats a refused reservation, and how often?' },
  ];
  const session = { profile: 'light', agenda: { topics, scenarios } } as const;
  const task = given([], { session }).when('read_task', {}, 'agent_a').reply();

  test('is within its budget, with an agenda of two topics and three scenarios', () => {
    expect(overBudget('read_task in a light session', Buffer.byteLength(JSON.stringify(task)))).toEqual([]);
  });

  test('names the sections of a contract and the members of a turn, whose limits are those of the calls', () => {
    const full = given().when('read_task', {}, 'agent_a').reply();
    const names = (schema: unknown) => Object.keys(Object(schema).properties);
    expect(names(task.turn_format)).toEqual(names(full.turn_format));
    const wanted = names(full.contract_schema).filter((name) => !Object.hasOwn(FILLED, name));
    expect(names(task.contract_schema)).toEqual(wanted);
    expect(JSON.stringify([task.turn_format, task.contract_schema])).not.toMatch(/pattern|maxItems/);
    expect(task.how_to.join()).not.toMatch(/submit_readiness|readiness/);
  });
});
