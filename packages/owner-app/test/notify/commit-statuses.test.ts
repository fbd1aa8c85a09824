import { createParley } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { startCommitStatuses } from '../../src/server/notify/commit-statuses.ts';
import { type Linked, openLinked, TOKEN } from './linked-mission.ts';
import { answering } from './receiver.ts';

const FIRST = '4be1f0c97d2a6835e1409c5bb7f2d8630a94ce17';
const SECOND = '91c7d35e0f84ab2269d0173c5e8b4fa7d62e9035';
const POSTED = ['contract success posted', 'verified pending posted'];
const DELAYED = ['contract success delayed', 'verified pending delayed'];
const REFUSED = ['contract success refused', 'verified pending refused'];
const FAILED = 'a commit status was not delivered';

const reasons = async ({ owner, sessionId }: Linked): Promise<(string | null)[]> =>
  (await owner.changeLinks(sessionId)).links.flatMap(({ statuses }) => statuses.map(({ reason }) => reason));

describe('the statuses of a mission that fails once, declares new commits and is certified', () => {
  test.each([
    {
      forge: 'github',
      path: '/api/v3/repos/shop/orders/statuses/',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
      name: 'context',
      failure: 'failure',
    },
    {
      forge: 'gitlab',
      path: '/api/v4/projects/shop%2Forders/statuses/',
      headers: { 'private-token': TOKEN },
      name: 'name',
      failure: 'failed',
    },
    {
      forge: 'gitea',
      path: '/api/v1/repos/shop/orders/statuses/',
      headers: { authorization: `token ${TOKEN}`, accept: 'application/json' },
      name: 'context',
      failure: 'failure',
    },
  ] as const)('are posted in the form of $forge', async ({ forge, path, headers, name, failure }) => {
    const linked = await openLinked({ forge, isWhole: true });
    await linked.allPosted();
    const { received } = linked.forge;
    for (const one of received)
      expect(one).toMatchObject({
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'parley' },
      });
    const bodies = linked.bodies();
    for (const body of bodies)
      expect(body).toEqual({
        state: expect.stringMatching(/^(pending|success|failure|failed)$/),
        [name]: expect.stringMatching(/^parley\/(contract|verified)$/),
        description: expect.stringMatching(/^.{10,140}$/),
        target_url: `https://parley.example.com/owner/sessions/${linked.sessionId}`,
      });
    const last = (commit: string, context: string) =>
      bodies.findLast((body, index) => body[name] === context && received[index]?.url === path + commit)?.state;
    expect([FIRST, SECOND].map((commit) => [last(commit, 'parley/contract'), last(commit, 'parley/verified')])).toEqual(
      [
        [failure, failure],
        ['success', 'success'],
      ],
    );
    expect(bodies.findLast(({ state }) => state === 'success')?.description).toMatch(/^Certified: 7 scenarios passed/);
  });
});

describe('what a forge answers', () => {
  test.each<[number, string, readonly string[]]>([
    [401, 'the forge does not accept the token (401)', REFUSED],
    [403, 'the token may not set commit statuses in this repository (403)', REFUSED],
    [400, 'the forge answered 400', REFUSED],
    [301, 'the forge answered 301, which is not followed', REFUSED],
    [307, 'the forge answered 307, which is not followed', REFUSED],
    [404, 'no such repository or commit, or the token cannot see it (404)', DELAYED],
    [422, 'the forge does not know the commit, or refuses the status (422)', DELAYED],
    [429, 'the forge answered 429', DELAYED],
    [500, 'the forge answered 500', DELAYED],
  ])('%s is shown to the owner, without the token', async (status, reason, reports) => {
    const linked = await openLinked({
      answer: (response) => void response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(TOKEN),
    });
    await linked.reports(...reports);
    expect(await reasons(linked)).toEqual([reason, reason]);
    expect(linked.log.join('')).not.toContain(TOKEN);
    expect(linked.forge.received).toHaveLength(2);
  });

  test('422 is followed by another attempt after five seconds, for a commit that is pushed after it was declared', async () => {
    const linked = await openLinked({ answer: answering(422, 422) });
    await linked.reports(...DELAYED);
    linked.clock.advance(5_000);
    await linked.reports(...POSTED);
    expect(linked.forge.received).toHaveLength(4);
  });

  test.each<[string, number, Readonly<Record<string, string>>]>([
    ['Retry-After', 429, { 'retry-after': '30' }],
    [
      'the reset of a rate limit that is used up',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767603630' },
    ],
  ])('%s is obeyed', async (_, status, headers) => {
    const linked = await openLinked({
      answer: (response, _request, index) => void response.writeHead(index < 2 ? status : 201, headers).end(),
    });
    await linked.reports(...DELAYED);
    linked.clock.advance(29_999);
    await linked.reports(...DELAYED);
    expect(linked.forge.received).toHaveLength(2);
    linked.clock.advance(1);
    await linked.reports(...POSTED);
  });

  test('nothing within ten seconds is a failure', async () => {
    const linked = await openLinked({ answer: () => undefined });
    await expect.poll(() => linked.forge.received.length).toBe(2);
    linked.clock.advance(10_000);
    await linked.reports(...DELAYED);
    expect(await reasons(linked)).toEqual(['no answer within 10 s', 'no answer within 10 s']);
  });

  test('10 MB is a success if the status is, and is not read into memory', async () => {
    const linked = await openLinked({ answer: (response) => void response.writeHead(201).end('x'.repeat(10_000_000)) });
    await linked.reports(...POSTED);
  });

  test('400 to a pending status of GitLab means that it is pending already', async () => {
    const linked = await openLinked({ forge: 'gitlab', answer: (response) => void response.writeHead(400).end() });
    await linked.reports('contract success refused', 'verified pending posted');
  });

  test('a failure for three days is given up, until the link is sent again', async () => {
    const linked = await openLinked({ answer: (response) => void response.writeHead(503).end() });
    const { owner, sessionId, log, clock } = linked;
    for (let attempts = 1; attempts <= 72; attempts += 1) {
      await expect.poll(() => log.filter((line) => line.includes(FAILED)).length).toBeGreaterThanOrEqual(2 * attempts);
      clock.advance(3_600_000);
    }
    await linked.reports(...REFUSED);
    const count = linked.forge.received.length;
    const [link] = (await owner.changeLinks(sessionId)).links;
    if (!link) throw new Error('The link is gone.');
    const { role, forge, repository, api } = link;
    await owner.linkChange(sessionId, { role, forge, repository, api, token: TOKEN });
    await expect.poll(() => linked.forge.received.length).toBeGreaterThan(count);
  });
});

describe('a host', () => {
  test.each([
    ['an address of this machine', 'http://127.0.0.1:9/api/v3', 'private address'],
    ['an IPv6 address of this machine', 'https://[::1]:9/api/v3', 'private address'],
    ['an IPv4 address in an IPv6 address', 'https://[::ffff:10.0.0.1]/api/v3', 'private address'],
    ['the metadata of a cloud', 'https://169.254.169.254/api/v3', 'private address'],
    ['a name of this machine', 'https://localhost:9/api/v3', 'private address'],
    ['no TLS', 'http://forge.example.com/api/v3', 'not https'],
  ])('with %s gets no token unless the operator names it', async (_, api, reason) => {
    const linked = await openLinked({ api, options: { hosts: ['other.example.com'] } });
    await linked.reports(...REFUSED);
    for (const one of await reasons(linked)) expect(one).toMatch(new RegExp(`${reason}.*PARLEY_FORGE_HOSTS`));
  });
});

describe('a process', () => {
  test('that starts posts what became due while none ran, nothing twice, and erases the token of an ended session', async () => {
    const linked = await openLinked();
    const { owner, sessionId, storage } = linked;
    const tokens = async () => (await storage.list('parley:forge', { limit: 200 })).map(({ title }) => title);
    await linked.reports(...POSTED);
    await linked.stop();
    await owner.end(sessionId, { end_reason: 'CANCELLED' });
    expect(await tokens()).toEqual([sessionId]);
    linked.start();
    await linked.reports('contract success posted', 'verified failure posted');
    expect(linked.forge.received).toHaveLength(3);
    linked.clock.advance(60_000);
    await expect.poll(tokens).toEqual([]);
    expect((await owner.changeLinks(sessionId)).links[0]?.token_set).toBe(false);
  });

  test('posts nothing of another process that posts at once', async () => {
    const linked = await openLinked();
    const other = await createParley({ storage: linked.storage, clock: linked.clock });
    const posting = startCommitStatuses({
      ...{ statuses: other.statuses, hosts: ['127.0.0.1'], pageOf: (path) => path, clock: linked.clock },
      log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
    });
    await linked.reports(...POSTED);
    linked.clock.advance(120_000);
    await linked.allPosted();
    await posting.close();
    await other.close();
    expect(linked.forge.received).toHaveLength(2);
  });

  test('with another secret cannot read the token, and says what to do', async () => {
    const linked = await openLinked({ answer: answering(500, 500) });
    await linked.reports(...DELAYED);
    const storage = { ...linked.storage, secret: async () => 'f'.repeat(64) };
    const other = await createParley({ storage, clock: linked.clock });
    await linked.stop();
    linked.start({ statuses: other.statuses });
    linked.clock.advance(5_000);
    await linked.reports(...REFUSED);
    expect((await reasons(linked))[0]).toBe(
      'this installation has no token that it can read: send it again with linkChange',
    );
    await other.close();
  });
});
