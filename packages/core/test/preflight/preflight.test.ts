import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT, SAMPLE_MAPPINGS, UNNAMED } from '../contract/sample-contract.ts';
import { decided, play, submit } from '../story.ts';

const past = play(decided, [submit('', UNNAMED)]);
const mapped = play(past, [['agent_a', 'submit_preflight', { mappings: SAMPLE_MAPPINGS }]]);
const withTests = (...ids: readonly string[]) => ({
  ...UNNAMED,
  tests: ids.map((id, index) => ({ ...UNNAMED.tests[index], id, depends_on: [] })),
});
const [first, second] = SAMPLE_MAPPINGS;

const issuesOf = (mappings: readonly unknown[]) =>
  given(past)
    .when('submit_preflight', { mappings } as never, 'agent_a')
    .refusal();

describe('get_preflight', () => {
  test('shows what has to be mapped', () => {
    given()
      .when('get_preflight', {}, 'agent_a')
      .thenReply({
        requirements: [
          { requirement_id: 'R1', text: 'An order reserves stock.' },
          { requirement_id: 'R2', text: 'A reservation ends after 15 minutes.' },
        ],
        preflight: null,
      });
  });

  test('compares the record with the latest revision', () => {
    const later = play(mapped, [submit('r_1', withTests('test-other'))]);
    expect(given(later).when('get_preflight', {}, 'agent_b').reply().preflight).toMatchObject({
      revision_id: 'r_1',
      complete: false,
      faults: [
        { requirement_id: 'R1', missing: ['tests/test-reserve'] },
        { requirement_id: 'R2', missing: ['tests/test-expiry'] },
      ],
    });
  });

  test('takes the mapping of a requirement from the tasks and tests that name it', () => {
    const named = play(decided, [submit('')]);
    expect(given(named).when('get_preflight', {}, 'agent_b').reply().preflight).toEqual({
      revision_id: 'r_1',
      mappings: [
        {
          requirement_id: 'R1',
          decisions: [],
          tasks: ['task-stock', 'task-orders'],
          tests: ['test-reserve'],
          gates: [],
        },
        { requirement_id: 'R2', decisions: [], tasks: ['task-stock'], tests: ['test-expiry'], gates: [] },
      ],
      submitted_at: '2026-01-05T09:00:00.000Z',
      complete: true,
      faults: [],
    });
    const { blockers } = given(named).when('list_blockers', {}, 'agent_a').reply();
    expect(blockers.map(({ code }) => code)).toEqual(['REVIEW_MISSING', 'REVIEW_MISSING']);
  });

  test('takes the mapping from there too if that of the preflight no longer fits', () => {
    const [test1, test2] = SAMPLE_CONTRACT.tests;
    const tests = changed({ tests: [test1, { ...test2, id: 'test-other' }] as never });
    const later = play(mapped, [submit('r_1', tests)]);
    expect(given(later).when('get_preflight', {}, 'agent_b').reply().preflight).toMatchObject({
      complete: true,
      mappings: [
        { requirement_id: 'R1', tests: ['test-reserve'] },
        { requirement_id: 'R2', decisions: [], tests: ['test-other'] },
      ],
      faults: [],
    });
  });
});

describe('the answer to a new revision', () => {
  const newRevision = (events: readonly PastEvent[], contract: unknown) =>
    given(events)
      .when('submit_contract', { contract, expected_parent_id: 'r_1', reason: 'Agreed.' } as never, 'agent_a')
      .reply();

  test('names the mappings that are kept, and the requirements that have to be mapped again', () => {
    expect(newRevision(mapped, { ...UNNAMED, summary: 'Shorter.' }).preflight).toEqual({ kept: 2, to_map: [] });
    const renamed = withTests('test-other', 'test-expiry');
    expect(newRevision(mapped, renamed).preflight).toEqual({ kept: 1, to_map: ['R1'] });
  });

  test('says nothing of a preflight that nobody has submitted', () => {
    expect(newRevision(past, changed({ summary: 'Shorter.' }))).not.toHaveProperty('preflight');
  });
});

describe('submit_preflight', () => {
  test('is stored against the revision, with every list', () => {
    given(past)
      .when('submit_preflight', { mappings: SAMPLE_MAPPINGS }, 'agent_a')
      .thenEvents({
        kind: 'preflight.submitted',
        actor: 'agent_a',
        data: {
          revision_id: 'r_1',
          mappings: [
            {
              requirement_id: 'R1',
              decisions: [],
              tasks: ['task-stock', 'task-orders'],
              tests: ['test-reserve'],
              gates: [],
            },
            { requirement_id: 'R2', decisions: ['d_1'], tasks: [], tests: ['test-expiry'], gates: [] },
          ],
        },
      });
  });

  test.each([
    ['a requirement left out', [first], { path: 'mappings', message: 'No mapping for requirement R2.' }],
    [
      'a requirement mapped twice',
      [first, second, first],
      { path: 'mappings[2].requirement_id', message: 'Maps this requirement a second time.' },
    ],
    [
      'an unknown requirement',
      [first, second, { requirement_id: 'R3', gates: ['gate-build'] }],
      { path: 'mappings[2].requirement_id', message: 'Is not a requirement of the mission.' },
    ],
    [
      'a mapping without a target',
      [first, { requirement_id: 'R2' }],
      { path: 'mappings[1]', message: 'Names no decision, task, test or gate.' },
    ],
    [
      'an unknown target',
      [first, { requirement_id: 'R2', tasks: ['task-nobody'] }],
      { path: 'mappings[1].tasks[0]', message: 'Is not in the latest revision.' },
    ],
  ])('refuses %s by name', (_what, mappings, issue) => {
    expect(issuesOf(mappings)).toMatchObject({ error: 'PREFLIGHT_INVALID', issues: [issue] });
  });

  test('reports all faults together', () => {
    expect(issuesOf([{ requirement_id: 'R9' }]).issues).toHaveLength(4);
  });

  test('can be called only by the Contract Author', () => {
    given(past)
      .when('submit_preflight', { mappings: SAMPLE_MAPPINGS }, 'agent_b')
      .thenFails('NOT_CONTRACT_AUTHOR', { contract_author: 'agent_a' });
  });

  test('requires a revision', () => {
    given(decided).when('submit_preflight', { mappings: SAMPLE_MAPPINGS }, 'agent_a').thenFails('PREFLIGHT_INVALID');
  });

  test('keeps the mappings that fit a new revision, and requires only the other mappings', () => {
    const later = play(mapped, [submit('r_1', withTests('test-reserve', 'test-other'))]);
    const blockers = given(later).when('list_blockers', {}, 'agent_a').reply().blockers;
    expect(blockers.filter(({ code }) => code.startsWith('PREFLIGHT'))).toMatchObject([
      { record: { type: 'requirement', id: 'R2' }, resolution: { tool: 'submit_preflight' } },
    ]);
    const again = [{ requirement_id: 'R2', tests: ['test-other'] }];
    given(later)
      .when('submit_preflight', { mappings: again }, 'agent_a')
      .thenEvents({
        kind: 'preflight.submitted',
        actor: 'agent_a',
        data: {
          revision_id: 'r_2',
          mappings: [
            { requirement_id: 'R2', decisions: [], tasks: [], tests: ['test-other'], gates: [] },
            {
              requirement_id: 'R1',
              decisions: [],
              tasks: ['task-stock', 'task-orders'],
              tests: ['test-reserve'],
              gates: [],
            },
          ],
        },
      });
  });

  test('keeps no mapping that does not fit', () => {
    const later = play(mapped, [submit('r_1', withTests('test-new', 'test-other'))]);
    given(later)
      .when('submit_preflight', { mappings: [{ requirement_id: 'R2', tests: ['test-other'] }] }, 'agent_a')
      .thenFails('PREFLIGHT_INVALID', { issues: [{ path: 'mappings', message: 'No mapping for requirement R1.' }] });
  });
});
