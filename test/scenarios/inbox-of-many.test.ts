import { createParley } from '@parley/core';
import { createTestClock } from '@parley/core/testing';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from './support/stores.ts';

const serverUrl = inject('databaseUrl');

interface Sent {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A node of a plan, as EXPLAIN prints it in JSON. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

const scansOf = (node: PlanNode): string[] => [
  ...(node['Node Type'].includes('Scan') ? [`${node['Node Type']} on ${node['Index Name']}`] : []),
  ...(node.Plans ?? []).flatMap(scansOf),
];

const blocksOf = (node: PlanNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

test.skipIf(serverUrl === null)(
  'the inbox of 10,000 sessions is two statements that read those that wait',
  async () => {
    const store = await openDatabase(serverUrl ?? '');
    onTestFinished(() => store.remove());
    const storage = await store.connect();
    onTestFinished(() => storage.close());
    const clock = createTestClock();
    const parley = await createParley({ storage, clock });
    onTestFinished(() => parley.close());
    const owner = parley.owner('owner');
    const waiting: string[] = [];
    for (const title of ['First', 'Second', 'Third']) {
      const requirements = [{ requirement_id: 'R1', text: 'x' }];
      const { session_id } = await owner.createSession({ title, objective: 'O', requirements });
      const { code } = await owner.invite(session_id, { role: 'agent_a' });
      const { token } = await parley.redeem({ code });
      await owner.start(session_id);
      const questions = [{ text: 'Which port?', to: 'owner' as const, blocking: true }];
      await parley.agent(token).call('post_turn', { summary: 'S', questions });
      waiting.push(session_id);
      clock.advance(1_000);
    }
    const client = new pg.Client({ connectionString: store.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`
    insert into parley_session (session_id, owner_id, title, status, phase, created_at, seq, hash, noted_seq, noted_key)
    select 'ended' || n, 'owner', 't', 'ENDED', 'RELEASE', timestamptz '2026-01-01', 1, 'h', 1, null::bigint from generate_series(1, 5000) n
    union all
    select 'works' || n, 'owner', 't', 'ACTIVE', 'PLANNING', timestamptz '2026-01-01', 1, 'h', 1, 4001767657600000 from generate_series(1, 4997) n;
    analyze parley_session`);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    const { sessions, next_after, counts, tasks, unread } = await owner.inbox();
    const sent = query.mock.calls.map(([asked]) => asked as unknown as Sent).filter(({ name }) => name);
    query.mockRestore();

    expect(sessions.map(({ session_id }) => session_id)).toEqual(waiting);
    expect({ next_after, counts, tasks, unread }).toEqual({
      next_after: null,
      counts: { open: 3, parked: 0, absent: 0 },
      tasks: 3,
      unread: 0,
    });
    const ofInbox = sent.filter(({ name }) => name.startsWith('parley_inbox'));
    expect(ofInbox.map(({ name }) => name)).toEqual(['parley_inbox_count', 'parley_inbox']);
    const scans: string[] = [];
    const blocks: number[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      for (const { text, values } of ofInbox) {
        const explained = await client.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
        const plan: PlanNode = explained.rows[0]['QUERY PLAN'][0].Plan;
        scans.push(...scansOf(plan));
        blocks.push(blocksOf(plan));
      }
    }
    expect(scans).toEqual(Array(4).fill('Index Scan on parley_session_inbox'));
    // A statement reads three levels of the index and the rows of three sessions. The index has more than 50 blocks.
    expect(Math.max(...blocks)).toBeLessThan(10);
    const fetched = sent.filter(({ name }) => name === 'parley_fetch').flatMap(({ values }) => values[0]);
    expect(fetched.sort()).toEqual([...waiting].sort());
    expect(sent.map(({ name }) => name).filter((name) => !/^parley_(inbox|fetch)/.test(name))).toEqual([
      'parley_load_calls',
    ]);
  },
);
