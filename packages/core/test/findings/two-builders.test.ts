import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { finds } from '../moderation.ts';
import { type Call, play, submitted } from '../story.ts';

const responds = (by: 'agent_a' | 'agent_b', response: string): Call => [
  by,
  'respond_finding',
  { finding_id: 'f_1', decision: 'ACCEPT', response },
];
const found = play(submitted, [finds({ target_agents: ['agent_a', 'agent_b'] })]);
const answeredByA = play(found, [responds('agent_a', 'A rollback comes with r_2.')]);
const answeredByBoth = play(answeredByA, [responds('agent_b', 'My part undoes itself.')]);

const finding = (past: readonly PastEvent[]) =>
  given(past).when('list_findings', { finding_id: 'f_1' }, 'agent_a').reply().findings[0];
const blockers = (past: readonly PastEvent[]) =>
  given(past)
    .when('list_blockers', {}, 'agent_a')
    .reply()
    .blockers.filter(({ record }) => record.type === 'finding')
    .map(({ code, responsible }) => `${code} ${responsible}`);
const told = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b') =>
  given(past).when('read_session_state', {}, role).reply().instruction.tool;
const actions = (past: readonly PastEvent[], role: 'agent_a' | 'agent_b' | 'moderator') =>
  given(past)
    .when('read_session_state', {}, role)
    .reply()
    .pending_actions?.map(({ type }) => type);

describe('a finding to two builders', () => {
  test('stays OPEN after the first answer and names who has yet to answer', () => {
    expect(finding(answeredByA)).toMatchObject({ status: 'OPEN', awaiting: ['agent_b'] });
    expect(finding(answeredByBoth)?.status).toBe('RESPONDED');
    expect(finding(answeredByBoth)).not.toHaveProperty('awaiting');
  });

  test('shows both answers', () => {
    expect(finding(answeredByBoth)).toMatchObject({
      response: { by: 'agent_b', response: 'My part undoes itself.' },
      other_response: { by: 'agent_a', response: 'A rollback comes with r_2.' },
    });
  });

  test('is answered first by the builder that has yet to answer', () => {
    expect(told(found, 'agent_b')).toBe('respond_finding');
    expect(told(answeredByA, 'agent_a')).toBe('wait_for_my_turn');
    expect(told(answeredByA, 'agent_b')).toBe('respond_finding');
    expect(actions(answeredByBoth, 'agent_b')).toEqual([]);
  });

  test('keeps the answer of the other builder when one answers again', () => {
    const again = play(answeredByBoth, [responds('agent_b', 'My part and its schema undo themselves.')]);
    expect(finding(again)).toMatchObject({
      status: 'RESPONDED',
      response: { by: 'agent_b', response: 'My part and its schema undo themselves.' },
      other_response: { by: 'agent_a' },
    });
    given(again)
      .when(
        'respond_finding',
        { finding_id: 'f_1', decision: 'ACCEPT', response: 'My part and its schema undo themselves.' },
        'agent_b',
      )
      .thenEvents();
  });

  test('is returned in full by its id after the moderator withdrew it, and without texts in the list', () => {
    const withdrawn = play(answeredByBoth, [
      ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }],
    ]);
    expect(finding(withdrawn)?.other_response?.response).toBe('A rollback comes with r_2.');
    const [listed] = given(withdrawn).when('list_findings', {}, 'agent_a').reply().findings;
    expect([listed?.response?.response, listed?.other_response?.response]).toEqual([null, null]);
  });
});

describe('a finding to one builder', () => {
  test('cannot be answered by the other builder if it names the author', () => {
    const past = play(submitted, [finds({ target_agents: ['agent_a'] })]);
    expect(blockers(past)).toEqual(['FINDING_UNANSWERED agent_a']);
    given(past)
      .when('respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'No.' }, 'agent_b')
      .thenFails('NOT_CONTRACT_AUTHOR', { contract_author: 'agent_a' });
  });
});

test('a finding that was answered before both builders could answer stays RESPONDED', () => {
  const answered: PastEvent = {
    kind: 'finding.responded',
    actor: 'agent_a',
    data: { finding_id: 'f_1', decision: 'REJECT', response: 'It is there.', fixed_in: null },
  };
  expect(finding([...found, answered])).toMatchObject({ status: 'RESPONDED', response: { by: 'agent_a' } });
  expect(blockers([...found, answered])).toEqual(['FINDING_UNRESOLVED moderator']);
});
