import { describe, expect, test } from 'vitest';
import { given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import { asked, intervened, proposed, withdrawn } from '../past.ts';
import { decisions, findings } from './filled.ts';

const item = { kind: 'file', reference: 'src/a.ts:1', excerpt: 'const a = 1;', sha256: 'a'.repeat(64) };
const listed = [{ kind: 'file', reference: 'src/a.ts:1' }];
const evidence = [item];

const past: readonly PastEvent[] = [
  proposed('agent_a', 'd_1', { evidence }),
  {
    kind: 'finding.raised',
    actor: 'moderator',
    data: { finding_id: 'f_1', text: 'It leaks.', kind: 'RISK', blocking: true, evidence, revision_id: null },
  },
  { ...intervened('i_1', { evidence }), actor: 'moderator' },
  intervened('i_2', { evidence, targets: ['agent_b'] }),
];

type Reader = 'agent_a' | 'agent_b' | 'moderator' | 'owner';
const read = (reader: Reader, operation: OperationName, input: object) =>
  given(past)
    .when(operation, input as never, reader)
    .reply() as Readonly<Record<string, unknown>>;

describe('evidence', () => {
  test.each([
    ['agent_a', 'list_decisions', 'decisions', { decision_id: 'd_1' }],
    ['agent_b', 'list_findings', 'findings', { finding_id: 'f_1' }],
    ['moderator', 'get_moderator_findings', 'findings', { finding_id: 'f_1' }],
    ['agent_a', 'list_interventions', 'interventions', { intervention_id: 'i_1' }],
    ['moderator', 'get_moderator_questions', 'questions', { intervention_id: 'i_1' }],
  ] as const)('%s › %s lists %s by kind and reference, and one item in full', (reader, operation, list, one) => {
    expect(read(reader, operation, {})[list]).toMatchObject([{ evidence: listed }]);
    const whole = read(reader, operation, one);
    expect(whole[list]).toMatchObject([{ ...one, evidence }]);
    expect(whole).not.toHaveProperty('left_out');
  });

  test.each([
    ['decision', 'd_1'],
    ['finding', 'f_1'],
    ['intervention', 'i_2'],
  ] as const)('the owner reads a %s in full by its id', (type, id) => {
    expect(read('owner', 'records', { type, id }).records).toMatchObject([{ evidence }]);
  });

  test('is not in state, view and actions', () => {
    for (const [reader, operation] of [
      ['agent_a', 'read_session_state'],
      ['moderator', 'get_moderator_status'],
      ['agent_a', 'poll_actions'],
      ['owner', 'view'],
    ] as const)
      expect(JSON.stringify(read(reader, operation, {}))).not.toContain('const a = 1;');
  });
});

describe('a record that does not exist, or that the caller may not see', () => {
  test.each([
    ['agent_a', 'list_decisions', { decision_id: 'd_9' }, 'decision', 'd_9'],
    ['agent_a', 'list_findings', { finding_id: 'f_9' }, 'finding', 'f_9'],
    ['agent_a', 'list_interventions', { intervention_id: 'i_2' }, 'intervention', 'i_2'],
    ['moderator', 'get_moderator_questions', { intervention_id: 'i_2' }, 'intervention', 'i_2'],
    ['owner', 'records', { type: 'hold', id: 'h_1' }, 'hold', 'h_1'],
  ] as const)('%s › %s %j is refused', (...[reader, operation, input, type, id]) => {
    given(past)
      .when(operation, input as never, reader)
      .thenFails('UNKNOWN_RECORD', { record: { type, id } });
  });
});

interface Followed {
  readonly operation: OperationName;
  readonly list: string;
  readonly also?: object;
}

/**
 * Repeats a read, first with `after: 0`, then with the `after` that `left_out` of the last answer names, until an
 * answer has no `left_out`.
 */
function follow(events: readonly PastEvent[], reader: Reader, { operation, list, also }: Followed) {
  const session = given(events);
  const seen: string[] = [];
  const pages: number[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const answer = session.when(operation, { ...also, after } as never, reader).reply() as Answer;
    const shown = answer[list];
    if (!Array.isArray(shown) || pages.length > 100) throw new Error(`${operation} does not come to an end.`);
    pages.push(shown.length);
    seen.push(...shown.map((record) => String(Object.values(record)[0])));
    after = nextOf(answer);
  }
  return { seen, pages };
}

type Answer = Readonly<Record<string, unknown>> & { readonly left_out?: { readonly how: string } };

const nextOf = ({ left_out }: Answer): number | undefined => left_out && Number(/after: (\d+)/.exec(left_out.how)?.[1]);

const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}_${index + 1}`);

describe('the call that left_out names', () => {
  test('leads through all decisions, each once and in order', () => {
    const { seen, pages } = follow(decisions(20, 10), 'agent_a', {
      operation: 'list_decisions',
      list: 'decisions',
    });
    expect(seen).toEqual(ids('d', 30));
    expect(pages.length).toBeGreaterThan(2);
  });

  test('leads through all findings', () => {
    const calls = { operation: 'get_moderator_findings', list: 'findings' } as const;
    expect(follow(findings(12), 'moderator', calls).seen).toEqual(ids('f', 12));
  });

  test('begins with the first record, even after an answer that showed the open records first', () => {
    const { left_out } = given(decisions(20, 10)).when('list_decisions', {}, 'agent_a').reply();
    expect(left_out).toEqual({
      count: 27,
      how: 'Call list_decisions with after: 0 for all records in order, a page at a time.',
    });
  });

  test('leads the owner through all records of a type', () => {
    const calls = { operation: 'records', list: 'records', also: { type: 'finding' } } as const;
    expect(follow(findings(12), 'owner', calls).seen).toEqual(ids('f', 12));
  });
});

describe('records that an answer cannot all show', () => {
  test('show open records before closed records', () => {
    const closedFirst = decisions(2, 60);
    const { decisions: shown } = given(closedFirst).when('list_decisions', {}, 'agent_b').reply();
    const [oldest, ...others] = shown.map(({ decision_id }) => decision_id);
    expect(oldest).toBe('d_43');
    expect(others.slice(-3)).toEqual(['d_60', 'd_61', 'd_62']);
  });

  test('are not left out in a small session', () => {
    const small = [proposed('agent_a', 'd_1'), withdrawn('agent_a', 'd_1'), asked('agent_a', 'q_1')];
    for (const operation of ['list_decisions', 'read_session_state'] as const)
      expect(given(small).when(operation, {}, 'agent_b').reply()).not.toHaveProperty('left_out');
    expect(given(small).when('view', {}, 'owner').reply()).not.toHaveProperty('left_out');
  });
});
