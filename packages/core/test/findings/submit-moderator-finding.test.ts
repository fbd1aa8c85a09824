import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { FINDING, finds, found, invitedAgain, respondsTo, revoked, TO_BOTH } from '../moderation.ts';
import { play, submitted } from '../story.ts';

const withHold = { ...TO_BOTH, request_hold: true, hold_reason: 'Not without a rollback.' } as const;
const raise = (input: Readonly<Record<string, unknown>> = TO_BOTH, past = submitted, options = {}) =>
  given(past, options).when('submit_moderator_finding', input as never, 'moderator');

const listed = (past: readonly PastEvent[]) =>
  given(past).when('get_moderator_findings', {}, 'moderator').reply().findings[0];

const raised = {
  kind: 'finding.raised',
  actor: 'moderator',
  data: {
    finding_id: 'f_1',
    text: 'Nothing undoes a failed release.',
    moderated: {
      category: 'SAFETY',
      severity: 'MEDIUM',
      resolution_criteria: 'A rollback that was tried.',
      target_agents: ['agent_a', 'agent_b'],
    },
    blocking: true,
    revision_id: 'r_1',
  },
} as const;

describe('submit_moderator_finding', () => {
  test('is a blocking finding of medium severity on the latest revision, for both builders', () => {
    raise().thenReply({
      finding: {
        finding_id: 'f_1',
        status: 'OPEN',
        blocking: true,
        revision_id: 'r_1',
        awaiting: ['agent_a', 'agent_b'],
      },
      hold: null,
    });
    expect(listed(play(submitted, [['moderator', 'submit_moderator_finding', TO_BOTH]]))).toEqual({
      finding_id: 'f_1',
      status: 'OPEN',
      raised_by: 'moderator',
      text: 'Nothing undoes a failed release.',
      kind: null,
      category: 'SAFETY',
      severity: 'MEDIUM',
      resolution_criteria: 'A rollback that was tried.',
      target_agents: ['agent_a', 'agent_b'],
      blocking: true,
      target: null,
      evidence: [],
      revision_id: 'r_1',
      response: null,
      awaiting: ['agent_a', 'agent_b'],
      override_reason: null,
      raised_at: '2026-01-05T09:00:00.000Z',
    });
  });

  test('accepts all optional members', () => {
    const input = {
      ...FINDING,
      severity: 'CRITICAL',
      target_agents: ['agent_b'],
      target: '/rollout',
      evidence: [{ kind: 'url', reference: 'https://example.org/incident' }],
      blocking: false,
      request_hold: false,
    };
    expect(listed(play(submitted, [['moderator', 'submit_moderator_finding', input]]))).toMatchObject({
      severity: 'CRITICAL',
      target_agents: ['agent_b'],
      target: '/rollout',
      evidence: [{ kind: 'url', reference: 'https://example.org/incident' }],
      blocking: false,
    });
  });

  test('can be raised before there is a revision', () => {
    expect(raise(TO_BOTH, []).reply().finding.revision_id).toBeNull();
  });

  test('opens a hold in the same append, after the finding', () => {
    const outcome = raise(withHold);
    expect(outcome.events().slice(0, 2)).toEqual([
      raised,
      {
        kind: 'hold.opened',
        actor: 'moderator',
        data: { hold_id: 'h_1', finding_id: 'f_1', reason: 'Not without a rollback.' },
      },
    ]);
    expect(outcome.reply().hold).toEqual({
      hold_id: 'h_1',
      finding_id: 'f_1',
      status: 'ACTIVE',
    });
  });

  test('needs the permission hold as well for a hold, and stores nothing without it', () => {
    const outcome = raise(withHold, submitted, { permissions: ['find'] });
    outcome.thenFails('PERMISSION_DENIED', { required_permission: 'hold' });
    expect(() => outcome.events()).toThrow('PERMISSION_DENIED');
    raise(withHold, submitted, { permissions: ['find', 'hold'] }).reply();
    raise(withHold, submitted, { permissions: ['hold'] }).thenFails('PERMISSION_DENIED', {
      required_permission: 'find',
    });
  });

  test.each([
    ['no hold_reason with request_hold', { request_hold: true }, 'hold_reason', 'Required if request_hold is true.'],
    [
      'a hold_reason without request_hold',
      { hold_reason: 'Why.' },
      'request_hold',
      'Must be true when hold_reason is given.',
    ],
    [
      'a hold_reason against request_hold',
      { request_hold: false, hold_reason: 'Why.' },
      'request_hold',
      'Must be true when hold_reason is given.',
    ],
  ])('refuses %s', (_what, changes, path, message) => {
    raise({ ...FINDING, ...changes }).thenFails('INVALID_INPUT', { issues: [{ path, message }] });
  });

  test.each([
    ['category', 'of another name', 'STYLE'],
    ['category', 'left out', undefined],
    ['text', 'blank', ' '],
    ['text', 'too long', 'x'.repeat(4_001)],
    ['resolution_criteria', 'left out', undefined],
    ['resolution_criteria', 'too long', 'x'.repeat(2_001)],
    ['severity', 'of another name', 'BLOCKER'],
    ['target_agents', 'empty', []],
    ['target_agents', 'doubled', ['agent_a', 'agent_a']],
    ['target_agents[0]', 'no builder', ['moderator']],
    ['hold_reason', 'blank', ' '],
  ])('refuses a %s that is %s', (path, _what, value) => {
    const [member = ''] = path.split('[');
    const { error, issues } = raise({ ...FINDING, [member]: value }).refusal();
    expect({ error, issues }).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path }] });
  });
});

describe('get_moderator_findings', () => {
  test('lists the findings of the Technical Reviewer and the moderator, oldest first, closed ones too', () => {
    const past = play(submitted, [
      ['agent_b', 'submit_finding', { text: 'No error for an unknown article.' }],
      finds(),
      respondsTo('f_2'),
      ['agent_b', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }],
    ]);
    const { findings } = given(past).when('get_moderator_findings', {}, 'moderator').reply();
    expect(findings.map(({ finding_id, raised_by, status }) => [finding_id, raised_by, status])).toEqual([
      ['f_1', 'agent_b', 'WITHDRAWN'],
      ['f_2', 'moderator', 'RESPONDED'],
    ]);
  });

  test('gives the builders the same answer as list_findings', () => {
    expect(given(found).when('list_findings', {}, 'agent_b').reply()).toEqual(
      given(found).when('get_moderator_findings', {}, 'moderator').reply(),
    );
  });
});

describe('resolve_finding', () => {
  test('can be called by the next moderator for a finding of the previous moderator', () => {
    given([...found, revoked, invitedAgain])
      .when('resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }, 'moderator')
      .reply();
  });
});
