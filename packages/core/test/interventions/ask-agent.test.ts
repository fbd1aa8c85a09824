import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { answersQuestion, asksBuilders } from '../moderation.ts';
import { intervened } from '../past.ts';
import { play, submitted } from '../story.ts';

const input = { text: 'Who undoes a failed release?' };
const ask = (changes: Readonly<Record<string, unknown>> = {}, past: readonly PastEvent[] = []) =>
  given(past).when('ask_agent', { ...input, ...changes }, 'moderator');

describe('ask_agent', () => {
  test('asks both builders, without blocking, at normal priority', () => {
    ask()
      .thenEvents({
        kind: 'intervention.opened',
        actor: 'moderator',
        data: {
          intervention_id: 'i_1',
          type: 'QUESTION',
          text: 'Who undoes a failed release?',
          priority: 'NORMAL',
          blocking: false,
          targets: ['agent_a', 'agent_b'],
        },
      })
      .thenReply({
        question: {
          intervention_id: 'i_1',
          type: 'QUESTION',
          targets: ['agent_a', 'agent_b'],
          status: 'OPEN',
        },
      });
  });

  test('accepts all optional members', () => {
    const said = {
      targets: ['agent_b'],
      priority: 'URGENT',
      blocking: true,
      evidence: [{ kind: 'document', reference: 'runbook.md', excerpt: 'No rollback.' }],
      related_decision_id: 'd_1',
      related_revision_id: 'r_1',
    };
    const outcome = ask(said, submitted);
    expect(outcome.events()).toMatchObject([{ data: said }]);
    expect(outcome.reply().question).toEqual({
      intervention_id: 'i_1',
      type: 'QUESTION',
      targets: ['agent_b'],
      status: 'OPEN',
    });
  });

  test.each([
    ['related_decision_id', 'd_9', 'decision'],
    ['related_revision_id', 'r_9', 'revision'],
  ])('refuses a %s that does not exist', (member, id, type) => {
    ask({ [member]: id }, submitted).thenFails('UNKNOWN_RECORD', { record: { type, id } });
  });

  test.each([
    ['text', 'left out', undefined],
    ['text', 'blank', ' '],
    ['text', 'too long', 'x'.repeat(4_001)],
    ['targets', 'empty', []],
    ['targets', 'doubled', ['agent_a', 'agent_a']],
    ['targets[0]', 'no builder', ['owner']],
    ['priority', 'of another name', 'SOON'],
    ['evidence[0].excerpt', 'too long', [{ kind: 'log', reference: 'x', excerpt: 'x'.repeat(601) }]],
  ])('refuses a %s that is %s', (path, _what, value) => {
    const [member = ''] = path.split('[');
    const { error, issues } = ask({ [member]: value }).refusal();
    expect({ error, issues }).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path }] });
  });

  test('is shown to the builders it asks, and to no other', () => {
    const past = play([], [asksBuilders({ targets: ['agent_b'] })]);
    const open = (role: 'agent_a' | 'agent_b') =>
      given(past)
        .when('list_interventions', {}, role)
        .reply()
        .interventions.map(({ intervention_id, from }) => [intervention_id, from]);
    expect([open('agent_a'), open('agent_b')]).toEqual([[], [['i_1', 'moderator']]]);
  });

  test('numbers its questions separately from the questions of the owner', () => {
    const limits = { openInterventions: 1 };
    const when = (past: readonly PastEvent[]) => ({
      moderator: given(past, { limits }).when('ask_agent', input, 'moderator'),
      owner: given(past, { limits }).when('ask', { ...input, targets: ['agent_a'] }, 'owner'),
    });
    const byOwner = when([intervened('i_1')]);
    byOwner.moderator.reply();
    byOwner.owner.thenFails('LIMIT_EXCEEDED', {
      limit: 1,
      hint: 'Withdraw a question or directive with withdrawIntervention, or wait until the agents have answered a question.',
    });
    const byModerator = when(play([], [asksBuilders()]));
    byModerator.moderator.thenFails('LIMIT_EXCEEDED', {
      limit: 1,
      hint: 'Withdraw a question with withdraw_question, or wait until the builders have answered one.',
    });
    byModerator.owner.reply();
  });

  test('may ask again once the question is answered or withdrawn', () => {
    const asked = play([], [asksBuilders({ targets: ['agent_a'] })]);
    for (const call of [
      answersQuestion('agent_a'),
      ['moderator', 'withdraw_question', { intervention_id: 'i_1' }],
    ] as const)
      given(play(asked, [call]), { limits: { openInterventions: 1 } })
        .when('ask_agent', input, 'moderator')
        .reply();
  });
});

describe('get_moderator_questions', () => {
  test('lists the questions of the moderator with their answers, oldest first, closed ones too', () => {
    const past = play(
      [intervened('i_1')],
      [
        asksBuilders(),
        asksBuilders({ text: 'By when?', targets: ['agent_b'] }),
        answersQuestion('agent_a', 'i_2', 'We do.'),
        answersQuestion('agent_b', 'i_3', 'Tonight.'),
      ],
    );
    const { questions } = given(past).when('get_moderator_questions', {}, 'moderator').reply();
    const short = questions.map(({ intervention_id, status, responses }) => [
      intervention_id,
      status,
      responses.map((response) => `${response.role} ${response.status} ${response.text}`),
    ]);
    expect(short).toEqual([
      ['i_2', 'OPEN', ['agent_a ANSWERED We do.', 'agent_b OPEN null']],
      ['i_3', 'ANSWERED', ['agent_b ANSWERED Tonight.']],
    ]);
  });
});
