import { describe, expect, test } from 'vitest';
import { expectCertificate, withForge } from '../cli/verify/whole-mission.ts';
import { BOOK, ciMission, junit, POLICY } from './ci-mission.ts';

const NAMED = { ...POLICY, per_agent_tests: { agent_a: ['books once'], agent_b: ['keeps the key'] } };

/** What the agents fill into the calls that verify_next lists. */
const FILLED: Readonly<Record<string, object>> = {
  verify_verify: { verdict: 'PASS', note: 'Seen.' },
  respond_finding: { decision: 'REJECT', response: 'As decided.' },
  resolve_finding: { outcome: 'WITHDRAWN' },
};

test('a mission whose every scenario demands the level ci is certified by the reports of two workflows', async () => {
  const mission = await ciMission({ policy: NAMED });
  const { agents, report, board, owner, sessionId } = mission;
  const statuses = await withForge(mission);
  const { scenarios } = await board();
  const query = scenarios.map(({ scenario_id }: { scenario_id: string }) => `scenario=${scenario_id}`).join('&');
  const early = await report('agent_a', { query, body: junit('books once=passed', 'later=skipped') });
  expect(early.answer.scenarios).toHaveLength(scenarios.length);
  expect(early.answer.scenarios[0]).toEqual({ scenario_id: BOOK, attempt: null, level: 'ci', evaluation: null });

  const played: string[] = [];
  const work = async (): Promise<void> => {
    for (const by of ['agent_a', 'agent_b'] as const)
      for (const { tool, payload } of Object(await agents[by]('verify_next', {})).items) {
        played.push(tool);
        await agents[by](tool, { ...payload, ...FILLED[tool] });
      }
  };
  while ((await board()).certification.level === null) {
    const before = played.length;
    await work();
    if (played.length > before) continue;
    const { text } = Object(await agents.agent_b('verify_next', {})).instruction;
    expect(text).toContain('lacks of agent_b: 1 more item of level ci. The contract demands a run of a workflow: push');
    await report('agent_b', { query, body: junit('keeps the key=passed') });
  }
  expect(played).not.toContain('verify_submit_evidence');
  const { certification } = await board();
  expect(certification).toMatchObject({ certified: true, level: 'ci' });
  const one = Object(await agents.agent_b('verify_board', { scenario_id: BOOK })).scenarios[0];
  expect(one.attempts[0].evidence[0]).toMatchObject({
    by: 'agent_a',
    level: 'ci',
    kind: 'test_report',
    assertions: [{ name: 'exit code', expected: 0, actual: 0, passed: true }],
    run: {
      argv: [],
      exit_code: 0,
      on: 'agent_a',
      named: [{ name: 'books once', status: 'passed' }],
      report: { format: 'junit', passed: 1, failed: 0, skipped: 1 },
      workflow: { repository: 'acme/shop', ref: 'refs/heads/main', run_id: '7/1' },
    },
  });
  await expectCertificate(mission, statuses, 'ci');
  expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true });
});

test('a report of GitLab counts, with the path of its configuration and its branch', async () => {
  const { issuer, owner, sessionId, send, repositories, address } = await ciMission();
  const place = { repository: 'acme/team/app', workflow: '.gitlab-ci.yml', ref: 'refs/heads/main' };
  await owner.bindWorkflow(sessionId, { ...place, role: 'agent_b', forge: 'gitlab', issuer: issuer.issuer });
  const host = issuer.issuer.slice('http://'.length);
  const job = {
    ...{
      aud: address,
      project_path: 'acme/team/app',
      sha: repositories.agent_b.commit,
      ref: 'main',
      ref_type: 'branch',
    },
    ...{ ci_config_ref_uri: `${host}/acme/team/app//.gitlab-ci.yml@refs/heads/main`, pipeline_source: 'push' },
    ...{ pipeline_id: '12', job_id: '34' },
  };
  // Both agents have the same issuer here, whose tokens have the form of the last binding.
  await owner.unbindWorkflow(sessionId, { role: 'agent_a' });
  expect(await send(await issuer.sign(job))).toMatchObject({ status: 200 });
  const merge = await issuer.sign({ ...job, pipeline_source: 'merge_request_event' });
  expect(await send(merge)).toMatchObject({
    status: 401,
    answer: { message: 'The run was started by "merge_request_event", and counts only if push or web started it.' },
  });
});

describe('a token', () => {
  const HOUR = 3_600;
  const now = () => Math.floor(Date.now() / 1_000);
  const OTHER = 'f'.repeat(40);
  type Mission = Awaited<ReturnType<typeof ciMission>>;
  const withClaims = (claims: object) => (mission: Mission) =>
    mission.issuer.sign({ ...mission.claimsOf('agent_a'), ...claims });
  const signedBy = (signing: (mission: Mission) => object) => (mission: Mission) =>
    mission.issuer.sign(mission.claimsOf('agent_a'), signing(mission));
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const unsigned = async (mission: Mission) => {
    const [, payload] = (await mission.issuer.sign(mission.claimsOf('agent_a'))).split('.');
    return `${Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url')}.${payload}.`;
  };
  const HOSTILE: Readonly<Record<string, readonly [(mission: Mission) => string | Promise<string>, number, string]>> = {
    'that has expired': [withClaims({ exp: now() - 31 }), 401, 'The token has expired.'],
    'that is not valid yet': [
      withClaims({ nbf: now() + HOUR, exp: now() + 2 * HOUR }),
      401,
      'The claim nbf of the token is missing or not valid now.',
    ],
    'for another audience': [
      withClaims({ aud: 'https://parley.example.com' }),
      401,
      'The token is for another audience.',
    ],
    'for another session': [
      (mission) => mission.issuer.sign({ ...mission.claimsOf('agent_a'), aud: `${mission.address}x` }),
      401,
      'The token is for another audience.',
    ],
    'of another repository': [
      withClaims({ repository: 'eve/shop' }),
      401,
      'accepts no reports of the repository "eve/shop"',
    ],
    'of another workflow': [
      withClaims({ job_workflow_ref: 'acme/shop/.github/workflows/eve.yml@refs/heads/main' }),
      401,
      '/eve.yml@refs/heads/main"',
    ],
    'of a workflow on another branch': [
      withClaims({ job_workflow_ref: 'acme/shop/.github/workflows/parley.yml@refs/heads/eve', ref: 'refs/heads/eve' }),
      401,
      'ref "refs/heads/eve"',
    ],
    'of another ref': [withClaims({ ref: 'refs/tags/v1' }), 401, 'ref "refs/tags/v1"'],
    'of another commit': [withClaims({ sha: OTHER }), 409, `The token is of commit ${OTHER}, and agent_a has declared`],
    'of the commit of the other agent': [
      (mission) => mission.issuer.sign({ ...mission.claimsOf('agent_a'), sha: mission.repositories.agent_b.commit }),
      409,
      'and agent_a has declared',
    ],
    'of an unknown issuer': [
      withClaims({ iss: 'https://eve.example.com' }),
      401,
      'This session accepts no tokens of the issuer "https://eve.example.com".',
    ],
    'of a pull request': [
      withClaims({ event_name: 'pull_request' }),
      401,
      'The run was started by "pull_request", and counts only if push or workflow_dispatch started it.',
    ],
    'of a pull request of a fork': [
      withClaims({ event_name: 'pull_request_target' }),
      401,
      'The run was started by "pull_request_target"',
    ],
    'without an id': [withClaims({ jti: undefined }), 401, 'The claim jti of the token is missing'],
    'without an end': [withClaims({ exp: undefined }), 401, 'The claim exp of the token is missing'],
    'without a commit': [
      withClaims({ sha: undefined }),
      401,
      'The claim sha of the token is missing or has another form.',
    ],
    'with a list in place of a repository': [
      withClaims({ repository: ['acme/shop'] }),
      401,
      'The claim repository of the token',
    ],
    'without a signature': [unsigned, 401, 'The token is not signed by its issuer.'],
    'signed with the public key as a secret': [
      signedBy(({ issuer }) => ({
        alg: 'HS256',
        key: Buffer.from(String(issuer.publicKey.export({ type: 'spki', format: 'pem' }))),
      })),
      401,
      'The token is not signed by its issuer.',
    ],
    'signed with another key': [
      signedBy(({ issuer }) => ({ key: issuer.otherKey() })),
      401,
      'The signature of the token is not valid.',
    ],
    'with an unknown kid': [
      signedBy(() => ({ kid: 'k2' })),
      401,
      'The token is signed with a key that its issuer did not publish',
    ],
    'without an issuer': [withClaims({ iss: undefined }), 401, 'The Authorization header has no OIDC token'],
    'with an issuer that has no text': [
      () => `${[{ alg: 'RS256' }, { iss: { toString: 1, valueOf: 1 } }].map(part).join('.')}.x`,
      401,
      'The Authorization header has no OIDC token',
    ],
    'whose end is beyond all dates': [withClaims({ exp: 1e20 }), 401, 'The claim exp of the token is missing or has'],
    'that is no token': [() => 'x', 401, 'This route takes the OIDC token of a workflow'],
    'that only looks like one': [() => 'a.b.c', 401, 'The Authorization header has no OIDC token of a workflow.'],
    'that is the owner key': [({ KEY }) => KEY, 401, 'This route takes the OIDC token of a workflow'],
    'that is the token of the agent': [
      ({ tokens }) => tokens.agent_a ?? '',
      401,
      'This route takes the OIDC token of a workflow',
    ],
  };

  test('is refused and stores nothing if it is wrong in any way', async () => {
    const mission = await ciMission();
    const before = await mission.events();
    for (const [what, [make, status, message]] of Object.entries(HOSTILE)) {
      const refused = await mission.send(await make(mission));
      expect.soft(refused, what).toMatchObject({
        status,
        answer: { ok: false, message: expect.stringContaining(message), hint: expect.stringMatching(/./) },
      });
    }
    const without = await fetch(`${mission.address}?format=junit&exit_code=0&scenario=${BOOK}`, {
      method: 'POST',
      body: 'x',
    });
    expect(without.status).toBe(401);
    expect(await mission.events()).toBe(before);
    // 25 tokens, two of them with an unknown kid or the like: the keys were read once.
    expect(mission.issuer.seen).toEqual(['/.well-known/openid-configuration', '/jwks']);
    expect(await mission.report('agent_a')).toMatchObject({ status: 200 });
  });

  test('counts once', async () => {
    const mission = await ciMission();
    const token = await mission.issuer.sign(mission.claimsOf('agent_a'));
    expect(await mission.send(token)).toMatchObject({ status: 200 });
    const before = await mission.events();
    const [again, twice] = await Promise.all([mission.send(token), mission.send(token)]);
    const used = { status: 401, answer: { message: 'This token was used before: a token counts for one report.' } };
    expect([again, twice]).toMatchObject([used, used]);
    expect(await mission.events()).toBe(before);
    const other = await mission.issuer.sign(mission.claimsOf('agent_b'));
    const raced = await Promise.all([mission.send(other), mission.send(other), mission.send(other)]);
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('with a new key is accepted a minute after the keys were read', async () => {
    let ms = Date.now();
    const { issuer, report } = await ciMission({ now: () => ms });
    await report('agent_a');
    issuer.published.keys = issuer.published.keys.map((key) => ({ ...key, kid: 'k2' }));
    const rolled = () => report('agent_a', { signing: { kid: 'k2' } });
    expect((await Promise.all([rolled(), rolled(), rolled()])).map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(issuer.seen).toHaveLength(2);
    ms += 60_000;
    expect((await Promise.all([rolled(), rolled()])).map(({ status }) => status)).toEqual([200, 200]);
    expect(await report('agent_a', { signing: { kid: 'k3' } })).toMatchObject({ status: 401 });
    expect(issuer.seen).toHaveLength(4);
  });

  const UNREADABLE: Readonly<Record<string, (issuer: Issuer) => unknown>> = {
    'does not answer': (issuer) => issuer.close(),
    'answers 500': ({ instead }) => instead.set('/jwks', (reply) => reply(500)),
    'answers no JSON': ({ instead }) => instead.set('/jwks', (reply) => reply(200, '<html>')),
    'answers 10 MB': ({ instead }) => instead.set('/jwks', (reply) => reply(200, ' '.repeat(10_000_000))),
    redirects: ({ instead }) => instead.set('/jwks', (reply) => reply(302, '', { location: '/other' })),
    'names keys elsewhere': ({ instead, issuer }) =>
      instead.set('/.well-known/openid-configuration', (reply) =>
        reply(200, { issuer, jwks_uri: 'http://127.0.0.1:1/jwks' }),
      ),
    'names another issuer': ({ instead, issuer }) =>
      instead.set('/.well-known/openid-configuration', (reply) =>
        reply(200, { issuer: 'https://eve.example.com', jwks_uri: `${issuer}/jwks` }),
      ),
  };

  test('of an issuer without readable keys can be sent again five seconds later', async () => {
    let ms = Date.now();
    const { issuer, report, events } = await ciMission({ now: () => ms });
    const before = await events();
    for (const [what, fail] of Object.entries(UNREADABLE)) {
      await fail(issuer);
      const unread = await report('agent_a');
      expect.soft(unread, what).toMatchObject({
        status: 503,
        answer: { error: 'ISSUER_UNAVAILABLE', retry_after_seconds: 5 },
      });
      expect.soft(unread.headers.get('retry-after'), what).toBe('5');
      if (issuer.instead.size === 0) await issuer.reopen();
      issuer.instead.clear();
      expect.soft((await report('agent_a')).status, what).toBe(503);
      ms += 5_000;
    }
    expect(await events()).toBe(before);
    expect(await report('agent_a')).toMatchObject({ status: 200 });
  });

  test('of an issuer whose key has no number, one of 16 bits, or one of another form is refused', async () => {
    const { issuer, report } = await ciMission();
    const [key] = issuer.published.keys;
    if (!key) throw new Error('The issuer publishes no key.');
    issuer.published.keys = ['', '_w8', '!!'].map((n, at) => ({ ...key, n, kid: `k${at}` }));
    for (const kid of ['k0', 'k1', 'k2'])
      expect.soft(await report('agent_a', { signing: { kid } }), kid).toMatchObject({
        status: 401,
        answer: { message: 'The key that the issuer publishes for the token cannot be used.' },
      });
  });

  test('for an unknown session is refused like that of a session without workflows', async () => {
    const { issuer, claimsOf, url, owner, sessionId } = await ciMission();
    const token = await issuer.sign(claimsOf('agent_a'));
    const send = async (id: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return await (await fetch(`${url}/owner/api/ci/${id}`, { method: 'POST', headers, body: 'x' })).json();
    };
    for (const role of ['agent_a', 'agent_b'] as const) await owner.unbindWorkflow(sessionId, { role });
    const refused = { ok: false, error: 'UNAUTHORIZED', hint: 'Ask the owner to bind the workflow with bindWorkflow.' };
    for (const id of ['people', 'ses_unknown', sessionId])
      expect(await send(id)).toEqual({
        ...refused,
        message: `This session accepts no tokens of the issuer "${issuer.issuer}".`,
      });
  });

  test('of an issuer that the operator does not allow sends no request to it', async () => {
    const { report, issuer } = await ciMission({ allowed: false });
    expect(await report('agent_a')).toMatchObject({
      status: 401,
      answer: { message: `This service reads no keys of the issuer "${issuer.issuer}".` },
    });
    expect(issuer.seen).toEqual([]);
  });
});

type Issuer = Awaited<ReturnType<typeof ciMission>>['issuer'];

test('a report that is wrong in any way is refused, stores nothing, and leaves the service working', async () => {
  const mission = await ciMission();
  const before = await mission.events();
  const bodies: readonly (readonly [string, number, string])[] = [
    [' '.repeat(50_000_000), 413, 'The body is longer than 5000000 bytes.'],
    ['<testsuite><testcase name="a">', 422, 'The report is refused: it is not well-formed XML, or ends too early'],
    [
      '<!DOCTYPE t [<!ENTITY a "b">]><testsuite/>',
      422,
      'The report is refused: it has a document type declaration (DTD)',
    ],
    [junit('a\u202eb=passed'), 422, 'The report is refused: the test a'],
    [
      `<testsuite>${'<testcase name="a"/>'.repeat(100_000)}</testsuite>`,
      422,
      'The report is refused: it has too many tests',
    ],
    ['', 422, 'The report is refused'],
    [junit('a=skipped'), 422, 'report'],
  ];
  for (const [body, status, message] of bodies)
    expect.soft(await mission.report('agent_a', { body }), message).toMatchObject({
      status,
      answer: { message: expect.stringContaining(message) },
    });
  const queries: readonly (readonly [string, number, string])[] = [
    ['', 422, 'scenario'],
    ['scenario=a&scenario=a', 422, 'Names a scenario twice.'],
    ['scenario=none', 404, 'The approved contract has no test "none".'],
    [`scenario=${BOOK}&exit_code=x`, 422, 'exit code'],
    [`scenario=${BOOK}&exit_code=1&exit_code=0`, 422, 'exit_code'],
    [`scenario=${BOOK}&format=sarif`, 422, 'format'],
    [`scenario=${BOOK}&more=1`, 422, 'more'],
  ];
  for (const [query, status, message] of queries)
    expect.soft(await mission.report('agent_a', { query }), query).toMatchObject({
      status,
      answer: { message: expect.stringContaining(message) },
    });
  expect(await mission.events()).toBe(before);
  expect(await mission.report('agent_a')).toMatchObject({ status: 200 });
});

test('a correlated test needs a request_id, and a failed run of a workflow cannot lead to a PASS', async () => {
  const { report, agents, scenario } = await ciMission({ policy: { level: 'ci', correlated: true } });
  expect(await report('agent_a')).toMatchObject({
    status: 422,
    answer: {
      issues: [
        { path: 'request_id', message: expect.stringContaining('A contract that says correlated: false needs none.') },
      ],
    },
  });
  await agents.agent_a('verify_start_attempt', { scenario_id: BOOK });
  const query = `scenario=${BOOK}&request_id=nightly`;
  await report('agent_b', { query });
  const failed = await report('agent_a', { query, body: junit('books once=failed') });
  expect(failed.answer.scenarios[0].evaluation).toMatchObject({
    met: false,
    missing: [],
    failing: [expect.stringContaining('agent_a')],
  });
  expect((await scenario(BOOK)).attempts[0]).toMatchObject({
    level: null,
    evidence: [{ by: 'agent_b' }, { by: 'agent_a', failed: true }],
  });
});
