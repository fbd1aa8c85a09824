import { expect, test } from 'vitest';
import { wrongMember } from '../../src/client/index.ts';

const PERSON = { person_id: 'p_1', name: 'Ada', role: 'viewer', account_id: 'owner', key_prefix: 'pok_aaaaaa' };
const LISTED = {
  ...{ ...PERSON, subject: null, added_by: null, last_used_at: null },
  added_at: '2026-11-29T12:00:00.000Z',
};
const ID = 's'.repeat(22);
const EVENT = {
  ...{ seq: 7, at: '2026-11-29T12:00:00.000Z', v: 1, actor: 'agent_a', kind: 'question.asked' },
  data: { question_id: 'q_1', to: 'agent_b', text: 'Why?', blocking: true },
};
/** What an agent may post: its texts can have lines. */
const TURN = {
  ...{ turn_index: 0, round: 1, next_agent: 'agent_b', summary: 'One\ntwo.' },
  interfaces: [{ name: 'Captures\n', kind: 'REST\tAPI\nevents', description: 'Two\nlines.' }],
};
const ENTRY = { id: 7, at: EVENT.at, from: EVENT.actor, kind: EVENT.kind, body: EVENT.data };
const STANDING = { session_id: ID, status: 'ACTIVE', phase: 'PLANNING', round_limit: 6 };

test.each<[string, unknown, string | undefined]>([
  ['deleteSession', { deleted: true }, undefined],
  ['deleteSession', { deleted: true, further: 'from a later version' }, undefined],
  ['deleteSession', { deleted: false }, 'deleted'],
  ['deleteSession', {}, 'deleted'],
  ['deleteSession', [], ''],
  ['deleteSession', null, ''],
  ['pause', STANDING, undefined],
  ['pause', { ...STANDING, status: 'A_WORD_OF_A_LATER_VERSION' }, undefined],
  ['pause', { ...STANDING, status: 'ACTIVE\nok' }, 'status'],
  ['pause', { ...STANDING, status: 'approved by the owner' }, 'status'],
  ['pause', { ...STANDING, status: '__proto__' }, 'status'],
  ['pause', { ...STANDING, status: 'toString' }, 'status'],
  ['pause', { ...STANDING, session_id: '../x' }, 'session_id'],
  ['pause', { ...STANDING, session_id: `${ID}\n` }, 'session_id'],
  ['pause', { ...STANDING, round_limit: '6' }, 'round_limit'],
  ['pause', JSON.parse('{"__proto__":{"session_id":"s"}}'), 'session_id'],
  ['listPeople', { people: [LISTED], revoked: [] }, undefined],
  ['listPeople', { people: [LISTED, { ...LISTED, name: 'Ada\nFORGED' }], revoked: [] }, 'people[1].name'],
  ['listPeople', { people: [{ ...LISTED, role: 'king' }], revoked: [] }, 'people[0].role'],
  ['listPeople', { people: [{ ...LISTED, added_at: 'yesterday' }], revoked: [] }, 'people[0].added_at'],
  ['listPeople', { people: [{ ...LISTED, added_by: { id: 'owner' } }], revoked: [] }, 'people[0].added_by.name'],
  ['listPeople', { people: { length: 0 }, revoked: [] }, 'people'],
  ['find', { hits: [], next_after: 7 }, 'next_after'],
  ['invite', { code: 'pinv_x', role: 'agent_a', expires_at: '2026-11-29T12:00:00Z' }, undefined],
  ['invite', { code: 'pinv_x;touch x', role: 'agent_a', expires_at: '2026-11-29T12:00:00Z' }, 'code'],
  ['watch', EVENT, undefined],
  ['watch', { ...EVENT, kind: 'king.crowned', data: { name: 1 } }, undefined],
  ['watch', { ...EVENT, kind: 'constructor', data: [] }, 'kind'],
  ['watch', { ...EVENT, kind: 'king crowned\nok' }, 'kind'],
  ['watch', { ...EVENT, seq: '7' }, 'seq'],
  ['watch', { ...EVENT, actor: 'king' }, 'actor'],
  ['watch', { ...EVENT, data: {} }, 'data.question_id'],
  ['watch', { ...EVENT, data: { ...EVENT.data, text: ['why'] } }, 'data.text'],
  ['watch', { ...EVENT, kind: 'turn.posted', data: TURN }, undefined],
  ['transcript', { messages: [ENTRY], next_cursor: 7, more: false }, undefined],
  [
    'transcript',
    { messages: [{ ...ENTRY, body: { position: 'yes' } }], next_cursor: 7, more: false },
    'messages[0].body.question_id',
  ],
  [
    'get_session_events',
    { events: [], counted: { 'a\nb': 'x' }, next_cursor: 1, acked_cursor: 1, head: 1 },
    'counted.*',
  ],
])('%s: %j', (call, answer, wrong) => {
  expect(wrongMember(call, answer)).toBe(wrong);
});

test('an answer to a call that this version does not know is not checked', () => {
  expect(wrongMember('launch', {})).toBeUndefined();
});
