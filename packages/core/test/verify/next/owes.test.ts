import { describe, expect, test } from 'vitest';
import { given, type PastEvent, seenIn } from '../../../src/testing/index.ts';
import {
  attempt,
  awaiting,
  building,
  type Call,
  declared,
  evidence,
  failed,
  firstPassed,
  handshake,
  play,
  releasable,
  verdict,
} from '../../story.ts';
import { declaredOf, NEW_COMMIT, testsWith } from '../builds.ts';
import { agentOf, openBuild } from '../open-build.ts';

const owed = (past: readonly PastEvent[]) =>
  given(past)
    .when('board', {}, 'owner')
    .reply()
    .scenarios.map(({ scenario_id, owes }) => [scenario_id, ...owes.map(({ role, what }) => `${role} ${what}`)]);

const newCommit: Call = handshake('agent_b', { commit: NEW_COMMIT });
const fix: Call = ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }];
const manual = declaredOf({
  tests: testsWith({ evidence_policy: { per_agent_kinds: { agent_b: ['manual'] }, min_items: 2 } }),
});
const waits = ['test-expiry'];
const failsExpiry: Call[] = [
  attempt('agent_b', 'test-expiry'),
  evidence('agent_b', 'test-expiry'),
  evidence('agent_a', 'test-expiry'),
  verdict('agent_a', 'test-expiry', 1, 'FAIL'),
];

describe('who owes what for a scenario', () => {
  test.each<[string, readonly PastEvent[], string[][]]>([
    [
      'before the handshakes',
      play(building, [handshake('agent_a')]),
      [
        ['test-reserve', 'agent_b its handshake'],
        ['test-expiry', 'agent_b its handshake'],
      ],
    ],
    [
      'while a side is not ready',
      play(declared, [handshake('agent_b', { ready: false })]),
      [
        ['test-reserve', 'agent_b a handshake that says ready and healthy'],
        ['test-expiry', 'agent_b a handshake that says ready and healthy'],
      ],
    ],
    ['before the first run', declared, [['test-reserve', 'agent_a the first run'], waits]],
    [
      'after the start',
      play(manual, [attempt('agent_a', 'test-reserve')]),
      [['test-reserve', 'agent_a 2 more items of evidence'], waits],
    ],
    [
      'while evidence of both is missing',
      play(manual, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')]),
      [
        [
          'test-reserve',
          'agent_a 1 more item of evidence',
          'agent_b 2 more items of evidence and evidence of kind manual',
        ],
        waits,
      ],
    ],
    ['before the verdict', awaiting, [['test-reserve', 'agent_b the verdict'], waits]],
    ['after a pass', firstPassed, [['test-reserve'], ['test-expiry', 'agent_b the first run']]],
    ['after a failure', failed, [['test-reserve', 'agent_b the fix of def_1, on a new commit'], waits]],
    [
      'after the new commit',
      play(failed, [newCommit]),
      [['test-reserve', 'agent_b the call that marks def_1 fixed'], waits],
    ],
    ['after the fix', play(failed, [newCommit, fix]), [['test-reserve', 'agent_a the rerun after the fix'], waits]],
    [
      'after a failure whose dependency runs again',
      play(firstPassed, [...failsExpiry, handshake('agent_a', { commit: NEW_COMMIT })]),
      [
        ['test-reserve', 'agent_b the fix of def_1, on a new commit'],
        ['test-expiry', 'agent_b the fix of def_1, on a new commit'],
      ],
    ],
    [
      'on stale passes',
      play(releasable, [newCommit]),
      [['test-reserve', 'agent_a the rerun on the declared commits'], waits],
    ],
    [
      'while a dependency runs again',
      play(firstPassed, [attempt('agent_b', 'test-expiry'), attempt('agent_a', 'test-reserve')]),
      [['test-reserve', 'agent_a 1 more item of evidence'], waits],
    ],
    ['once all have passed', releasable, [['test-reserve'], waits]],
  ])('%s', (_when, past, expected) => {
    expect(owed(past)).toEqual(expected);
  });

  test('is not shown to the agents', () => {
    for (const role of ['agent_a', 'agent_b', 'moderator'] as const)
      for (const scenario of given(awaiting).when('verify_board', {}, role).reply().scenarios)
        expect(scenario).not.toHaveProperty('owes');
  });
});

describe('since when', () => {
  /**
   * Makes the calls one minute apart, beginning one minute after the authorization of the build. Returns who owes what, and since
   * when.
   */
  async function since(calls: readonly Call[]): Promise<string[]> {
    const session = await openBuild();
    for (const [by, name, input = {}] of calls) {
      session.clock.advance(60_000);
      if (by === 'agent_a' || by === 'agent_b') await agentOf(session, by).call(name as never, input as never);
      else
        await session.owner.reassignDefect(session.sessionId, {
          defect_id: 'def_1',
          role: 'agent_a',
          seen: await seenIn(session.owner, session.sessionId),
        });
    }
    session.clock.advance(60_000);
    const { scenarios } = await session.owner.board(session.sessionId, {});
    return scenarios.flatMap(({ owes }) => owes.map(({ role, what, since: from }) => `${from} ${role} ${what}`));
  }

  const both = [handshake('agent_a'), handshake('agent_b')];
  const run = [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')];

  test.each<[string, readonly Call[], string[]]>([
    [
      'the build was authorized',
      [handshake('agent_a')],
      ['2026-01-05T09:00:00.000Z agent_b its handshake', '2026-01-05T09:00:00.000Z agent_b its handshake'],
    ],
    ['both were declared', both, ['2026-01-05T09:02:00.000Z agent_a the first run']],
    [
      'the start',
      [...both, attempt('agent_a', 'test-reserve')],
      ['2026-01-05T09:03:00.000Z agent_a 1 more item of evidence'],
    ],
    [
      'the first evidence of the other',
      [...both, ...run, evidence('agent_a', 'test-reserve', 1, { kind: 'manual' })],
      ['2026-01-05T09:04:00.000Z agent_b 1 more item of evidence'],
    ],
    [
      'the last evidence',
      [...both, ...run, evidence('agent_b', 'test-reserve')],
      ['2026-01-05T09:05:00.000Z agent_b the verdict'],
    ],
    [
      'the verdict',
      [...both, ...run, evidence('agent_b', 'test-reserve'), verdict('agent_b', 'test-reserve', 1, 'FAIL')],
      ['2026-01-05T09:06:00.000Z agent_b the fix of def_1, on a new commit'],
    ],
    [
      'the reassignment of the defect',
      [
        ...both,
        ...run,
        evidence('agent_b', 'test-reserve'),
        verdict('agent_b', 'test-reserve', 1, 'FAIL'),
        ['owner', 'reassignDefect'],
      ],
      ['2026-01-05T09:07:00.000Z agent_a the fix of def_1, on a new commit'],
    ],
    [
      'the pass of the scenario that it depends on',
      [...both, ...run, evidence('agent_b', 'test-reserve'), verdict('agent_b', 'test-reserve')],
      ['2026-01-05T09:06:00.000Z agent_b the first run'],
    ],
  ])('%s', async (_when, calls, expected) => {
    expect(await since(calls)).toEqual(expected);
  });
});
