import { describe, expect, test } from 'vitest';
import { given, openSession } from '../../src/testing/index.ts';
import { changed } from '../contract/sample-contract.ts';
import { describeOwner } from '../describe-access.ts';
import { held } from '../held.ts';
import { certify } from '../notices/told.ts';
import { play, submit, submitted } from '../story.ts';

const READ = { revision_id: 'r_1', sections: ['interfaces', 'scope'] };
const READ_AT = '2026-01-05T09:01:00.000Z';

const SECTIONS = [
  'requirements',
  'title',
  'summary',
  'scope',
  'decisions',
  'interfaces',
  'data_models',
  'tasks',
  'tests',
  'gates',
  'risks',
  'safety_conditions',
  'dependencies',
  'rollout',
  'fixture_version',
  'artifacts',
];

const mark = (past = submitted, input: Readonly<Record<string, unknown>> = READ) =>
  given(past).when('markRead', input as never, 'owner');
const readIn = (outcome: ReturnType<typeof mark>): string[] =>
  (outcome.reply() as { sections: { section: string; read_at: string | null }[] }).sections
    .filter(({ read_at }) => read_at !== null)
    .map(({ section }) => section);

describe('markRead', () => {
  describeOwner('markRead', { past: submitted, input: READ, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('records the sections with the hash of their text and the owner as the reader', () => {
    mark().thenEvents({
      kind: 'reading.recorded',
      actor: 'owner',
      data: {
        revision_id: 'r_1',
        sections: [
          { section: 'scope', sha256: 'e2c1b148bcebd23b18bf27fde73a32b0e8f9d4d6f30d6e7861e0a4f14fa0d27e' },
          { section: 'interfaces', sha256: 'ec8ca8c884a5d825c351f524a2cbad33d95334cc2c0689a4123ab11d90b5f85e' },
        ],
        reader: 'owner-1',
      },
    });
  });

  test('answers with every section in the order of the schema, and when it was read', () => {
    const { sections } = mark().reply() as { sections: { section: string }[] };
    expect(sections.map(({ section }) => section)).toEqual(SECTIONS);
    expect(sections.slice(2, 6)).toEqual([
      { section: 'summary', read_at: null },
      { section: 'scope', read_at: READ_AT },
      { section: 'decisions', read_at: null },
      { section: 'interfaces', read_at: READ_AT },
    ]);
  });

  test('marks with a section the sections that the owner reads together with it', () => {
    expect(readIn(mark(submitted, { revision_id: 'r_1', sections: ['summary', 'risks'] }))).toEqual([
      'title',
      'summary',
      'scope',
      'risks',
      'safety_conditions',
      'fixture_version',
    ]);
    expect(readIn(mark(submitted, { revision_id: 'r_1', sections: ['scope'] }))).toEqual(['scope']);
  });

  test('accepts all as the name of every section', () => {
    expect(readIn(mark(submitted, { revision_id: 'r_1', sections: ['all'] }))).toEqual(SECTIONS);
  });

  test('keeps the requirements of the session as read in every later revision', () => {
    const past = play(submitted, [
      ['owner', 'markRead', { revision_id: 'r_1', sections: ['requirements'] }],
      submit('r_1', changed({ title: 'Stock' })),
    ]);
    expect(readIn(mark(past, { revision_id: 'r_2', sections: ['title'] }))).toEqual(['requirements', 'title']);
  });

  test('appends nothing when nothing new was read', () => {
    const past = play(submitted, [['owner', 'markRead', READ]]);
    mark(past).thenEvents();
    mark(past, { revision_id: 'r_1', sections: ['scope'] }).thenEvents();
  });

  test('appends only what was not read yet', () => {
    const past = play(submitted, [['owner', 'markRead', READ]]);
    const [event] = mark(past, { revision_id: 'r_1', sections: ['scope', 'title'] }).events();
    expect(event?.data).toMatchObject({ sections: [{ section: 'title' }] });
  });

  test('counts a section of a later revision as read while its text is the same', () => {
    const later = submit('r_1', changed({ scope: { in: ['All.'], out: [] }, title: 'Stock' }));
    const past = play(submitted, [['owner', 'markRead', { revision_id: 'r_1', sections: ['all'] }], later]);
    const unread = (
      mark(past, { revision_id: 'r_2', sections: ['title'] }).reply() as {
        sections: { section: string; read_at: string | null }[];
      }
    ).sections;
    expect(unread.filter(({ read_at }) => read_at === null)).toEqual([{ section: 'scope', read_at: null }]);
  });

  test('reads the sections of a revision that breaks the schema', () => {
    const broken = play(submitted, [submit('r_1', { title: 7, __proto__x: [] })]);
    expect(readIn(mark(broken, { revision_id: 'r_2', sections: ['all'] }))).toEqual([
      'requirements',
      'title',
      '__proto__x',
    ]);
  });

  test('refuses a section that the revision does not have, and names those that it has', () => {
    const message = `The revision has no section "interface". Its sections are ${SECTIONS.join(', ')}; "all" selects every section.`;
    mark(submitted, { revision_id: 'r_1', sections: ['scope', 'interface'] }).thenFails('INVALID_INPUT', {
      issues: [{ path: 'sections', message }],
    });
  });

  test.each([
    [{ revision_id: 'r_1', sections: [] }],
    [{ revision_id: 'r_1', sections: [''] }],
    [{ revision_id: 'r_1' }],
  ])('refuses %j', (input) => {
    mark(submitted, input).thenFails('INVALID_INPUT');
  });

  test('refuses an unknown revision', () => {
    mark(submitted, { revision_id: 'r_7', sections: ['all'] }).thenFails('UNKNOWN_RECORD', {
      record: { type: 'revision', id: 'r_7' },
    });
  });
});

describe('what agents see of markRead', () => {
  test('is nothing in their state, their messages and the feed', async () => {
    const session = await openSession();
    await certify(session);
    const seen = async () => [
      await session.agentA.call('read_session_state', {}),
      await session.agentB.call('read_messages', {}),
      await session.moderator.call('get_session_events', {}),
      await session.moderator.call('get_moderator_status', {}),
      await session.owner.transcript(session.sessionId),
    ];
    const before = await seen();
    await session.owner.markRead(session.sessionId, { revision_id: 'r_1', sections: ['all'] });
    expect(await seen()).toEqual(before);
  });

  test('ends no long-poll', async () => {
    const session = await openSession();
    await certify(session);
    const ended = session.agentB.call('wait_for_my_turn', { wait: 25 }).then(({ timed_out }) => timed_out);
    await session.owner.markRead(session.sessionId, { revision_id: 'r_1', sections: ['all'] });
    await held(session);
    session.clock.advance(25_000);
    expect(await ended).toBe(true);
  });
});
