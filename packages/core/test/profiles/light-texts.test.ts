import { describe, expect, test } from 'vitest';
import { LEFT_OUT_SECTIONS } from '../../src/areas/profiles.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { building, decided, declared, handshake, play, releasable, submit } from '../story.ts';
import { LIGHT_CONTRACT } from './light-contract.ts';
import { inLight, LIGHT, lightBuilding, lightCertified, lightReleasable, lightSubmitted } from './light-story.ts';

const light = (past: readonly PastEvent[]) => given(past, LIGHT);
const sectionsIn = (markdown: string | null) => markdown?.match(/^## .*$/gm)?.map((line) => line.slice(3));

const GATE = { id: 'gate-up', title: 'Up', stage: 'deployment' as const, condition: 'It answers.' };
const SCOPED = { ...LIGHT_CONTRACT, scope: { in: ['Reservations'], out: [] } };
const scopedAfter = (past: readonly PastEvent[]) => inLight(past, [submit('r_1', { ...SCOPED, gates: [GATE] })]);

describe('the texts that a light session generates', () => {
  test('the Markdown of a contract shows the sections that its author wrote', () => {
    const shown = (past: readonly PastEvent[]) =>
      sectionsIn(light(past).when('get_final_plan', { format: 'markdown' }, 'agent_b').reply().markdown);
    expect(shown(lightSubmitted)).toEqual(['Decisions', 'Interfaces', 'Tasks', 'Tests']);
    expect(shown(scopedAfter(lightSubmitted))).toEqual(['Scope', 'Decisions', 'Interfaces', 'Tasks', 'Tests', 'Gates']);
  });

  test('the same contract in a session of the profile full shows every section', () => {
    const whole = { ...LIGHT_CONTRACT, ...LEFT_OUT_SECTIONS, fixture_version: '1' };
    const past = play(decided, [submit('', whole)]);
    const { markdown } = given(past).when('get_final_plan', { format: 'markdown' }, 'agent_b').reply();
    expect(sectionsIn(markdown)).toContain('Safety conditions');
  });

  test('the brief of the approval counts no section that was left out', () => {
    const brief = light(lightCertified).when('brief', {}, 'owner').reply();
    const read = ['title', 'summary', 'decisions', 'interfaces', 'tasks', 'tests', 'fixture_version'];
    expect(brief.changes.map(({ section }) => section)).toEqual(
      expect.arrayContaining(read.filter((section) => section !== 'fixture_version')),
    );
    expect([...brief.unread].sort()).toEqual([...read, 'requirements'].sort());
    expect(brief.reading).toEqual({ read: 0, of: 6 });
  });

  test('read_task names no receipts, and the advice is about the release', () => {
    const { how_to } = light([]).when('read_task', {}, 'agent_a').reply();
    expect(how_to.join(' ')).not.toContain('submit_readiness');
    const textIn = (past: readonly PastEvent[], options = {}) =>
      given(past, options)
        .when('read_session_state', {}, 'moderator')
        .reply()
        .pending_actions?.find(({ type }) => type === 'ADVISE_DEPLOYMENT')?.text;
    expect(textIn(lightReleasable, LIGHT)).toContain('whether to authorize the release,');
    expect(textIn(releasable)).toContain('whether to authorize the deployment,');
  });
});

describe('the handshake', () => {
  const payloadOf = (by: 'agent_a' | 'agent_b', options = {}) =>
    given(building, options).when('verify_next', {}, by).reply().items[0]?.payload;

  test('is prefilled with the environment of the session, and asks the provider of an http interface for its address', () => {
    expect(payloadOf('agent_b', { session: { environment: 'local' } })).toMatchObject({
      environment: 'local',
      address: '<URL at which the other agent reaches it>',
    });
    expect(payloadOf('agent_a')).toMatchObject({ environment: '<local, test, ci, preview or staging>' });
    expect(payloadOf('agent_a')).not.toHaveProperty('address');
  });

  test.each([
    ['both on this machine, on 127.0.0.1', 'both on this machine, on 127.0.0.1'],
    ['auf diesem Gerät', '<local, test, ci, preview or staging>'],
    ['staging, never production', '<local, test, ci, preview or staging>'],
  ])('is prefilled with the environment %j only if it takes it', (environment, offered) => {
    expect(payloadOf('agent_b', { session: { environment } })).toMatchObject({ environment: offered });
  });

  test('that names another environment than the other side is told by the check, and refused by nothing', () => {
    const checkOf = (past: readonly PastEvent[]) =>
      given(past)
        .when('verify_board', {}, 'agent_a')
        .reply()
        .certification?.checks.find(({ check }) => check === 'HANDSHAKES_CURRENT');
    expect(checkOf(declared)).toMatchObject({ ok: true, detail: 'Both handshakes are current, ready and healthy.' });
    expect(checkOf(play(declared, [handshake('agent_b', { environment: 'ci' })]))).toMatchObject({
      ok: true,
      detail: 'Both handshakes are current, ready and healthy, but name different environments.',
    });
  });
});

test('the instruction of the build is the texts of its two actions', () => {
  const { instruction, pending_actions = [] } = light(lightBuilding).when('read_session_state', {}, 'agent_a').reply();
  expect(pending_actions.map(({ type }) => type)).toEqual(['BEGIN_BUILD', 'DECLARE_HANDSHAKE']);
  for (const action of pending_actions)
    expect(instruction.text).toContain('text' in action ? action.text : 'has a text');
});
