import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed } from '../contract/sample-contract.ts';
import { paused, resumed, taskAssigned, turnPosted } from '../past.ts';
import { play, submit, submitted } from '../story.ts';

const acked = (cursor: number): PastEvent => ({ kind: 'events.acknowledged', actor: 'moderator', data: { cursor } });
const turns = (count: number): PastEvent[] =>
  Array.from({ length: count }, (_, index) => turnPosted(index % 2 === 0 ? 'agent_a' : 'agent_b', index));

const page = (past: readonly PastEvent[], input: Readonly<Record<string, unknown>> = {}) =>
  given(past).when('get_session_events', input, 'moderator').reply();
const ids = (past: readonly PastEvent[], input: Readonly<Record<string, unknown>> = {}) =>
  page(past, input).events.map(({ id }) => id);

describe('get_session_events', () => {
  test('returns full records in order, from the first that the moderator sees', () => {
    given([turnPosted('agent_a', 0, { summary: 'Orders first.' })])
      .when('get_session_events', {}, 'moderator')
      .thenReply({
        events: [
          {
            id: 5,
            at: '2026-01-05T09:00:00.000Z',
            kind: 'session.started',
            actor: 'owner',
            subject: { type: 'session', id: 'SessionOfTheGivenTests' },
            data: {},
          },
          {
            id: 6,
            at: '2026-01-05T09:00:00.000Z',
            kind: 'turn.posted',
            actor: 'agent_a',
            subject: { type: 'turn', id: '0' },
            data: { round: 1, next_agent: 'agent_b', summary: 'Orders first.' },
          },
        ],
        next_cursor: 6,
        acked_cursor: 0,
        head: 6,
      });
  });

  test("leaves out texts that other reads return in full, and the moderator's own texts", () => {
    const asked: PastEvent = {
      kind: 'intervention.opened',
      actor: 'moderator',
      data: {
        intervention_id: 'i_1',
        type: 'QUESTION',
        text: 'Which key is sent?',
        priority: 'HIGH',
        blocking: false,
        targets: ['agent_a'],
      },
    };
    const seen: PastEvent = {
      kind: 'evidence.submitted',
      actor: 'agent_b',
      data: {
        scenario_id: 't_1',
        attempt: 1,
        kind: 'log',
        claim: 'One row is written.',
        summary: 'The table has one row for the key, written by the first try.',
        request_id: 'req-1',
        assertions: [{ name: 'rows', expected: 1, actual: 1, passed: true }],
        commit: 'c02d9e6b71f3485a90be27d14c6f8a53e7b019d4',
      },
    };
    const shown = page([asked, seen]).events.slice(1);
    expect(shown).toMatchObject([
      { kind: 'intervention.opened', subject: { type: 'intervention', id: 'i_1' } },
      { kind: 'evidence.submitted', subject: { type: 'scenario', id: 't_1' } },
    ]);
    expect(shown.map(({ data }) => data)).toEqual([
      { type: 'QUESTION', priority: 'HIGH', blocking: false },
      { attempt: 1 },
    ]);
  });

  test('has the texts of a turn once, in the event of the turn', () => {
    const turn = {
      summary: 'Offsets hurt.',
      questions: [{ to: 'agent', text: 'Which port?', blocking: true }],
      proposed_decisions: [{ topic: 'Store', position: 'PostgreSQL 15', evidence: [{ kind: 'log', reference: 'a' }] }],
    };
    const { events } = page(play([], [['agent_a', 'post_turn', turn]]));
    expect(events.slice(1).map(({ kind, subject, data }) => [kind, subject.id, data])).toMatchObject([
      [
        'turn.posted',
        '0',
        { questions: [{ text: 'Which port?' }], proposed_decisions: [{ position: 'PostgreSQL 15' }] },
      ],
      ['question.asked', 'q_1', {}],
      ['decision.proposed', 'd_1', {}],
    ]);
    expect(events.slice(2).map(({ data }) => data)).toEqual([
      { to: 'agent_b', blocking: true },
      { topic: 'Store', revision: 1 },
    ]);
  });

  test('describes the changes of a new revision', () => {
    const revision = (changes: object) =>
      page(play(submitted, [submit('r_1', changed(changes))])).events.findLast(
        ({ kind }) => kind === 'revision.created',
      );
    expect(revision({ title: 'Stock is held' })).toMatchObject({
      subject: { type: 'revision', id: 'r_2' },
      data: { parent_id: 'r_1', ops: [{ op: 'replace', path: '/title', value: 'Stock is held' }] },
    });
    const { data } = revision({ title: 'Stock is held', summary: 'x'.repeat(5_000) }) ?? {};
    expect(data).toMatchObject({ ops: [{ path: '/title' }], ops_left_out: 1 });
  });

  test('starts after the acknowledged cursor if after is left out', () => {
    const past = [turnPosted('agent_a', 0), acked(5)];
    expect(page(past)).toMatchObject({ events: [{ id: 6 }], next_cursor: 6, acked_cursor: 5, head: 6 });
    expect(page([turnPosted('agent_a', 0), acked(6)])).toMatchObject({
      events: [],
      next_cursor: 6,
      acked_cursor: 6,
      head: 6,
    });
  });

  test('starts after the given cursor, before or beyond the acknowledged one', () => {
    const past = [...turns(3), acked(7)];
    expect(ids(past, { after: 0 })).toEqual([5, 6, 7, 8]);
    expect(ids(past, { after: 6 })).toEqual([7, 8]);
    expect(ids(past, { after: 7 })).toEqual([8]);
    expect(page(past, { after: 6 }).acked_cursor).toBe(7);
  });

  test('returns the given cursor if no event is after it', () => {
    expect(page(turns(1), { after: 6 })).toEqual({ events: [], next_cursor: 6, acked_cursor: 0, head: 6 });
  });

  test.each([7, 99, 2_147_483_647])('refuses the cursor %i beyond the head, and names the head', (after) => {
    given(turns(1))
      .when('get_session_events', { after }, 'moderator')
      .thenFails('INVALID_INPUT', {
        issues: [{ path: 'after', message: 'Must be at most 6, the latest id you can see.' }],
      });
  });

  test('refuses the number of an event beyond the head that it does not see', () => {
    const past = [...turns(1), taskAssigned('act_1', 'agent_a')];
    given(past).when('get_session_events', { after: 7 }, 'moderator').thenFails('INVALID_INPUT');
  });

  test('returns 50 events per page, or as many as limit', () => {
    const past = turns(110);
    expect(page(past)).toMatchObject({ next_cursor: 54, head: 115 });
    expect(ids(past)).toHaveLength(50);
    expect(ids(past, { limit: 1 })).toEqual([5]);
    expect(ids(past, { limit: 2, after: 60 })).toEqual([61, 62]);
    expect(ids(past, { limit: 100 })).toHaveLength(100);
  });

  test.each([
    ['limit', 0],
    ['limit', 101],
    ['limit', 'x'],
    ['limit', 1.5],
    ['after', -1],
    ['after', 'x'],
    ['wait', -1],
    ['wait', 'x'],
  ])('refuses %s %j', (member, value) => {
    const { error, issues } = given()
      .when('get_session_events', { [member]: value } as never, 'moderator')
      .refusal();
    expect({ error, issues }).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: member }] });
  });

  test('counts the events that the moderator sees, not all events of the log', () => {
    const unseen: PastEvent = {
      kind: 'action.opened',
      actor: 'owner',
      data: { action_id: 'act_1', due_to: 'agent_a', type: 'OWNER_TASK', text: 'Do.' },
    };
    expect(ids([unseen, paused, resumed], { limit: 2 })).toEqual([5, 7]);
  });

  test('ends a page at 300,000 characters', () => {
    const long = (index: number): PastEvent =>
      turnPosted(index % 2 === 0 ? 'agent_a' : 'agent_b', index, { concerns: ['x'.repeat(120_000)] });
    const past = [long(0), long(1), long(2), long(3)];
    expect(page(past)).toMatchObject({ events: [{ id: 5 }, { id: 6 }, { id: 7 }], next_cursor: 7, head: 9 });
    expect(ids(past, { after: 7 })).toEqual([8, 9]);
  });

  test('returns a single event that is longer than a page', () => {
    const past = [turnPosted('agent_a', 0, { concerns: ['x'.repeat(310_000)] }), turnPosted('agent_b', 1)];
    expect(ids(past, { after: 5 })).toEqual([6]);
    expect(ids(past, { after: 6 })).toEqual([7]);
  });
});
