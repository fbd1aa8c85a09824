import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../../src/testing/index.ts';
import { UNNAMED } from '../../contract/sample-contract.ts';
import { asksBuilders, finds, respondsTo, stopped } from '../../moderation.ts';
import { asked, ended, paused, turnPosted } from '../../past.ts';
import {
  approved,
  awaiting,
  building,
  certified,
  decided,
  declared,
  deployed,
  failed,
  play,
  ready,
  received,
  releasable,
  review,
  rightReport,
  submit,
  submitted,
} from '../../story.ts';

const movers = (past: readonly PastEvent[], options: GivenOptions = {}): readonly string[] =>
  given(past, options).when('view', {}, 'owner').reply().movers;

const reviewedByModerator = (past: readonly PastEvent[]): PastEvent[] => [...past, stopped];

describe('whose move it is', () => {
  test.each<[string, readonly PastEvent[], readonly string[]]>([
    ['PLANNING: who speaks first', [], ['agent_a']],
    ['PLANNING: who speaks next', [turnPosted('agent_a', 0)], ['agent_b']],
    [
      'PLANNING: who has a question to answer, beside whose turn it is',
      [asked('agent_a', 'q_1', { blocking: true })],
      ['agent_a', 'agent_b'],
    ],
    [
      'PLANNING: the owner too, once asked',
      [asked('agent_a', 'q_1', { to: 'owner', blocking: true })],
      ['owner', 'agent_a'],
    ],
    ['PLANNING: not the owner where it can go on', [asked('agent_a', 'q_1', { to: 'owner' })], ['agent_a']],
    ['PLANNING: both when the moderator asks', play([], [asksBuilders()]), ['agent_a', 'agent_b']],
    ['CONTRACT: the author writes', decided, ['agent_a']],
    ['CONTRACT: the author of a revision that names no requirement', play(decided, [submit('', UNNAMED)]), ['agent_a']],
    ['CONTRACT: all but the author review first', submitted, ['agent_b', 'moderator']],
    ['CONTRACT: who has not reviewed', play(submitted, [review('agent_a')]), ['agent_b', 'moderator']],
    ['CONTRACT: a moderator that is stopped has no move', reviewedByModerator(submitted), ['agent_b']],
    ['CONTRACT: the owner, certified', reviewedByModerator(certified), ['owner']],
    ['CONTRACT: who is to answer a finding', [...play(certified, [finds()]), stopped], ['agent_a']],
    ['READINESS: both confirm and report', approved, ['agent_a', 'agent_b']],
    [
      'READINESS: who has not reported',
      play(received, [['agent_a', 'submit_readiness', rightReport(received, 'agent_a')]]),
      ['agent_b'],
    ],
    ['READINESS: the owner, both ready', ready, ['owner']],
    ['VERIFY: both declare what runs', building, ['agent_a', 'agent_b']],
    ['VERIFY: who starts the first scenario', declared, ['agent_a']],
    ['VERIFY: who judges', awaiting, ['agent_b']],
    ['VERIFY: who mends', failed, ['agent_b']],
    ['VERIFY: the owner and the moderator, all passed', releasable, ['owner', 'moderator']],
    ['RELEASE: who has not reported', deployed, ['agent_a', 'agent_b']],
    [
      'RELEASE: who has not reported on the activation',
      play(deployed, [['owner', 'authorize', { stage: 'activation' }]]),
      ['agent_a', 'agent_b'],
    ],
  ])('%s', (_what, past, expected) => {
    expect(movers(past)).toEqual(expected);
  });

  test('is only the owner’s in a draft and in a pause', () => {
    expect(movers([], { isStarted: false })).toEqual(['owner']);
    expect(movers([...submitted, paused])).toEqual(['owner']);
  });

  test('is nobody’s once the session has ended', () => {
    expect(movers([...certified, ended])).toEqual([]);
  });

  test('is the moderator’s if it has a response to assess', () => {
    expect(movers(play(certified, [finds({ blocking: false }), respondsTo('f_1')]))).toContain('moderator');
  });
});
