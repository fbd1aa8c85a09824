import { describe, expect, test } from 'vitest';
import type { ContractInterface } from '../../src/areas/document/contract.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed, SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { describeOwner } from '../describe-access.ts';
import { approved, type Call, play, submit, submitted } from '../story.ts';

const LONG =
  'Reserves units of one article for one order. A reservation ends after 15 minutes without a payment, and its units are free again for any other order; a payment that comes later is refused with 410.';
const [API] = SAMPLE_CONTRACT.interfaces as [ContractInterface];
const RULE =
  'Stock answers every reservation of a caller that has no account with 403 and stores nothing of what it sent.';
const withApi = (members: Partial<ContractInterface>) => changed({ interfaces: [{ ...API, ...members }] });
const withErrors = (...errors: Record<string, unknown>[]): ContractInterface['operations'] => [
  { name: 'POST /reservations', errors },
];

const read = (revision_id: string, ...sections: string[]): Call => ['owner', 'markRead', { revision_id, sections }];
const patched = (parent: string, contract: unknown, reason: string, causes?: readonly string[]): Call => [
  'agent_a',
  'submit_contract',
  { contract, expected_parent_id: parent, reason, ...(causes && { causes }) },
];
const finds = (text: string): Call => ['agent_b', 'submit_finding', { text }];
const answers = (finding_id: string, revision_id?: string): Call => [
  'agent_a',
  'respond_finding',
  { finding_id, decision: 'ACCEPT', response: 'Mended.', ...(revision_id && { revision_id }) },
];

const changes = (past: readonly PastEvent[], input: Readonly<Record<string, unknown>> = {}) =>
  given(past).when('changes', input as never, 'owner');
const allIn = (past: readonly PastEvent[], input?: Readonly<Record<string, unknown>>) =>
  changes(past, input)
    .reply()
    .sections.flatMap(({ section, records }) =>
      records.flatMap(({ record, changes }) => changes.map((change) => ({ section, record, ...change }))),
    );
const places = (past: readonly PastEvent[], input?: Readonly<Record<string, unknown>>) =>
  allIn(past, input).map(({ kind, place, title }) => (title === undefined ? [kind, place] : [kind, place, title]));

/**
 * In r_2 the interface has a longer description than in r_1, and its operation lists errors as objects. The owner has
 * marked the interfaces of r_2 as read.
 */
const base = play(submitted, [
  submit('r_1', withApi({ description: LONG, operations: withErrors({ status: 409, when: 'out of stock' }) })),
  read('r_2', 'interfaces'),
]);
const to423 = withApi({
  description: LONG.replace('15 minutes', '20 minutes'),
  operations: withErrors({ status: 423, when: 'out of stock' }),
});

describe('changes', () => {
  describeOwner('changes', {
    past: submitted,
    input: { revision_id: 'r_1' },
    statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'],
  });

  test('shows the changes since the revision read last: the values of short texts, the words of long texts', () => {
    const past = play(base, [patched('r_2', to423, 'As you say.')]);
    const { sections, since, revision_id, count } = changes(past).reply();
    expect({ since, revision_id, count }).toEqual({ since: 'r_2', revision_id: 'r_3', count: 2 });
    expect(sections).toEqual([
      {
        section: 'interfaces',
        read_at: null,
        count: 2,
        records: [
          {
            record: 'reservations',
            changes: [
              {
                kind: 'CHANGED',
                path: '/interfaces/0/description',
                place: 'interfaces › reservations › description',
                words: '… for one order. A reservation ends after [-15 -]{+20 +}minutes without a payment, and its …',
                before: null,
                after: null,
                revisions: ['r_3'],
              },
              {
                kind: 'CHANGED',
                path: '/interfaces/0/operations/0/errors/0/status',
                place: 'interfaces › reservations › operations › POST /reservations › errors › 1 › status',
                before: '409',
                after: '423',
                revisions: ['r_3'],
              },
            ],
          },
        ],
      },
    ]);
  });

  test('shows the changed words of a text of one line, and both values of a replaced member', () => {
    const [step] = SAMPLE_CONTRACT.tasks;
    const past = play(submitted, [
      read('r_1', 'all'),
      submit(
        'r_1',
        changed({
          summary: SAMPLE_CONTRACT.summary.replace('15 minutes', 'an hour'),
          data_models: [{ id: 'reservation', name: 'Reservation', json_schema: true }],
          tasks: step ? [step] : [],
        }),
      ),
    ]);
    expect(allIn(past)).toMatchObject([
      {
        place: 'summary',
        words: '… a payment; a reservation ends after [-15 minutes-]{+an hour+}.',
        before: null,
        after: null,
      },
      {
        place: 'data models › reservation › json schema',
        before: '{\n "required": [\n  "reservation_id",\n  "ends_at"\n ],\n "type": "object"\n}',
        after: 'true',
      },
      { kind: 'REMOVED', place: 'tasks › task-orders', title: 'Reserve before paying' },
    ]);
  });

  test('compares with the revision that the owner approved without marking a section as read', () => {
    const again = play(approved, [
      ['owner', 'requestChanges', { reason: 'Name the lock.' }],
      patched('r_1', changed({ title: 'Stock' }), 'Once more.'),
      patched('r_2', changed({ title: 'Stock with a lock' }), 'Named.'),
    ]);
    expect(changes(again).reply()).toMatchObject({ since: 'r_1', revision_id: 'r_3', count: 1 });
    expect(places(again)).toEqual([['CHANGED', 'title']]);
    expect(changes(play(again, [read('r_2', 'title')])).reply().since).toBe('r_2');
  });

  test('names added and removed records, and elements of lists', () => {
    const past = play(base, [
      patched(
        'r_2',
        {
          ...withApi({ description: LONG, operations: withErrors({ status: 409, when: 'out of stock' }) }),
          decisions: ['d_1', 'd_2'],
          tests: SAMPLE_CONTRACT.tests.slice(0, 1),
          scope: { in: ['Reserving stock for an order.', 'Releasing it.'], out: ['Payments.'] },
          risks: [
            ...SAMPLE_CONTRACT.risks,
            { id: 'risk-lock', text: 'A lock.', mitigation: 'None.', assignee: 'agent_a' },
          ],
        },
        'More.',
      ),
    ]);
    expect(places(past)).toEqual([
      ['ADDED', 'scope › in › 2'],
      ['ADDED', 'decisions › d_2'],
      ['REMOVED', 'tests › test-expiry', 'A reservation ends'],
      ['ADDED', 'risks › risk-lock', 'A lock.'],
    ]);
  });

  test('shows the rule of a decision: its text if new for the reader, its words if it replaces one that was read', () => {
    const past = play(submitted, [
      read('r_1', 'all'),
      ['agent_a', 'submit_decision', { topic: 'who may reserve', position: RULE, accept: true }],
      ['agent_b', 'accept_decision', { decision_id: 'd_2' }],
      patched('r_1', changed({ decisions: ['d_1', 'd_2'] }), 'Names who.'),
      ['agent_b', 'submit_decision', { topic: 'who may reserve', position: RULE.replace('every', 'no'), accept: true }],
      ['agent_a', 'accept_decision', { decision_id: 'd_3' }],
      patched('r_2', changed({ decisions: ['d_1', 'd_3'] }), 'Names no one.'),
    ]);
    const [added] = allIn(past, { revision_id: 'r_3', since: 'r_1' });
    expect(added).toMatchObject({
      kind: 'ADDED',
      place: 'decision d_3',
      title: 'who may reserve',
      before: null,
      after: RULE.replace('every', 'no'),
    });
    expect(added).not.toHaveProperty('replaces');
    expect(allIn(past, { since: 'r_2' })).toMatchObject([
      {
        kind: 'CHANGED',
        place: 'decision d_3',
        title: 'who may reserve',
        replaces: 'd_2',
        words: 'Stock answers [-every -]{+no +}reservation of a caller that has no …',
      },
    ]);
    const removed = play(past, [
      ['agent_a', 'submit_decision', { topic: 'when', position: 'Stock reserves at once.', accept: true }],
      ['agent_b', 'accept_decision', { decision_id: 'd_4' }],
      patched('r_3', changed({ decisions: ['d_3', 'd_4'] }), 'Says when.'),
    ]);
    expect(allIn(removed, { since: 'r_3' })).toMatchObject([
      { kind: 'REMOVED', place: 'decision d_1', title: 'Store', before: 'PostgreSQL 15', after: null },
      { kind: 'ADDED', place: 'decision d_4', title: 'when', before: null, after: 'Stock reserves at once.' },
    ]);
  });

  test('compares the decision that the revision cites with the one on its topic that was read, whatever came between', () => {
    const cites = (parent: string, ...decisions: string[]) => patched(parent, changed({ decisions }), 'As decided.');
    const takes = (position: string): Call => ['agent_b', 'submit_decision', { topic: 'who', position, accept: true }];
    const accepts = (decision_id: string): Call => ['agent_a', 'accept_decision', { decision_id }];
    const past = play(submitted, [
      takes(RULE),
      accepts('d_2'),
      cites('r_1', 'd_1', 'd_2'),
      read('r_2', 'all'),
      takes('A text that the owner never saw, because no revision cites it, and that is not compared with anything.'),
      takes(RULE.replace('every', 'no')),
      accepts('d_4'),
      cites('r_2', 'd_1', 'd_4'),
    ]);
    const words = 'Stock answers [-every -]{+no +}reservation of a caller that has no …';
    expect(allIn(past)).toMatchObject([{ kind: 'CHANGED', place: 'decision d_4', replaces: 'd_2', words }]);
    const again = play(past, [
      read('r_3', 'all'),
      ['agent_b', 'withdraw_decision', { decision_id: 'd_4', reason: 'Not so.' }],
      takes(RULE),
      accepts('d_5'),
      cites('r_3', 'd_5', 'd_1'),
    ]);
    expect(allIn(again)).toMatchObject([
      {
        kind: 'ADDED',
        place: 'decision d_5',
        replaces: 'd_4',
        words: 'Stock answers [-no -]{+every +}reservation of a caller that has no …',
      },
      { kind: 'REMOVED', place: 'decision d_4', replaced_by: 'd_5', before: null },
    ]);
  });

  test('shows a decision that takes the place of another topic in the list as one removed and one added', () => {
    const past = play(submitted, [
      read('r_1', 'all'),
      ['agent_a', 'submit_decision', { topic: 'when', position: 'Stock reserves at once.', accept: true }],
      ['agent_b', 'accept_decision', { decision_id: 'd_2' }],
      patched('r_1', changed({ decisions: ['d_2'] }), 'Says when.'),
    ]);
    expect(allIn(past)).toMatchObject([
      { kind: 'REMOVED', place: 'decision d_1', title: 'Store', before: 'PostgreSQL 15', after: null },
      { kind: 'ADDED', place: 'decision d_2', title: 'when', before: null, after: 'Stock reserves at once.' },
    ]);
    expect(allIn(past).every((change) => change.replaces === undefined)).toBe(true);
  });

  test('names the causes that the author of a revision named, and the findings whose answers name the revision', () => {
    const past = play(base, [
      finds('The interface reservations lacks 423.'),
      finds('The title is unclear.'),
      answers('f_1'),
      patched('r_2', { ...to423, title: 'Stock', fixture_version: '2' }, 'As f_1 says.', ['d_1', 'd_1']),
      answers('f_2', 'r_3'),
    ]);
    expect(changes(past).reply().revisions).toMatchObject([
      {
        revision_id: 'r_3',
        causes: [
          { type: 'decision', id: 'd_1' },
          { type: 'finding', id: 'f_2' },
        ],
      },
    ]);
  });

  describe('after a request for changes', () => {
    const asked = play(base, [['owner', 'requestChanges', { reason: 'Use 423.' }]]);
    const id = given(asked).when('brief', { stage: 'approval' }, 'owner').reply().requests.at(-1)?.message_id;
    const mended = (causes?: readonly string[]) =>
      play(asked, [patched('r_2', { ...to423, decisions: ['d_1', 'd_2'] }, `Mends #${id}.`, causes)]);

    test('shows the words of the request, and whether the causes name it', () => {
      const one = { message_id: id, returned: 'r_2', text: 'Use 423.', answered_by: 'r_3', answer: `Mends #${id}.` };
      expect(changes(mended()).reply().requests).toMatchObject([{ ...one, is_named: false }]);
      expect(changes(mended([String(id)])).reply().requests).toMatchObject([{ ...one, is_named: true }]);
      expect(changes(mended(), { revision_id: 'r_2' }).reply().requests).toEqual([]);
    });
  });

  test('names each revision in between that changed the place, and not those that changed another', () => {
    const past = play(base, [
      patched('r_2', to423, 'One.'),
      patched('r_3', { ...to423, title: 'Stock' }, 'Two.'),
      patched('r_4', { ...to423, title: 'Stock is held' }, 'Three.'),
    ]);
    expect(allIn(past).map(({ path, revisions }) => `${path} ${revisions.join(' ')}`)).toEqual([
      '/title r_4 r_5',
      '/interfaces/0/description r_3',
      '/interfaces/0/operations/0/errors/0/status r_3',
    ]);
  });

  test('compares with the revision that was read before, also while the newest one is being read', () => {
    const past = play(base, [patched('r_2', to423, 'One.'), read('r_3', 'title')]);
    expect(changes(past).reply()).toMatchObject({ since: 'r_2', revision_id: 'r_3', count: 2 });
  });

  test('names an error by its code', () => {
    const api = (status: number) =>
      withApi({ operations: withErrors({ code: 'OTHER', status: 400 }, { code: 'LOCKED', status }) });
    const past = play(submitted, [patched('r_1', api(409), 'One.'), patched('r_2', api(423), 'Two.')]);
    expect(places(past, { since: 'r_2' })).toEqual([
      ['CHANGED', 'interfaces › reservations › operations › POST /reservations › errors › LOCKED › status'],
    ]);
  });

  test('accepts any two revisions in order', () => {
    const past = play(base, [patched('r_2', to423, 'One.'), patched('r_3', { ...to423, title: 'Stock' }, 'Two.')]);
    expect(places(past, { revision_id: 'r_4', since: 'r_3' })).toEqual([['CHANGED', 'title']]);
    expect(places(past, { revision_id: 'r_3', since: 'r_3' })).toEqual([]);
  });

  test('refuses a base that is later, and names diff', () => {
    changes(base, { revision_id: 'r_1', since: 'r_2' }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'since', message: 'Must not be later than r_1. Call diff to compare backwards.' }],
    });
  });

  test.each([{ revision_id: 'r_9' }, { since: 'r_9' }, { revision_id: 'r_1', since: 'r_9' }])(
    'of %j finds no r_9',
    (input) => {
      changes(base, input).thenFails('UNKNOWN_RECORD', { record: { type: 'revision', id: 'r_9' } });
    },
  );

  test('returns the changes after a given number', () => {
    expect(places(submitted, { after: 17 })).toEqual([
      ['ADDED', 'fixture version'],
      ['ADDED', 'artifacts › reservation-cases.json'],
    ]);
    expect(changes(submitted, { after: 17 }).reply().count).toBe(19);
  });

  test('works for a revision that breaks the schema', () => {
    const past = play(base, [patched('r_2', { title: 7, tests: 'none', x: { y: [1] } }, 'Broken.')]);
    expect(places(past).slice(0, 2)).toEqual([
      ['CHANGED', 'title'],
      ['REMOVED', 'summary'],
    ]);
    expect(places(past)).toContainEqual(['CHANGED', 'tests']);
    expect(places(past).at(-1)).toEqual(['ADDED', 'x']);
  });
});
