import { describe, expect, test } from 'vitest';
import { domain } from '../../src/areas/domain.ts';
import { type DueStatus, dueStatuses } from '../../src/areas/links/rules.ts';
import { prepareEvents } from '../../src/kernel/session/append.ts';
import type { PastEvent } from '../../src/testing/index.ts';
import { openingEvents } from '../../src/testing/opening-events.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { ended } from '../past.ts';
import { type Call, COMMITS, certified, declared, failed, firstPassed, handshake, play, releasable } from '../story.ts';
import { NEW_COMMIT } from '../verify/builds.ts';

const GITHUB = { role: 'agent_a', forge: 'github', repository: 'orders/api' };
const link = (changes: object = {}): Call => [
  'owner',
  'linkChange',
  { ...GITHUB, token: 'ghp_0123456789', ...changes },
];
const linked = (past: readonly PastEvent[], ...links: readonly Call[]) =>
  play(past, links.length > 0 ? links : [link()]);

function due(past: readonly PastEvent[]): readonly DueStatus[] {
  const events = [...openingEvents({}), ...past];
  return dueStatuses(
    events.reduce((state, event) => prepareEvents(domain, state, [event], 0).state, domain.empty('SessionOfThisTest')),
  );
}

const said = (past: readonly PastEvent[]): string[] =>
  due(past).map(({ context, commit, state, description }) => `${context} ${commit[0]} ${state}: ${description}`);

/** What the forge answers to all that is due. */
const answered = (
  past: readonly PastEvent[],
  result: 'posted' | 'delayed' | 'refused' = 'posted',
  reason?: string,
): PastEvent[] => [
  ...past,
  ...due(past).map(
    ({ role, context, commit, state, description }): PastEvent => ({
      kind: 'status.reported',
      actor: 'system',
      data: { role, context, commit, state, description, result, ...(reason && { reason }) },
    }),
  ),
];

const CONTRACT = `contract a success: r_1 is approved, SHA-256 ${SAMPLE_HASH}.`;
const CERTIFIED = 'verified a success: Certified: 2 scenarios passed, lowest level of evidence: claimed.';

describe('the statuses of a linked commit', () => {
  test.each<[string, readonly PastEvent[], readonly string[]]>([
    [
      'after the handshake',
      declared,
      [
        CONTRACT,
        'verified a pending: 0 of 2 scenarios passed. Not met: SCENARIOS_PASSED, REQUIREMENTS_PROVEN, EVIDENCE_FROM_BOTH.',
      ],
    ],
    [
      'while a scenario is left',
      firstPassed,
      [CONTRACT, 'verified a pending: 1 of 2 scenarios passed. Not met: SCENARIOS_PASSED, REQUIREMENTS_PROVEN.'],
    ],
    ['after a failure', failed, [CONTRACT, 'verified a failure: 0 of 2 scenarios passed, 1 failed, 1 open defect.']],
    ['when all is certified', releasable, [CONTRACT, CERTIFIED]],
    ['when the session ends certified', [...releasable, ended], [CONTRACT, CERTIFIED]],
    [
      'when the session ends uncertified',
      [...firstPassed, ended],
      [
        CONTRACT,
        'verified a failure: Ended without certification: 1 of 2 scenarios passed. Not met: SCENARIOS_PASSED, REQUIREMENTS_PROVEN.',
      ],
    ],
  ])('%s', (_, past, expected) => {
    expect(said(linked(past))).toEqual(expected);
  });

  test('name the forge, the repository and the session, and have at most 140 characters', () => {
    const [status] = due(linked(declared));
    expect(status).toMatchObject({
      session_id: 'SessionOfThisTest',
      role: 'agent_a',
      forge: 'github',
      api: 'https://api.github.com',
      repository: 'orders/api',
    });
    for (const { description } of due(linked([...firstPassed, ended]))) expect(description.length).toBeLessThan(141);
  });

  test('are due once for each side, until the forge has them', () => {
    const both = linked(releasable, link(), link({ role: 'agent_b', forge: 'gitlab', repository: '17' }));
    expect(due(both).map(({ role, context }) => `${role} ${context}`)).toEqual([
      'agent_a contract',
      'agent_a verified',
      'agent_b contract',
      'agent_b verified',
    ]);
    expect(said(answered(both))).toEqual([]);
  });

  test.each<[string, readonly PastEvent[]]>([
    ['without a token', linked(declared, link({ token: undefined }))],
    ['without a commit', linked(certified)],
    ['without a link', declared],
    ['after the link was removed', linked(declared, link(), ['owner', 'unlinkChange', { role: 'agent_a' }])],
  ])('do not exist %s', (_, past) => {
    expect(said(past)).toEqual([]);
  });

  test('stay due after a delay, and not after a refusal until the link is sent again', () => {
    const past = linked(declared);
    expect(said(answered(past, 'delayed', 'The forge answered 500.'))).toHaveLength(2);
    const refused = answered(past, 'refused', 'The token is not accepted.');
    expect(said(refused)).toEqual([]);
    expect(said(play(refused, [link()]))).toHaveLength(2);
  });
});

describe('a change after a post', () => {
  const posted = answered(linked(releasable));
  const moved = play(posted, [handshake('agent_a', { commit: NEW_COMMIT })]);

  test('replaces the successes on the commit that was declared before, and posts on the new one', () => {
    expect(said(moved)).toEqual([
      'contract a failure: Replaced: cccccccccccc is declared now.',
      'verified a failure: Replaced: cccccccccccc is declared now.',
      CONTRACT.replace(' a ', ' c '),
      'verified c pending: 0 of 2 scenarios passed, 2 stale.',
    ]);
    expect(said(answered(moved))).toEqual([]);
    expect(said(answered(moved, 'delayed', 'Away.'))).toHaveLength(4);
  });

  test('of the other side takes back the certification, not the contract', () => {
    expect(said(play(posted, [handshake('agent_b', { commit: NEW_COMMIT })]))).toEqual([
      'verified a pending: 0 of 2 scenarios passed, 2 stale.',
    ]);
  });

  test('that ends the approval takes back both, although no commit is declared any more', () => {
    const lapsed = play(posted, [['owner', 'requestChanges', { reason: 'Another field.' }]]);
    expect(said(lapsed)).toEqual([
      'contract a pending: The approval of the contract has lapsed: changes were requested.',
      'verified a pending: No revision of the contract is approved.',
    ]);
    expect(said(answered(lapsed, 'delayed', 'Away.'))).toHaveLength(2);
    expect(said(answered(lapsed))).toEqual([]);
  });

  test('back to the earlier commit posts there again', () => {
    const back = play(answered(moved), [handshake('agent_a', { commit: COMMITS.agent_a })]);
    expect(said(back).slice(-2)).toEqual([CONTRACT, 'verified a pending: 0 of 2 scenarios passed, 2 stale.']);
  });

  test('within a pending status is no news for GitLab, which refuses it', () => {
    const pending = (forge: string) => {
      const past = answered(linked(declared, link({ forge })));
      return said([...past, ...firstPassed.slice(declared.length)]);
    };
    expect(pending('gitlab')).toEqual([]);
    expect(pending('github')).toHaveLength(1);
  });
});
