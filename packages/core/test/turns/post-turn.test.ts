import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { given } from '../../src/testing/index.ts';
import {
  accepted,
  acceptedInTurn,
  acknowledged,
  answered,
  asked,
  directed,
  elected,
  intervened,
  interventionWithdrawn,
  nominated,
  proposed,
  substantiated,
  turnPosted,
} from '../past.ts';
import { decided } from '../story.ts';

const input = { summary: 'Turn 0.' };
const AT = '2026-01-05T09:01:00.000Z';

describe('post_turn', () => {
  test('records the turn and names whose turn is next', () => {
    given().when('post_turn', input, 'agent_a').thenEvents(turnPosted('agent_a', 0)).thenReply({
      message_id: 6,
      at: AT,
      turn_index: 0,
      round: 1,
      next_agent: 'agent_b',
      question_ids: [],
      decision_ids: [],
    });
  });

  test('keeps every field of the turn', () => {
    const said = {
      verified_facts: [{ claim: 'It builds.', evidence: [{ kind: 'command' as const, reference: 'npm run build' }] }],
      concerns: ['Races.'],
      next_step: 'Agree on the schema.',
      interfaces: [{ name: 'orders', kind: 'http', description: 'POST /orders' }],
      dependencies: ['The stock service.'],
      safety_conditions: ['No double reservation.'],
      disagreements: ['The time limit.'],
      converged: true,
    };
    given()
      .when('post_turn', { ...input, ...said }, 'agent_a')
      .thenEvents(turnPosted('agent_a', 0, said));
  });

  describe('a nomination', () => {
    const turn = { ...input, converged: true, nominates: 'agent_b' } as const;

    test('is stored with the turn', () => {
      given()
        .when('post_turn', turn, 'agent_a')
        .thenEvents(
          turnPosted('agent_a', 0, { converged: true }),
          nominated('agent_a', 'agent_b', 'Nominated in round 1.'),
        );
    });

    test('elects the author if the other builder has nominated the same candidate', () => {
      given([turnPosted('agent_b', 0), nominated('agent_b', 'agent_b')], { session: { first_turn: 'agent_b' } })
        .when('post_turn', turn, 'agent_a')
        .thenEvents(
          turnPosted('agent_a', 1, { summary: 'Turn 0.', converged: true, next_agent: 'agent_b' }),
          nominated('agent_a', 'agent_b', 'Nominated in round 1.'),
          ...elected('agent_b'),
        );
    });

    test('adds nothing to the same nomination of before', () => {
      given([nominated('agent_a', 'agent_b')])
        .when('post_turn', turn, 'agent_a')
        .thenEvents(turnPosted('agent_a', 0, { converged: true }));
    });

    test('needs the scope of a nomination', () => {
      given([], { scopes: ['post_turn'] })
        .when('post_turn', turn, 'agent_a')
        .thenFails('INSUFFICIENT_SCOPE', { required_scope: 'elect_contract_author' });
    });
  });

  describe('turn order', () => {
    test('names nobody after the last turn', () => {
      const reply = given([turnPosted('agent_a', 0)], { session: { round_limit: 1 } })
        .when('post_turn', input, 'agent_b')
        .reply();
      expect(reply).toMatchObject({ turn_index: 1, round: 1, next_agent: null });
    });

    test('alternates in CONTRACT too, and says what needs no turn', () => {
      given(decided).when('post_turn', input, 'agent_b').thenFails('NOT_YOUR_TURN', {
        next_agent: 'agent_a',
        turn_index: 0,
        hint: 'The phase CONTRACT needs no turn: ask or tell the other agent with answer_question, which uses no turn.',
      });
    });

    test('starts with first_turn and alternates', () => {
      const session = { first_turn: 'agent_b' } as const;
      given([], { session })
        .when('post_turn', input, 'agent_a')
        .thenFails('NOT_YOUR_TURN', { next_agent: 'agent_b', turn_index: 0 });
      given([turnPosted('agent_b', 0)], { session })
        .when('post_turn', input, 'agent_b')
        .thenFails('NOT_YOUR_TURN', { next_agent: 'agent_a', turn_index: 1 });
    });

    test.each(['agent_a', 'agent_b'] as const)('is refused for %s when the rounds are used', (role) => {
      given([turnPosted('agent_a', 0), turnPosted('agent_b', 1)], { session: { round_limit: 1 } })
        .when('post_turn', input, role)
        .thenFails('ROUND_LIMIT_REACHED', { round_limit: 1, turn_index: 2 });
    });
  });

  describe('questions', () => {
    test('go to the other agent or to the owner, and continue the ids', () => {
      const questions = ['Which port?', { text: 'Is it urgent?', to: 'owner' as const, blocking: true }];
      const first = { question_id: 'q_2', to: 'agent_b', text: 'Which port?', blocking: false } as const;
      const second = { question_id: 'q_3', to: 'owner', text: 'Is it urgent?', blocking: true } as const;
      const reply = given([asked('agent_b', 'q_1')])
        .when('post_turn', { ...input, questions }, 'agent_a')
        .thenEvents(
          turnPosted('agent_a', 0, { questions: [first, second] }),
          asked('agent_a', 'q_2'),
          asked('agent_a', 'q_3', second),
        )
        .reply();
      expect(reply.question_ids).toEqual(['q_2', 'q_3']);
    });

    test.each([
      ['agent_a', 'agent_b'],
      ['agent_b', 'agent_a'],
    ] as const)('of %s name the other agent as agent or as %s', (asker, other) => {
      const session = { first_turn: asker };
      const ask = (to: 'agent' | 'agent_a' | 'agent_b') =>
        given([], { session }).when('post_turn', { ...input, questions: [{ text: 'Which port?', to }] }, asker);
      expect(ask(other).events()).toEqual(ask('agent').events());
      expect(ask(other).events()[1]).toEqual(asked(asker, 'q_1', { to: other }));
    });

    test.each([
      ['agent_a', 'You are agent_a: address the question to agent_b, or to the owner.'],
      ['agent_b', 'You are agent_b: address the question to agent_a, or to the owner.'],
    ] as const)('of %s to itself are refused, and the turn with them', (asker, message) => {
      given([], { session: { first_turn: asker } })
        .when('post_turn', { ...input, questions: ['Why?', { text: 'Which port?', to: asker }] }, asker)
        .thenFails('INVALID_INPUT', { issues: [{ path: 'questions[1].to', message }] });
    });

    test('are refused beyond the limit of open questions', () => {
      given([asked('agent_a', 'q_1')], { limits: { openQuestions: 3 } })
        .when('post_turn', { ...input, questions: ['One?', 'Two?'] }, 'agent_a')
        .reply();
      given([asked('agent_b', 'q_1')], { limits: { openQuestions: 2 } })
        .when('post_turn', { ...input, questions: ['One?', 'Two?'] }, 'agent_a')
        .reply();
      given([asked('agent_a', 'q_1')], { limits: { openQuestions: 2 } })
        .when('post_turn', { ...input, questions: ['One?', 'Two?'] }, 'agent_a')
        .thenFails('LIMIT_EXCEEDED', {
          limit: 2,
          hint: 'Wait until one of your questions is answered, or send the call without questions.',
        });
    });
  });

  describe('answers', () => {
    const answers = [{ question_id: 'q_1', answer: '5432' }];

    test('answer the questions they name', () => {
      given([asked('agent_b', 'q_1')])
        .when('post_turn', { ...input, answers }, 'agent_a')
        .thenEvents(turnPosted('agent_a', 0, { answers }), {
          kind: 'question.answered',
          actor: 'agent_a',
          data: { question_id: 'q_1', answer: '5432', in_turn: true },
        });
    });

    test('add nothing if the same answer is stored', () => {
      given([asked('agent_b', 'q_1'), answered('agent_a', 'q_1', '5432')])
        .when('post_turn', { ...input, answers }, 'agent_a')
        .thenEvents(turnPosted('agent_a', 0, { answers }));
    });

    test('refuse the whole turn if another answer is stored', () => {
      given([asked('agent_b', 'q_1'), answered('agent_a', 'q_1', '5433')])
        .when('post_turn', { ...input, answers }, 'agent_a')
        .thenFails('ALREADY_ANSWERED', {
          question_id: 'q_1',
          issues: [
            {
              path: 'answers[0].question_id',
              message: 'Question q_1 was answered at 2026-01-05T09:00:00.000Z with a different text.',
            },
          ],
        });
    });

    test('refuse the whole turn for a question to another role', () => {
      given([asked('agent_a', 'q_1')])
        .when('post_turn', { ...input, answers }, 'agent_a')
        .thenFails('UNKNOWN_RECORD', {
          record: { type: 'question', id: 'q_1' },
          issues: [{ path: 'answers[0].question_id', message: 'No question q_1 is addressed to you.' }],
        });
    });
  });

  describe('answers to decisions', () => {
    const queue = { topic: 'Queue', position: 'None' };
    const past = [proposed('agent_b', 'd_1'), accepted('agent_b', 'd_1'), proposed('agent_b', 'd_2', queue)];
    const accept = { decision_id: 'd_1', decision: 'ACCEPT' } as const;
    const reject = { decision_id: 'd_2', decision: 'REJECT', reason: 'Too slow.' } as const;
    const rejectedInTurn = {
      kind: 'decision.rejected',
      actor: 'agent_a',
      data: { decision_id: 'd_2', reason: 'Too slow.', in_turn: true },
    } as const;
    const post = (answers: object[], more: object = {}, events: Parameters<typeof given>[0] = past) =>
      given(events).when('post_turn', { ...input, answers, ...more } as never, 'agent_a');

    test('accept and reject in the same append, as a message only in the turn', () => {
      const outcome = post([accept, reject]).thenEvents(
        turnPosted('agent_a', 0, { answers: [accept, reject] }),
        acceptedInTurn('agent_a', 'd_1'),
        rejectedInTurn,
      );
      const after = [...past, ...outcome.events()];
      const { decisions } = given(after).when('list_decisions', {}, 'agent_b').reply();
      expect(decisions.map(({ status, reason }) => [status, reason])).toEqual([
        ['RESOLVED', null],
        ['REJECTED', 'Too slow.'],
      ]);
      const { messages } = given(after).when('read_messages', { after: 8 }, 'agent_b').reply();
      expect(messages).toMatchObject([{ kind: 'turn.posted', body: { answers: [accept, reject] } }]);
    });

    test('add nothing if the caller has accepted already', () => {
      post([accept], {}, [...past, accepted('agent_a', 'd_1')]).thenEvents(
        turnPosted('agent_a', 0, { answers: [accept] }),
      );
    });

    test('come before the proposals of the turn: a rejected position is not superseded', () => {
      const other = { topic: 'Queue', position: 'Redis', accept: true };
      post([reject], { proposed_decisions: [other] }).thenEvents(
        turnPosted('agent_a', 0, { answers: [reject], proposed_decisions: [{ decision_id: 'd_3', ...other }] }),
        rejectedInTurn,
        proposed('agent_a', 'd_3', { topic: 'Queue', position: 'Redis', revision: 2, in_turn: true }),
        acceptedInTurn('agent_a', 'd_3'),
      );
    });

    test.each([
      [
        'one that is unknown',
        { ...accept, decision_id: 'd_9' },
        'UNKNOWN_RECORD',
        { record: { type: 'decision', id: 'd_9' }, message: 'There is no decision d_9 in this session.' },
      ],
      [
        'one that is superseded',
        { ...accept, decision_id: 'd_3' },
        'DECISION_CLOSED',
        {
          status: 'SUPERSEDED',
          current_decision_id: 'd_4',
          message: 'Decision d_3 is already closed: it is SUPERSEDED.',
        },
      ],
      [
        'the rejection of an own proposal',
        { ...reject, decision_id: 'd_4' },
        'OWN_PROPOSAL',
        { message: 'You proposed decision d_4 yourself, so you cannot reject it.' },
      ],
    ] as const)('refuse the whole turn for %s, and name the item', (_what, answer, code, { message, ...details }) => {
      const cache = [
        proposed('agent_b', 'd_3', { topic: 'Cache' }),
        proposed('agent_a', 'd_4', { topic: 'Cache', position: 'None', revision: 2, supersedes: 'd_3' }),
      ];
      post([{ ...accept }, answer], {}, [...past, ...cache]).thenFails(code, {
        ...details,
        issues: [{ path: 'answers[1].decision_id', message }],
      });
    });

    test('name the item of a question that is refused as well', () => {
      post([accept, { question_id: 'q_9', answer: '5432' }]).thenFails('UNKNOWN_RECORD', {
        record: { type: 'question', id: 'q_9' },
        issues: [{ path: 'answers[1].question_id', message: 'No question q_9 is addressed to you.' }],
      });
    });

    test.each([
      ['a question without an answer', { question_id: 'q_1' }, '.answer', 'Is required.'],
      ['a decision without a word', { decision_id: 'd_2' }, '.decision', 'Is required.'],
      ['a rejection without a reason', { decision_id: 'd_2', decision: 'REJECT' }, '.reason', 'Is required.'],
      [
        'neither a question nor a decision',
        { answer: 'Yes.' },
        '',
        'Must name a question_id, with answer, or a decision_id, with decision.',
      ],
      [
        'both in one item',
        { question_id: 'q_1', answer: 'Yes.', decision_id: 'd_2' },
        '.decision_id',
        'Must be in another item: this item answers a question.',
      ],
    ])('refuse %s', (_what, answer, member, message) => {
      const refusal = post([accept, answer]).refusal();
      expect(refusal).toMatchObject({ error: 'INVALID_INPUT' });
      const [issue] = z.array(z.object({ path: z.string(), message: z.string() })).parse(Object(refusal).issues);
      expect(issue?.path).toBe(`answers[1]${member}`);
      expect(issue?.message).toContain(message);
    });

    test('refuse one decision answered twice', () => {
      post([accept, { ...accept, decision: 'REJECT', reason: 'No.' }]).thenFails('INVALID_INPUT', {
        issues: [{ path: 'answers[1]', message: 'Repeats an earlier item of this turn.' }],
      });
    });
  });

  describe('proposed decisions', () => {
    test('do what submit_decision does, in order', () => {
      const proposed_decisions = [
        { topic: 'Store', position: 'PostgreSQL 15' },
        { topic: 'Queue', position: 'None' },
        { topic: 'Cache', position: 'None' },
      ];
      const reply = given([proposed('agent_b', 'd_1'), proposed('agent_b', 'd_2', { topic: 'Queue' })])
        .when('post_turn', { ...input, proposed_decisions }, 'agent_a')
        .thenEvents(
          turnPosted('agent_a', 0, {
            proposed_decisions: [
              { decision_id: 'd_1', topic: 'Store', position: 'PostgreSQL 15' },
              { decision_id: 'd_3', topic: 'Queue', position: 'None', supersedes: 'd_2' },
              { decision_id: 'd_4', topic: 'Cache', position: 'None' },
            ],
          }),
          proposed('agent_a', 'd_3', {
            topic: 'Queue',
            position: 'None',
            revision: 2,
            supersedes: 'd_2',
            in_turn: true,
          }),
          proposed('agent_a', 'd_4', { topic: 'Cache', position: 'None', in_turn: true }),
        )
        .reply();
      expect(reply.decision_ids).toEqual(['d_1', 'd_3', 'd_4']);
    });

    test('with accept are accepted by their proposer in the same append, as a message only in the turn', () => {
      const store = { topic: 'Store', position: 'PostgreSQL 15', accept: true };
      const queue = { topic: 'Queue', position: 'None' };
      const cache = { topic: 'Cache', position: 'None', accept: true };
      const before = [proposed('agent_b', 'd_1'), accepted('agent_b', 'd_1')];
      const outcome = given(before)
        .when('post_turn', { ...input, proposed_decisions: [store, queue, cache] }, 'agent_a')
        .thenEvents(
          turnPosted('agent_a', 0, {
            proposed_decisions: [
              { decision_id: 'd_1', ...store },
              { decision_id: 'd_2', ...queue },
              { decision_id: 'd_3', ...cache },
            ],
          }),
          acceptedInTurn('agent_a', 'd_1'),
          proposed('agent_a', 'd_2', { topic: 'Queue', position: 'None', in_turn: true }),
          proposed('agent_a', 'd_3', { topic: 'Cache', position: 'None', in_turn: true }),
          acceptedInTurn('agent_a', 'd_3'),
        );
      const past = [...before, ...outcome.events()];
      const { decisions } = given(past).when('list_decisions', {}, 'agent_b').reply();
      expect(decisions.map(({ status, accepted_by }) => [status, accepted_by])).toEqual([
        ['RESOLVED', ['agent_a', 'agent_b']],
        ['PROPOSED', []],
        ['PROPOSED', ['agent_a']],
      ]);
      const { messages } = given(past).when('read_messages', { after: 7 }, 'agent_b').reply();
      expect(messages.map(({ kind }) => kind)).toEqual(['turn.posted']);
    });
  });

  describe('the proposals of one turn', () => {
    test('append new evidence to the active position, as a message only in the turn', () => {
      const evidence = [{ kind: 'test' as const, reference: 'store.bench.ts' }];
      const store = { topic: 'Store', position: 'PostgreSQL 15', evidence };
      const outcome = given([proposed('agent_b', 'd_1')])
        .when('post_turn', { ...input, proposed_decisions: [store] }, 'agent_a')
        .thenEvents(
          turnPosted('agent_a', 0, { proposed_decisions: [{ decision_id: 'd_1', ...store }] }),
          substantiated('agent_a', 'd_1', evidence, true),
        );
      const { messages } = given([proposed('agent_b', 'd_1'), ...outcome.events()])
        .when('read_messages', { after: 6 }, 'agent_b')
        .reply();
      expect(messages.map(({ kind }) => kind)).toEqual(['turn.posted']);
    });

    test('are refused together beyond the limit of open decisions', () => {
      const proposed_decisions = ['Queue', 'Cache'].map((topic) => ({ topic, position: 'None' }));
      const post = (by: 'agent_a' | 'agent_b') =>
        given([proposed(by, 'd_1')], { limits: { openDecisions: 2 } }).when(
          'post_turn',
          { ...input, proposed_decisions },
          'agent_a',
        );
      post('agent_b').reply();
      expect(post('agent_a').refusal()).toMatchObject({ error: 'LIMIT_EXCEEDED', limit: 2 });
    });
  });

  describe('acknowledged directives', () => {
    const turn = { ...input, acknowledged_directives: ['i_1'] };
    const posted = turnPosted('agent_a', 0, { acknowledged_directives: ['i_1'] });

    test('are acknowledged, and the action completes by itself', () => {
      given([directed('i_1', { targets: ['agent_a'] })])
        .when('post_turn', turn, 'agent_a')
        .thenEvents(posted, acknowledged('agent_a', 'i_1'), {
          kind: 'action.fulfilled',
          actor: 'system',
          data: { action_id: 'act_1', due_to: 'agent_a' },
        });
    });

    test('add nothing the second time', () => {
      given([directed('i_1', { targets: ['agent_a'] }), acknowledged('agent_a', 'i_1')])
        .when('post_turn', turn, 'agent_a')
        .thenEvents(posted);
    });

    test('add nothing for one that was withdrawn meanwhile', () => {
      given([directed('i_1'), interventionWithdrawn('i_1')])
        .when('post_turn', turn, 'agent_a')
        .thenEvents(posted);
    });

    test('refuse the whole turn for one to the other agent', () => {
      given([intervened('i_1', { targets: ['agent_b'] })])
        .when('post_turn', turn, 'agent_a')
        .thenFails('UNKNOWN_RECORD', { record: { type: 'intervention', id: 'i_1' } });
    });
  });

  describe('input', () => {
    test.each([
      ['an empty summary', { summary: '' }, 'summary'],
      ['a summary of 8,001 characters', { summary: 'x'.repeat(8_001) }, 'summary'],
      [
        'an unknown member of a question',
        { ...input, questions: [{ text: 'Why?', to: 'agent', block: true }] },
        'questions[0].block',
      ],
      ['a question that is no text', { ...input, questions: [7] }, 'questions[0]'],
      ['a blank question', { ...input, questions: [' '] }, 'questions[0]'],
      ['a question without an addressee', { ...input, questions: [{ text: 'Why?' }] }, 'questions[0].to'],
      ['an unknown member, with the nearest name', { ...input, concern: [] }, 'concern'],
      ['a question asked twice', { ...input, questions: ['Why?', ' why? '] }, 'questions[1]'],
      [
        'a question asked twice under both names of the other agent',
        { ...input, questions: ['Why?', { text: 'Why?', to: 'agent_b' }] },
        'questions[1]',
      ],
      [
        'a question to nobody of the session',
        { ...input, questions: [{ text: 'Why?', to: 'moderator' }] },
        'questions[0].to',
      ],
      [
        'a question answered twice',
        { ...input, answers: ['x', 'y'].map((answer) => ({ question_id: 'q_1', answer })) },
        'answers[1]',
      ],
      [
        'a topic proposed twice',
        { ...input, proposed_decisions: ['Store', 'STORE'].map((topic) => ({ topic, position: 'x' })) },
        'proposed_decisions[1]',
      ],
      [
        'a directive acknowledged twice',
        { ...input, acknowledged_directives: ['i_1', 'i_1'] },
        'acknowledged_directives[1]',
      ],
    ])('refuses %s', (_what, faulty, path) => {
      const refusal = given()
        .when('post_turn', faulty as typeof input, 'agent_a')
        .refusal();
      expect(refusal).toMatchObject({ error: 'INVALID_INPUT' });
      expect(refusal.issues).toContainEqual({ path, message: expect.any(String) });
    });

    test('accepts a summary of 8,000 characters', () => {
      given()
        .when('post_turn', { summary: 'x'.repeat(8_000) }, 'agent_a')
        .reply();
    });
  });
});
