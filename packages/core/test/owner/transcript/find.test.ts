import { describe, expect, test } from 'vitest';
import { createMemoryStorage, createParley } from '../../../src/index.ts';
import { openSession } from '../../../src/testing/index.ts';

const turn = (summary: string, position: string) => ({
  summary,
  proposed_decisions: [{ topic: 'Store', position }],
});

async function openTalk() {
  const session = await openSession();
  await session.agentA.call('post_turn', turn('We keep it simple.', 'One file of SQLite, "journal.db".'));
  await session.agentB.call('post_turn', turn('A file is not enough.', 'PostgreSQL 16.'));
  return session;
}

/** One talk for the searches of it, which change nothing. */
const talk = await openTalk();

describe('find', () => {
  test('names the decision of a turn in which all words occur, and marks them', async () => {
    const { owner, sessionId } = await openTalk();
    expect(await owner.find({ words: 'sqlite FILE' })).toEqual({
      hits: [
        {
          session_id: sessionId,
          title: 'Orders and stock',
          seq: 9,
          at: '2026-01-05T09:00:00.000Z',
          from: 'agent_a',
          name: 'Ada',
          kind: 'turn.posted',
          record: { type: 'decision', id: 'd_1' },
          status: 'SUPERSEDED',
          superseded_by: 'd_2',
          excerpt: 'One file of SQLite, "journal.db".',
          marks: [
            { start: 4, end: 8 },
            { start: 12, end: 18 },
          ],
        },
      ],
      next_after: null,
    });
  });

  test('shows the position of a decision, even if the word is only in its topic', async () => {
    const { owner } = await openTalk();
    const { hits } = await owner.find({ words: 'store' });
    expect(hits.map(({ record, excerpt, marks }) => [record.id, excerpt, marks])).toEqual([
      ['d_2', 'Store: PostgreSQL 16.', [{ start: 0, end: 5 }]],
      ['d_1', 'Store: One file of SQLite, "journal.db".', [{ start: 0, end: 5 }]],
    ]);
  });

  test.each([
    ['file', [11, 9]],
    ['"journal.db"', [9]],
    ['file postgresql', [11]],
    ['sqlite postgresql', []],
    ['summary', []],
    ['d_1', [11, 9]],
    ['orders', [1]],
    ['.*', []],
    ['stg', []],
    ['POST sql', []],
    ['ournal', []],
    ['db', [9]],
    ['.db', [9]],
    ['"file of"', [9]],
    ['"of file"', []],
    ['of file', [9]],
    ['"ile of"', []],
    ['"a file" 16', [11]],
    ['"enough file', [11]],
  ])('%s is found in these events', async (words, seqs) => {
    expect((await talk.owner.find({ words })).hits.map(({ seq }) => seq)).toEqual(seqs);
  });

  test('finds words of a contract in the latest revision, or in the last revision that contains them', async () => {
    const { agentA, agentB, owner } = await openSession();
    await agentA.call('post_turn', { summary: 'Each zebra, in stock.' });
    for (const agent of [agentA, agentB])
      await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' });
    const contract = { title: 'Stock', summary: 'It counts each zebra.', scope: { in: ['Counting.'] } };
    await agentA.call('submit_contract', { contract, expected_parent_id: '', reason: 'As planned.' });
    const ops = [{ op: 'replace' as const, path: '/scope/in/0', value: 'Counting a giraffe.' }];
    await agentA.call('patch_contract', { expected_parent_id: 'r_1', reason: 'It was vague.', ops });
    const many = { ...contract, scope: { in: [`${'a '.repeat(3_000)}lion`] } };
    await agentA.call('submit_contract', { contract: many, expected_parent_id: 'r_2', reason: 'Longer.' });
    const found = async (words: string) =>
      (await owner.find({ words })).hits.map(({ record, excerpt }) => [record.id, excerpt.slice(-21)]);
    expect(await found('zebra stock')).toEqual([
      ['r_3', 'It counts each zebra.'],
      ['0', 'Each zebra, in stock.'],
    ]);
    expect(await found('giraffe')).toEqual([['r_2', 'Counting a giraffe.']]);
    expect((await found('lion')).map(([id]) => id)).toEqual(['r_3']);
    expect(await found('vague')).toEqual([['r_2', 'It was vague.']]);
    const [giraffe] = (await owner.find({ words: 'giraffe' })).hits;
    expect(giraffe).toMatchObject({ status: 'SUPERSEDED', superseded_by: 'r_3' });
  });

  test('gets further with each call, also if the newest event is a revision after a range that is as long as a call may be', async () => {
    const { agentA, agentB, owner } = await openSession({ session: { round_limit: 40 } });
    for (const agent of [agentA, agentB])
      await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' });
    const contract = { title: 'Stock', summary: 'It counts each zebra.', scope: { in: ['Counting.'] } };
    await agentA.call('submit_contract', { contract, expected_parent_id: '', reason: 'As planned.' });
    const texts = Array.from({ length: 20 }, () => '\u20ac'.repeat(1_990));
    const long = { summary: 'Long.', concerns: texts, safety_conditions: texts, disagreements: texts };
    for (let round = 0; round < 7; round += 1)
      for (const agent of [agentA, agentB]) await agent.call('post_turn', long);
    const ops = [{ op: 'replace' as const, path: '/scope/in/0', value: 'Counting a giraffe.' }];
    await agentA.call('patch_contract', { expected_parent_id: 'r_1', reason: 'It was vague.', ops });
    const seen: string[] = [];
    let last = Number.POSITIVE_INFINITY;
    for (let after = ''; last > 0; ) {
      const page = await owner.find({ words: 'zebra', ...(after && { after }) });
      seen.push(...page.hits.map(({ record }) => record.id));
      after = page.next_after ?? '';
      const next = Number(after.split(':')[1] ?? 0);
      expect(next).toBeLessThan(last);
      last = next;
    }
    expect(seen).toContain('r_2');
  });

  test('names each decision and question of a turn with the words, also if one was named by a newer message', async () => {
    const { agentA, agentB, owner } = await openSession();
    await agentA.call('post_turn', {
      summary: 'A timeout, or none.',
      proposed_decisions: [
        { topic: 'Cache', position: 'The timeout is 5 s.' },
        { topic: 'Retry', position: 'No timeout at all.' },
        { topic: 'Store', position: 'One file.' },
      ],
      questions: ['Which timeout?'],
    });
    const found = async () => (await owner.find({ words: 'timeout' })).hits.map(({ seq, record }) => [seq, record.id]);
    const posted = [
      [9, 'd_1'],
      [9, 'd_2'],
      [9, 'q_1'],
    ];
    expect(await found()).toEqual(posted);
    await agentB.call('reject_decision', { decision_id: 'd_1', reason: 'The timeout is too short.' });
    expect(await found()).toEqual([[14, 'd_1'], ...posted.slice(1)]);
  });

  test('says the status of a decision that is in force', async () => {
    const { owner } = await openTalk();
    expect((await owner.find({ words: 'postgresql' })).hits.map(({ record, status }) => [record.id, status])).toEqual([
      ['d_2', 'PROPOSED'],
    ]);
  });

  test('says the status of a question', async () => {
    const { agentA, owner } = await openSession();
    await agentA.call('post_turn', { summary: 'One thing.', questions: ['Which zebra?'] });
    expect((await owner.find({ words: 'zebra' })).hits).toMatchObject([{ record: { id: 'q_1' }, status: 'OPEN' }]);
  });

  test('names a record once, by its newest message with the words, and each message of a turn', async () => {
    const { owner, sessionId, agentA } = await openSession();
    const { intervention } = await owner.ask(sessionId, { targets: ['agent_a'], text: 'Which zebra?' });
    await agentA.call('answer_intervention', {
      intervention_id: intervention.intervention_id,
      text: 'The zebra of the zoo.',
    });
    await agentA.call('post_turn', { summary: 'A zebra.' });
    expect((await owner.find({ words: 'zebra' })).hits.map(({ record, excerpt }) => [record.type, excerpt])).toEqual([
      ['turn', 'A zebra.'],
      ['intervention', 'The zebra of the zoo.'],
    ]);
  });

  test('shows the text that contains the most of the words', async () => {
    const { agentA, owner } = await openSession();
    await agentA.call('post_turn', { summary: 'A timeout.', concerns: ['The timeout is 30 seconds.'] });
    const [hit] = (await owner.find({ words: 'timeout 30 seconds' })).hits;
    expect(hit?.excerpt).toBe('The timeout is 30 seconds.');
  });

  test('searches only the session that is named', async () => {
    const { owner, sessionId } = await openTalk();
    const other = await owner.createSession({
      title: 'SQLite',
      objective: 'Sqlite.',
      requirements: [{ requirement_id: 'req-1', text: 'Once.' }],
      agents: {
        agent_a: { name: 'Ada', repository: 'example/a', service: 'a' },
        agent_b: { name: 'Bo', repository: 'example/b', service: 'b' },
      },
    });
    expect((await owner.find({ words: 'sqlite', session_id: other.session_id })).hits).toHaveLength(1);
    const found = await owner.find({ words: 'sqlite', session_id: sessionId });
    expect(found.hits.map((hit) => hit.session_id)).toEqual([sessionId]);
    expect(found.next_after).toBeNull();
    await expect(owner.find({ words: 'sqlite', session_id: 'nothere' })).rejects.toMatchObject({
      code: 'UNKNOWN_RECORD',
    });
  });

  test('marks words and phrases in the excerpt where they begin a word', async () => {
    const { agentA, owner } = await openSession();
    await agentA.call('post_turn', { summary: 'The support of PORTS: port a\n  portal, an export, Port A.' });
    const [hit] = (await owner.find({ words: 'port "port a"' })).hits;
    expect(hit?.marks.map(({ start, end }) => hit.excerpt.slice(start, end))).toEqual([
      'PORT',
      'port a',
      'port',
      'Port A',
    ]);
  });

  test.each([
    ['\u9375', 'The \u51aa\u7b49\u9375.'],
    ['cl\u00e9', 'Une CL\u00c9.'],
    ['timeout', 'The lock_timeout.'],
    ['"time out"', 'A time\n  out.'],
    ['(a|b)*', 'The term (a|b)*.'],
    ['--dry-run', 'With --dry-run.'],
    ['a\\nb', 'The path a\\nb.'],
  ])('finds %s in %j', async (words, summary) => {
    const { agentA, owner } = await openSession();
    await agentA.call('post_turn', { summary });
    expect((await owner.find({ words })).hits).toHaveLength(1);
  });

  test.each([
    ['"port a"', 'The portal.'],
    ['timeout', 'The time is out.'],
  ])('does not find %s in %j', async (words, summary) => {
    const { agentA, owner } = await openSession();
    await agentA.call('post_turn', { summary });
    expect((await owner.find({ words })).hits).toEqual([]);
  });

  test('shortens a long text around the first word', async () => {
    const session = await openSession();
    await session.agentA.call('post_turn', { summary: `${'before '.repeat(100)}needle${' after'.repeat(100)}` });
    const [hit] = (await session.owner.find({ words: 'needle' })).hits;
    expect(hit?.excerpt.length).toBeLessThanOrEqual(300);
    expect(hit?.marks.map(({ start, end }) => hit.excerpt.slice(start, end))).toEqual(['needle']);
    expect(hit?.excerpt).toMatch(/^….* needle .*…$/);
  });

  test('continues where the previous page ended, in another session or within a session', async () => {
    const storage = createMemoryStorage();
    const parley = await createParley({ storage });
    const owner = parley.owner('someone');
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { session_id } = await owner.createSession({
        title: `Work ${count}`,
        objective: 'A zebra crossing.',
        requirements: [{ requirement_id: 'R1', text: 'It is safe.' }],
      });
      ids.unshift(session_id);
      await owner.start(session_id);
      for (let asked = 0; asked < 60; asked += 1)
        await owner.direct(session_id, {
          targets: ['agent_a'],
          text: `${asked % 4 === 0 ? 'Lion' : 'Zebra'} ${asked}.`,
        });
    }
    const seen: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof owner.find>> = await owner.find({
        words: 'zebra',
        ...(after === null ? {} : { after }),
      });
      seen.push(...page.hits.map(({ session_id, seq }) => `${session_id}:${seq}`));
      after = page.next_after;
      pages += 1;
    } while (after !== null && pages < 10);
    expect(seen).toHaveLength(138);
    expect(new Set(seen).size).toBe(138);
    expect([...new Set(seen.map((place) => place.split(':')[0]))]).toEqual(ids);
    await parley.close();
  });

  test('ends a page after 50 hits, also between sessions of a single event', async () => {
    const parley = await createParley({ storage: createMemoryStorage() });
    const owner = parley.owner('o');
    for (let count = 0; count < 51; count += 1)
      await owner.createSession({
        title: `Orders ${count}`,
        objective: 'O.',
        requirements: [{ requirement_id: 'R1', text: 'T.' }],
      });
    const first = await owner.find({ words: 'orders' });
    expect([first.hits.length, typeof first.next_after]).toEqual([50, 'string']);
    const last = await owner.find({ words: 'orders', after: first.next_after ?? '' });
    expect([last.hits.length, last.next_after]).toEqual([1, null]);
  });

  test('finds no text in sessions of another owner', async () => {
    const { parley } = await openTalk();
    expect(await parley.owner('somebody-else').find({ words: 'sqlite' })).toEqual({ hits: [], next_after: null });
  });

  test.each([{}, { words: '  ' }, { words: '" "' }, { words: 'a', after: 'x' }, { words: 'x'.repeat(201) }])(
    'refuses %j',
    async (input) => {
      await expect(talk.owner.find(input as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  );
});
