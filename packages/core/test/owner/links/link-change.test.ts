import { describe, expect, test } from 'vitest';
import { given, openSession } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { ended } from '../../past.ts';
import { type Call, declared, handshake, play } from '../../story.ts';

const TOKEN = 'a-token-of-this-test-0123456789';
const input = { role: 'agent_a', forge: 'github', repository: 'orders/api' } as const;
const link = (changes: object = {}) => given().when('linkChange', { ...input, token: TOKEN, ...changes }, 'owner');
const linked: Call = ['owner', 'linkChange', { ...input, number: 12, token: TOKEN }];

describe('linkChange', () => {
  describeOwner('linkChange', { past: [], input, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('stores where the commits are, and never the token', () => {
    const data = { ...input, api: 'https://api.github.com', number: 12, new_token: true };
    link({ number: 12 }).thenEvents({ kind: 'change.linked', actor: 'owner', data });
    expect(link({ number: 12 }).reply()).toEqual({
      links: [
        {
          ...{ ...input, api: 'https://api.github.com', number: 12, url: 'https://github.com/orders/api/pull/12' },
          ...{ token_set: true, waits_for: 'agent_a has declared no commit yet', statuses: [] },
        },
      ],
    });
  });

  test('adds nothing if it is repeated without a token', () => {
    const past = play([], [linked]);
    given(past)
      .when('linkChange', { ...input, number: 12 }, 'owner')
      .thenEvents();
  });

  test('keeps the token for another number, and not for another repository, forge or address', () => {
    const kept = (changes: object): boolean | undefined =>
      given(play([], [linked]))
        .when('linkChange', { ...input, ...changes }, 'owner')
        .reply().links[0]?.token_set;
    expect(kept({ number: 13 })).toBe(true);
    expect(kept({ repository: 'orders/web' })).toBe(false);
    expect(kept({ api: 'https://forge.example.com/api/v3' })).toBe(false);
    expect(kept({ forge: 'gitea', api: 'https://api.github.com' })).toBe(false);
  });

  test.each([
    ['https://forge.example.com/api/v3', 'github', 'https://forge.example.com/orders/api/pull/3'],
    ['https://forge.example.com/git/api/v4/', 'gitlab', 'https://forge.example.com/git/orders/api/-/merge_requests/3'],
    [undefined, 'gitlab', 'https://gitlab.com/orders/api/-/merge_requests/3'],
    ['https://codeberg.org/api/v1', 'gitea', 'https://codeberg.org/orders/api/pulls/3'],
    ['https://forge.example.com/rest', 'github', null],
    ['https://forge.example.com/a/../api/v3?', 'github', 'https://forge.example.com/orders/api/pull/3'],
  ])('finds the web page of %s, a %s', (api, forge, url) => {
    expect(link({ api, forge, number: 3 }).reply().links[0]?.url).toBe(url);
  });

  test.each<[object, string]>([
    [{ repository: 'orders' }, 'repository'],
    [{ repository: 'a/b/c' }, 'repository'],
    [{ repository: '../../user' }, 'repository'],
    [{ repository: 'orders/%2e%2e' }, 'repository'],
    [{ repository: 'orders/..' }, 'repository'],
    [{ repository: 'orders/a?b' }, 'repository'],
    [{ repository: 'orders/a#b' }, 'repository'],
    [{ forge: 'gitlab', repository: 'a//b' }, 'repository'],
    [{ forge: 'gitea' }, 'api'],
    [{ api: 'ftp://forge.example.com' }, 'api'],
    [{ api: 'https://me:secret@forge.example.com' }, 'api'],
    [{ api: 'https://forge.example.com/?a=b' }, 'api'],
    [{ api: 'forge' }, 'api'],
    [{ forge: 'svn' }, 'forge'],
    [{ number: 0 }, 'number'],
    [{ role: 'moderator' }, 'role'],
    [{ token: 'short' }, 'token'],
    [{ token: `${TOKEN}\r\nx-evil: 1` }, 'token'],
  ])('refuses %j', (changes, path) => {
    const refusal = link(changes).refusal();
    expect(refusal).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path }] });
    expect(JSON.stringify(refusal)).not.toMatch(/short|0123456789|me:secret/);
  });

  test('says what a status waits for', () => {
    const short = play(declared, [handshake('agent_a', { commit: 'ccccccc' }), linked]);
    expect(given(short).when('changeLinks', {}, 'owner').reply().links[0]?.waits_for).toBe(
      'agent_a has declared ccccccc, which is abbreviated: it has to declare all 40 digits',
    );
    const none = play([], [['owner', 'linkChange', input]]);
    expect(given(none).when('changeLinks', {}, 'owner').reply().links[0]?.waits_for).toBe(
      'a token: link the repository again, with one',
    );
  });
});

describe('unlinkChange', () => {
  describeOwner('unlinkChange', {
    past: [],
    input: { role: 'agent_a' },
    statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'],
  });

  test('removes the link, also after the end, and adds nothing if there is none', () => {
    const unlinked = { kind: 'change.unlinked', actor: 'owner', data: { role: 'agent_a' } } as const;
    const past = [...play([], [linked]), ended];
    given(past).when('unlinkChange', { role: 'agent_a' }, 'owner').thenEvents(unlinked);
    given(past).when('unlinkChange', { role: 'agent_b' }, 'owner').thenEvents();
  });
});

describe('a token', () => {
  const target = { ...input, api: 'https://api.github.com' };
  const read = async ({ parley, sessionId }: Awaited<ReturnType<typeof openSession>>, changes: object = {}) =>
    await parley.statuses.token({
      ...{ ...target, session_id: sessionId, context: 'contract', commit: 'a'.repeat(40), state: 'pending' },
      ...{ description: '', ...changes },
    });

  test('is read only for the repository with which it was sent, and only the latest', async () => {
    const session = await openSession();
    const { owner, sessionId } = session;
    await owner.linkChange(sessionId, { ...input, token: 'the-first-token' });
    await owner.linkChange(sessionId, { ...input, token: TOKEN });
    expect(await read(session)).toBe(TOKEN);
    expect(await read(session, { api: 'https://evil.example.com' })).toBeNull();
    expect(await read(session, { role: 'agent_b' })).toBeNull();
    expect(await read(session, { session_id: 'another' })).toBeNull();
  });

  test('that is set twice at the same time is kept once, and the other call is told', async () => {
    const session = await openSession();
    const set = (token: string) => session.owner.linkChange(session.sessionId, { ...input, token });
    const results = await Promise.allSettled(['token-one', 'token-two', 'token-three'].map(set));
    const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refusals.length).toBeLessThan(3);
    expect(refusals.every((code) => code === 'CONFLICT')).toBe(true);
    expect(await read(session)).toMatch(/^token-/);
  });

  test('is in clear neither in the log nor in the storage', async () => {
    const { owner, sessionId, storage } = await openSession();
    await owner.linkChange(sessionId, { ...input, token: TOKEN });
    const [log] = await storage.list('parley:forge', { limit: 1 });
    const kept = await storage.events(log?.sessionId ?? '', 1, 9);
    const lines: string[] = [];
    for await (const line of owner.exportLog(sessionId)) lines.push(line);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify([kept, lines])).not.toContain(TOKEN);
    expect(JSON.stringify([await owner.changeLinks(sessionId), await owner.transcript(sessionId)])).not.toContain(
      TOKEN,
    );
    await expect(owner.view(log?.sessionId ?? '')).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  });

  test.each<[string, (session: Awaited<ReturnType<typeof openSession>>) => Promise<unknown>]>([
    ['its session', ({ owner, sessionId }) => owner.deleteSession(sessionId)],
    ['its link', ({ owner, sessionId }) => owner.unlinkChange(sessionId, { role: 'agent_a' })],
    [
      'another repository',
      ({ owner, sessionId }) => owner.linkChange(sessionId, { ...input, repository: 'orders/web' }),
    ],
  ])('is erased with %s', async (_, erase) => {
    const session = await openSession();
    await session.owner.linkChange(session.sessionId, { ...input, token: TOKEN });
    await erase(session);
    expect(await session.storage.list('parley:forge', { limit: 1 })).toEqual([]);
  });

  test('of a refused call, or for the session of another owner, replaces none', async () => {
    const session = await openSession();
    const { owner, parley, sessionId } = session;
    await owner.linkChange(sessionId, { ...input, token: TOKEN });
    const other = { ...input, token: 'another-token' };
    await expect(owner.linkChange(sessionId, { ...other, api: 'ftp://x' })).rejects.toThrow('api');
    await expect(parley.owner('other').linkChange(sessionId, other)).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
    const viewer = { id: 'v', name: 'Vera', role: 'viewer' } as const;
    await expect(parley.owner('owner-1', { person: viewer }).linkChange(sessionId, other)).rejects.toMatchObject({
      code: 'ROLE_FORBIDDEN',
    });
    expect(await read(session)).toBe(TOKEN);
  });
});
