import { describe, expect, test } from 'vitest';
import { refuseCredentials } from '../../src/areas/credentials/rules.ts';
import { type GivenOptions, given, openSession } from '../../src/testing/index.ts';
import { decided, submit } from '../story.ts';
import { createSigns, filledIn } from './made-up.ts';
import { type Case, EXCERPTS, TEXTS } from './written-texts.ts';

const signs = createSigns(3);
const CERTAIN = filledIn('ghp|_{a:36}', signs);
const LIKELY = filledIn('DB_PASS|WORD={a:12}7b', signs);

const rejected = (path: string, rule: string) => ({ issues: [{ path, rule }] });
const warn: GivenOptions = { session: { secret_policy: 'warn' } };

const call = ([name, caller, past, input]: Case, text: string, options?: GivenOptions) =>
  given(past, options).when(name, input(text) as never, caller);

const named = (cases: readonly Case[]) => cases.map((one) => [`${one[0]} ${one[4]}`, one] as const);

describe.each(named(TEXTS))('the text %s', (_, one) => {
  test('is refused when it is certainly a credential', () => {
    call(one, `See ${CERTAIN}.`).thenFails('CREDENTIAL_REJECTED', rejected(one[4], 'GitHub token'));
  });

  test('is stored when it is only likely a credential', () => {
    expect(JSON.stringify(call(one, LIKELY).events())).toContain(LIKELY);
    expect(call(one, LIKELY).reply()).not.toHaveProperty('warnings');
  });

  test('is stored with a warning if the session has this policy', () => {
    const outcome = call(one, CERTAIN, warn);
    expect(JSON.stringify(outcome.events())).toContain(CERTAIN);
    expect(outcome.reply()).toMatchObject({ warnings: [{ path: one[4], rule: 'GitHub token' }] });
  });
});

describe.each(named(EXCERPTS))('the excerpt %s', (_, one) => {
  test.each([
    ['certainly', CERTAIN, 'GitHub token'],
    ['likely', LIKELY, 'password'],
  ])('is refused when it is %s a credential, whatever the policy of the session', (_certainty, text, rule) => {
    call(one, text).thenFails('CREDENTIAL_REJECTED', rejected(one[4], rule));
    call(one, text, warn).thenFails('CREDENTIAL_REJECTED', rejected(one[4], rule));
  });

  test('is stored without the credential', () => {
    expect(call(one, 'DB_PASSWORD=[secret]').events()).not.toEqual([]);
  });
});

describe('a refusal', () => {
  test('names every field and rule, and never the text', () => {
    const body = given()
      .when('post_turn', { summary: CERTAIN, concerns: [filledIn('npm|_{a:36}', signs)] }, 'agent_a')
      .refusal();
    expect(body).toMatchObject({
      message: 'summary contains what looks like a credential: GitHub token (and 1 more).',
      issues: [
        { path: 'summary', rule: 'GitHub token' },
        { path: 'concerns[0]', rule: 'npm token' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain(CERTAIN.slice(-10));
  });

  test('comes after status and phase', () => {
    given([], { isStarted: false }).when('post_turn', { summary: CERTAIN }, 'agent_a').thenFails('SESSION_NOT_ACTIVE');
  });

  test('comes before the rules of the operation', () => {
    given().when('post_turn', { summary: CERTAIN }, 'agent_b').thenFails('CREDENTIAL_REJECTED');
  });

  test('lists at most twenty', () => {
    const concerns = Array.from({ length: 50 }, () => filledIn('ghp|_{a:36}', signs));
    const { issues } = given().when('post_turn', { summary: 'S.', concerns }, 'agent_a').refusal();
    expect(issues).toHaveLength(20);
  });

  test('covers an idempotency key that is only in the header', async () => {
    const { parley, sessionId, tokens } = await openSession();
    const { status, body } = await parley.callRoute({
      method: 'POST',
      path: `/sessions/${sessionId}/turns`,
      query: new URLSearchParams(),
      authorization: [`Bearer ${tokens.agent_a}`],
      address: '127.0.0.1',
      idempotencyKeys: [CERTAIN],
      readBody: async () => '{"summary":"S."}',
    });
    expect([status, JSON.parse(body)]).toMatchObject([422, rejected('request_id', 'GitHub token')]);
  });
});

describe('a repeated idempotency key', () => {
  test('gives the same warnings again, byte for byte', async () => {
    const { agentA, agentB, clock } = await openSession(warn);
    const turn = { summary: CERTAIN, request_id: 'k-1' };
    const first = await agentA.call('post_turn', turn);
    expect(first).toMatchObject({ warnings: [{ path: 'summary', rule: 'GitHub token' }] });
    clock.advance(60_000);
    await agentB.call('post_turn', { summary: 'Please revoke it.' });
    expect(JSON.stringify(await agentA.call('post_turn', turn))).toBe(JSON.stringify(first));
  });

  test('keeps the warnings out of the transcript', async () => {
    const { agentA, agentB } = await openSession(warn);
    await agentA.call('post_turn', { summary: CERTAIN });
    const { messages } = await agentB.call('read_messages');
    expect(messages.at(-1)?.body).not.toHaveProperty('warnings');
  });
});

describe('the search for credentials', () => {
  test('skips texts of the owner', () => {
    expect(
      given()
        .when('direct', { text: `Use ${CERTAIN}.`, targets: ['agent_a'] }, 'owner')
        .events(),
    ).not.toEqual([]);
  });

  test('skips the code with which an invitation is redeemed', async () => {
    const { parley, owner, sessionId } = await openSession();
    const { code } = await owner.invite(sessionId, { role: 'agent_a' });
    const redeem = (client_type: string) => parley.redeem({ code, client_type });
    const details = rejected('client_type', 'GitHub token');
    await expect(redeem(CERTAIN)).rejects.toMatchObject({ code: 'CREDENTIAL_REJECTED', details });
    await expect(redeem('codex')).resolves.toMatchObject({ role: 'agent_a' });
  });

  test('skips a contract, which is stored with an error instead', () => {
    const [, , input] = submit('');
    const contract = { ...Object(input).contract, summary: LIKELY };
    const reply = given(decided)
      .when('submit_contract', { ...Object(input), contract }, 'agent_a')
      .reply();
    expect(reply).toMatchObject({
      status: 'INVALID',
      validation_errors: [{ code: 'CREDENTIAL_TEXT', pointer: '/summary' }],
    });
  });

  test('includes the reason for a revision', () => {
    const [, , input] = submit('');
    given(decided)
      .when('submit_contract', { ...Object(input), reason: CERTAIN }, 'agent_a')
      .thenFails('CREDENTIAL_REJECTED', rejected('reason', 'GitHub token'));
  });
});

describe('refuseCredentials', () => {
  test('searches any JSON value, names of members included', () => {
    const input = {
      assertions: [{ actual: { [CERTAIN]: { list: [LIKELY] }, password: 'hunter2', count: 7, none: null } }],
    };
    expect(() => refuseCredentials(input, 'likely')).toThrow(
      expect.objectContaining({
        code: 'CREDENTIAL_REJECTED',
        details: {
          issues: expect.arrayContaining([
            { path: 'assertions[0].actual.[secret]', rule: 'GitHub token' },
            { path: 'assertions[0].actual.[secret].list[0]', rule: 'password' },
            { path: 'assertions[0].actual.password', rule: 'password' },
          ]),
        },
      }),
    );
  });

  test('accepts values without credentials', () => {
    expect(() =>
      refuseCredentials({ summary: 'All 17 tests passed.', sha256: 'a'.repeat(64) }, 'likely'),
    ).not.toThrow();
  });
});
