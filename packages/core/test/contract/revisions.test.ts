import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { nominated } from '../past.ts';
import { certified, decided, play, submit, submitted } from '../story.ts';
import { changed, SAMPLE_CONTRACT, SAMPLE_HASH } from './sample-contract.ts';

const first = { contract: SAMPLE_CONTRACT, expected_parent_id: '', reason: 'As decided.' };
const plan = (past: readonly PastEvent[]) => given(past).when('get_final_plan', {}, 'agent_b').reply();
const patch = (past: readonly PastEvent[], ...ops: object[]) =>
  given(past).when('patch_contract', { expected_parent_id: 'r_1', reason: 'As found.', ops } as never, 'agent_a');

describe.each(['submit_contract', 'submit_position', 'propose_revision'] as const)('%s', (name) => {
  test('saves the first revision', () => {
    expect(given(decided).when(name, first, 'agent_a').reply()).toMatchObject({
      revision_id: 'r_1',
      parent_id: null,
      content_hash: 'a0e78497c362cc691f786db5dc2a5ff0294103370e3f4d49f5b8d2e63b9291c5',
      title: 'Orders reserve stock',
      author: 'agent_a',
      reason: 'As decided.',
      status: 'IN_REVIEW',
      validation_errors: [],
      validation_warnings: [],
      error_count: 0,
      warning_count: 0,
    });
  });

  test('accepts null as the empty parent', () => {
    given(decided)
      .when(name, { ...first, expected_parent_id: null } as never, 'agent_a')
      .reply();
  });

  test.each([
    ['', 'There is a revision by now.'],
    ['r_2', 'The future.'],
  ])('refuses the parent %j and names the latest', (expected_parent_id) => {
    given(submitted)
      .when(name, { ...first, expected_parent_id }, 'agent_a')
      .thenFails('STALE_PARENT', { latest_revision_id: 'r_1' });
  });

  test('can be called only by the Contract Author', () => {
    given(decided).when(name, first, 'agent_b').thenFails('NOT_CONTRACT_AUTHOR', { contract_author: 'agent_a' });
  });
});

describe('submit_contract', () => {
  const name = 'submit_contract';

  test('in PLANNING elects the caller whom the other builder has nominated, all or nothing', () => {
    const past = [...decided.slice(0, 3), nominated('agent_b', 'agent_a')];
    const call = (input: object, by: 'agent_a' | 'agent_b' = 'agent_a') =>
      given(past).when(name, { ...first, ...input } as never, by);
    expect(call({}).events().slice(0, 4)).toMatchObject([
      {
        kind: 'author.nominated',
        actor: 'agent_a',
        data: { candidate: 'agent_a', reason: 'Submits the first revision.' },
      },
      { kind: 'author.elected', actor: 'system', data: { contract_author: 'agent_a', technical_reviewer: 'agent_b' } },
      { kind: 'phase.changed', actor: 'system', data: { from: 'PLANNING', to: 'CONTRACT' } },
      { kind: 'revision.created', actor: 'agent_a', data: { revision_id: 'r_1' } },
    ]);
    call({ expected_parent_id: 'r_1' }).thenFails('STALE_PARENT');
    call({ causes: ['f_1'] }).thenFails('UNKNOWN_RECORD');
    call({}, 'agent_b').thenFails('NOT_CONTRACT_AUTHOR');
    given(past, { scopes: ['submit_contract', 'submit_position'] })
      .when(name, first, 'agent_a')
      .thenFails('INSUFFICIENT_SCOPE', { required_scope: 'elect_contract_author' });
    const nobody = given(decided.slice(0, 3)).when(name, first, 'agent_a');
    nobody.thenFails('NOT_CONTRACT_AUTHOR', {
      contract_author: null,
      hint: 'Nominate a Contract Author with elect_contract_author, or in a turn with nominates. A builder that the other one has nominated may submit at once.',
    });
  });

  test('in PLANNING is open to the author whom the owner has chosen', () => {
    const session = { contract_author: 'agent_a' as const };
    const events = given(decided.slice(0, 3), { session, scopes: ['submit_contract', 'submit_position'] })
      .when(name, first, 'agent_a')
      .events();
    expect(events.slice(0, 3).map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
      'author.elected system',
      'phase.changed system',
      'revision.created agent_a',
    ]);
    given(decided.slice(0, 3), { session })
      .when(name, first, 'agent_b')
      .thenFails('NOT_CONTRACT_AUTHOR', { contract_author: 'agent_a' });
  });

  test('stores the causes that the author names, each once', () => {
    const reply = given(decided)
      .when(name, { ...first, causes: ['d_1', 'd_1'] }, 'agent_a')
      .reply();
    expect(reply.causes).toEqual(['d_1']);
    expect(given(decided).when(name, first, 'agent_a').reply()).not.toHaveProperty('causes');
  });

  test('stores the approval of the author with the revision', () => {
    const input = { ...first, approve: true } as const;
    const { content_hash, reviewers } = given(decided).when(name, input, 'agent_a').reply();
    expect(reviewers).toEqual(['agent_b']);
    const past = play(decided, [['agent_a', name, input]]);
    expect(plan(past).reviews).toMatchObject([{ by: 'agent_a', revision_id: 'r_1', content_hash, verdict: 'APPROVE' }]);
    given(decided, { scopes: ['submit_contract', 'submit_position'] })
      .when(name, input, 'agent_a')
      .thenFails('INSUFFICIENT_SCOPE', { required_scope: 'submit_final_review' });
  });

  test.each([
    ['f_9', 'finding'],
    ['3', 'change_request'],
  ])('refuses the cause %s, of which there is no record', (id, type) => {
    given(decided)
      .when(name, { ...first, causes: [id] }, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type, id } });
  });

  test('refuses a cause that is no id of a record', () => {
    given(decided)
      .when(name, { ...first, causes: ['message 3'] }, 'agent_a')
      .thenFails('INVALID_INPUT', {
        issues: [
          {
            path: 'causes[0]',
            message:
              'Must be the id of a decision, finding, intervention or question, such as f_1, or the number of the message in which the owner requested changes, such as "55"; got "message 3".',
          },
        ],
      });
  });
});

describe('a revision', () => {
  test('of the same content has the same hash and a warning', () => {
    const again = given(submitted)
      .when('submit_contract', { ...first, expected_parent_id: 'r_1' }, 'agent_a')
      .reply();
    expect(again).toMatchObject({
      revision_id: 'r_2',
      parent_id: 'r_1',
      content_hash: SAMPLE_HASH,
      validation_warnings: [{ code: 'UNCHANGED_CONTENT', pointer: '' }],
    });
  });

  test('that breaks the schema is stored with its errors', () => {
    const { title: _left, ...rest } = SAMPLE_CONTRACT;
    const stored = given(decided)
      .when('submit_contract', { ...first, contract: rest }, 'agent_a')
      .reply();
    expect(stored).toMatchObject({ status: 'INVALID', title: '', error_count: 1 });
    expect(stored.validation_errors).toMatchObject([{ severity: 'error', pointer: '/title' }]);
    const past = play(decided, [submit('', rest)]);
    expect(plan(past).contract).toEqual(rest);
    expect(plan(past).markdown).toContain('breaks its schema');
  });

  test('that breaks a rule is stored with its errors', () => {
    const past = play(decided, [submit('', changed({ fixture_version: '2' }))]);
    expect(plan(past)).toMatchObject({ status: 'INVALID', certified: false });
    expect(plan(past).validation_errors).toMatchObject([{ pointer: '/fixture_version' }]);
  });

  test.each([
    ['an array', []],
    ['a text', 'contract'],
    ['a number', 7],
    ['null', null],
  ])('is refused when it is %s', (_what, contract) => {
    given(decided)
      .when('submit_contract', { ...first, contract } as never, 'agent_a')
      .thenFails('INVALID_INPUT');
  });

  test('is refused when its RFC 8785 form is too long', () => {
    const room = 200_000 - JSON.stringify(changed({ summary: '' })).length;
    const submitFilled = (chars: number) =>
      given(decided).when(
        'submit_contract',
        { ...first, contract: changed({ summary: '😀'.repeat(chars) }) },
        'agent_a',
      );
    submitFilled(room).reply();
    const message = 'Must have at most 200000 characters in its RFC 8785 form; it has 200001.';
    submitFilled(room + 1).thenFails('INVALID_INPUT', { issues: [{ path: 'contract', message }] });
  });

  test('is refused if a patch makes it too deep or not an object', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 58; level += 1) deep = [deep];
    patch(submitted, { op: 'add', path: '/data_models/0/json_schema/x', value: deep }).reply();
    patch(
      submitted,
      { op: 'add', path: '/data_models/0/json_schema/x', value: {} },
      { op: 'add', path: '/data_models/0/json_schema/x/y', value: {} },
      { op: 'add', path: '/data_models/0/json_schema/x/y/z', value: deep },
    ).thenFails('INVALID_INPUT');
    patch(submitted, { op: 'replace', path: '', value: [] }).thenFails('INVALID_INPUT');
  });

  test('is refused beyond the quota', () => {
    given(submitted, { quotas: { revisions: 1 } })
      .when('submit_contract', { ...first, expected_parent_id: 'r_1' }, 'agent_a')
      .thenFails('QUOTA_EXHAUSTED', { quota: 'revisions', used: 1, limit: 1 });
  });

  test('becomes invalid when one of its decisions is withdrawn or rejected', () => {
    const past = play(certified, [['agent_b', 'reject_decision', { decision_id: 'd_1', reason: 'Too slow.' }]]);
    expect(plan(past)).toMatchObject({ status: 'INVALID', validation_errors: [{ code: 'DECISION_NOT_RESOLVED' }] });
    const back = play(certified, [
      ['agent_b', 'submit_decision', { topic: 'Cache', position: 'None.' }],
      ['agent_a', 'accept_decision', { decision_id: 'd_2' }],
      ['agent_b', 'accept_decision', { decision_id: 'd_2' }],
    ]);
    expect(plan(back).validation_errors).toMatchObject([{ code: 'RESOLVED_DECISION_OMITTED', pointer: '/decisions' }]);
  });
});

describe('patch_contract', () => {
  const ops = [{ op: 'replace', path: '/title', value: 'Stock is reserved' }] as const;

  test('applies to the exact parent and saves the next revision', () => {
    expect(patch(submitted, ...ops).reply()).toMatchObject({
      revision_id: 'r_2',
      parent_id: 'r_1',
      title: 'Stock is reserved',
    });
    const past = play(submitted, [
      ['agent_a', 'patch_contract', { expected_parent_id: 'r_1', reason: 'As found.', ops }],
    ]);
    expect(plan(past).contract).toEqual(changed({ title: 'Stock is reserved' }));
  });

  test('can build the first revision from an empty document', () => {
    given(decided)
      .when(
        'patch_contract',
        { expected_parent_id: '', reason: 'From nothing.', ops: [{ op: 'add', path: '', value: SAMPLE_CONTRACT }] },
        'agent_a',
      )
      .reply();
  });

  test('refuses the whole patch if one operation fails, and names that operation', () => {
    patch(submitted, ...ops, { op: 'remove', path: '/nothing' }).thenFails('PATCH_FAILED', {
      op_index: 1,
      path: '/nothing',
    });
  });

  test('refuses a patch without operations', () => {
    patch(submitted).thenFails('INVALID_INPUT', {
      issues: [{ path: 'ops', message: 'Must contain at least one operation; got 0.' }],
    });
    given(submitted)
      .when('patch_contract', { expected_parent_id: 'r_1', reason: 'x', ops: '[]' } as never, 'agent_a')
      .thenFails('INVALID_INPUT', {
        issues: [{ path: 'ops', message: 'Must contain at least one operation; got 0.' }],
      });
  });

  test('ignores members of an operation that RFC 6902 does not define for it', () => {
    const marked = [
      { op: 'replace', path: '/title', value: 'Stock is reserved', from: '/summary', comment: 'As found.' },
      { op: 'remove', path: '/rollout', value: { a: 1 }, xyz: null },
    ];
    const [event] = patch(submitted, ...marked).events();
    const [plain] = patch(submitted, ...ops, { op: 'remove', path: '/rollout' }).events();
    expect(event).toEqual(plain);
  });

  test('refuses an unknown member beside the operations', () => {
    given(submitted)
      .when(
        'patch_contract',
        { expected_parent_id: 'r_1', reason: 'x', ops: [...ops], comment: 'y' } as never,
        'agent_a',
      )
      .thenFails('INVALID_INPUT');
  });

  test.each(['move', 'copy', 'test', 'Add', ''])('refuses the operation %j', (op) => {
    patch(submitted, { op, path: '/title', from: '/summary', value: 'x' }).thenFails('INVALID_INPUT');
  });

  test('refuses a value that is JSON text with an integer that would change, and names its place', () => {
    patch(submitted, ...ops, { op: 'replace', path: '/rollout', value: '{"stages":[9007199254740993]}' }).thenFails(
      'INVALID_INPUT',
      {
        issues: [
          { path: 'ops[1].value.stages[0]', message: 'Is a number that cannot be kept exactly; send it as a string.' },
        ],
      },
    );
  });

  test('refuses another parent first, then a caller who is not the author', () => {
    given(submitted)
      .when('patch_contract', { expected_parent_id: '', reason: 'x', ops: [...ops] }, 'agent_a')
      .thenFails('STALE_PARENT', { latest_revision_id: 'r_1' });
    given(submitted)
      .when('patch_contract', { expected_parent_id: 'r_1', reason: 'x', ops: [...ops] }, 'agent_b')
      .thenFails('NOT_CONTRACT_AUTHOR');
  });
});

describe('get_final_plan', () => {
  test.each([
    [undefined, true, true],
    ['both', true, true],
    ['structured', true, false],
    ['markdown', false, true],
  ] as const)('with the format %s gives the contract: %s, its Markdown: %s', (format, hasContract, hasMarkdown) => {
    const shown = given(submitted).when('get_final_plan', { format }, 'agent_b').reply();
    expect(shown.contract).toEqual(hasContract ? SAMPLE_CONTRACT : null);
    expect(shown.markdown).toEqual(hasMarkdown ? plan(submitted).markdown : null);
    expect(shown).not.toHaveProperty('left_out');
    expect(shown.content_hash).toBe(SAMPLE_HASH);
  });
});

describe('get_revision_diff', () => {
  const past = play(submitted, [submit('r_1', changed({ title: 'Stock is reserved' }))]);
  const diff = (revision_id: string) => given(past).when('get_revision_diff', { revision_id }, 'agent_b');

  test('diffs the first revision against an empty contract', () => {
    const { parent_id, parent_content_hash, ops } = diff('r_1').reply();
    expect({ parent_id, parent_content_hash }).toEqual({ parent_id: null, parent_content_hash: null });
    expect(ops.map(({ op }) => op)).toEqual(Object.keys(SAMPLE_CONTRACT).map(() => 'add'));
  });

  test('compares with the revision that the member against names', () => {
    const three = play(past, [submit('r_2', changed({ title: 'Stock is kept' }))]);
    const shown = given(three).when('get_revision_diff', { against: 'r_1' }, 'agent_b').reply();
    expect(shown).toMatchObject({
      revision_id: 'r_3',
      ops: [{ op: 'replace', path: '/title', value: 'Stock is kept' }],
    });
    expect(shown.text).toContain('--- r_1\n+++ r_3\n');
    given(three)
      .when('get_revision_diff', { against: 'r_9' }, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_9' } });
  });

  test('gives operations and text', () => {
    const { ops, text, truncated } = diff('r_2').reply();
    expect(ops).toEqual([{ op: 'replace', path: '/title', value: 'Stock is reserved' }]);
    expect(text).toContain('-# Orders reserve stock\n+# Stock is reserved\n');
    expect(truncated).toBe(false);
  });

  test('marks one new sentence in a long description by words, in less than 1,000 bytes', () => {
    const sentences = Array.from({ length: 60 }, (_, n) => `Sentence ${n} of the description says what holds for it.`);
    const described = (texts: readonly string[]) => ({
      ...SAMPLE_CONTRACT,
      interfaces: SAMPLE_CONTRACT.interfaces.map((one, index) =>
        index === 0 ? { ...one, description: texts.join(' ') } : one,
      ),
    });
    const longer = sentences.toSpliced(30, 0, 'A second request with the same key is answered with the first answer.');
    const two = play(submitted, [submit('r_1', described(sentences)), submit('r_2', described(longer))]);
    const shown = given(two).when('get_revision_diff', { revision_id: 'r_3' }, 'agent_b').reply();
    const words =
      '… the description says what holds for it. {+A second request with the same key is answered with the first answer. +}Sentence 30 of the description says …';
    expect(shown.ops).toEqual([{ op: 'replace', path: '/interfaces/0/description', words }]);
    expect(shown.text.split('\n').filter((line) => line.startsWith('~'))).toEqual([`~${words}`]);
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(1_000);
    const exact = given(two).when('get_revision_diff', { revision_id: 'r_3', exact: true }, 'agent_b').reply();
    expect(exact.ops).toEqual([{ op: 'replace', path: '/interfaces/0/description', value: longer.join(' ') }]);
  });

  test('refuses an unknown revision', () => {
    diff('r_3').thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_3' } });
  });
});

describe('revalidate_contract', () => {
  test('stores the run with its blockers', () => {
    expect(given(submitted).when('revalidate_contract', {}, 'agent_b').reply()).toMatchObject({
      run_id: 'run_1',
      revision_id: 'r_1',
      content_hash: SAMPLE_HASH,
      at: '2026-01-05T09:01:00.000Z',
      valid: true,
      errors: [],
      blockers: [
        { code: 'REVIEW_MISSING', record: 'r_1/agent_b', responsible: 'agent_b' },
        { code: 'REVIEW_MISSING', record: 'r_1/agent_a', responsible: 'agent_a' },
      ],
    });
  });

  test('accepts an earlier revision and continues the numbering', () => {
    const past = play(submitted, [
      submit('r_1', changed({ fixture_version: '2' })),
      ['agent_a', 'revalidate_contract', {}],
    ]);
    const run = given(past).when('revalidate_contract', { revision_id: 'r_1' }, 'agent_a').reply();
    expect(run).toMatchObject({ run_id: 'run_2', revision_id: 'r_1', valid: true });
  });

  test('refuses if there is nothing to validate', () => {
    expect(given(decided).when('revalidate_contract', {}, 'agent_a').refusal()).toMatchObject({
      error: 'UNKNOWN_RECORD',
      message: 'There is no contract revision yet.',
    });
    given(submitted).when('revalidate_contract', { revision_id: 'r_2' }, 'agent_a').thenFails('UNKNOWN_RECORD');
  });
});
