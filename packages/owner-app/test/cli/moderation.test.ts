import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { AS_OWNER, ask, createSession, type Heard, seatAgent } from '../ask.ts';
import { commandsAt } from '../commands.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp } from '../running-app.ts';

/** A started session with a moderator, and functions that call the owner's API and run command lines. */
async function runModerated() {
  const { url } = await runApp();
  const id = await createSession(url);
  const headers = { authorization: `Bearer ${await seatAgent(url, id, 'moderator')}` };
  await ask(url, `/owner/api/sessions/${id}/start`, { headers: AS_OWNER, body: {} });
  const run = commandsAt(url);
  const entitle = (body: unknown) => ask(url, '/owner/api/moderator-entitlement', { headers: AS_OWNER, body });
  const asModerator = (path: string, body?: unknown): Promise<Heard> =>
    ask(url, `/api/public/agent/sessions/${id}/${path}`, { headers, ...(body === undefined ? {} : { body }) });
  return { url, id, run, entitle, asModerator };
}

const HELD = {
  category: 'SAFETY',
  text: 'It books twice.',
  resolution_criteria: 'It books once.',
  request_hold: true,
  hold_reason: 'Nobody should approve it.',
};

describe('POST /owner/api/moderator-entitlement', () => {
  test('forbids and allows moderators in all sessions, also in later sessions', async () => {
    const { url, id, entitle, asModerator } = await runModerated();
    const other = await createSession(url);
    expect(await entitle({ entitled: false })).toMatchObject({ status: 200, json: { entitled: false, sessions: 2 } });
    expect(await asModerator('state')).toMatchObject({ status: 403, json: { error: 'MODERATOR_NOT_ENTITLED' } });
    const later = await createSession(url);
    for (const session of [id, other, later]) {
      const { json } = await ask(url, `/owner/api/sessions/${session}`, { headers: AS_OWNER });
      expect(json.moderator).toMatchObject({ entitled: false, active: false });
    }
    expect((await entitle({ entitled: true })).json).toEqual({ entitled: true, sessions: 3 });
    expect((await asModerator('state')).status).toBe(200);
  });

  test("is named by the refusal of a moderator's invitation", async () => {
    const { url, id, run, entitle } = await runModerated();
    await entitle({ entitled: false });
    const invite = () =>
      ask(url, `/owner/api/sessions/${id}/invite`, { headers: AS_OWNER, body: { role: 'moderator' } });
    expect(await invite()).toMatchObject({
      status: 403,
      json: {
        error: 'MODERATOR_NOT_ENTITLED',
        hint: 'Allow moderators first: run `parley moderator-entitlement on`, or POST {"entitled": true} to /owner/api/moderator-entitlement.',
      },
    });
    expect(await run('invite', id, '--role', 'moderator')).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringContaining('parley moderator-entitlement on'),
    });
    await run('moderator-entitlement', 'on');
    expect((await invite()).status).toBe(200);
  });

  test('accepts only a POST with one boolean, from an owner with a session', async () => {
    const { url, entitle } = await runModerated();
    for (const body of [{}, { entitled: 'no' }, { entitled: false, because: 'x' }, { entitled: null }])
      expect(await entitle(body)).toMatchObject({ status: 422, json: { ok: false, error: 'INVALID_INPUT' } });
    const read = await ask(url, '/owner/api/moderator-entitlement', { headers: AS_OWNER });
    expect(read).toMatchObject({ status: 405, json: { error: 'METHOD_NOT_ALLOWED' } });
    expect(read.headers.get('allow')).toBe('POST');
    const { url: empty } = await runApp();
    const answered = await ask(empty, '/owner/api/moderator-entitlement', {
      headers: AS_OWNER,
      body: { entitled: false },
    });
    expect(answered).toMatchObject({ status: 409, json: { error: 'INVALID_TRANSITION' } });
  });
});

describe('parley moderator-entitlement', () => {
  test('prints its effect, or the answer with --json; the card shows the setting', async () => {
    const { id, run } = await runModerated();
    expect(await run('moderator-entitlement', 'off')).toMatchObject({
      code: EXIT.OK,
      out: 'Moderators are forbidden now. The setting was changed in 1 session.',
    });
    expect((await run('view', id)).out).toContain(
      'moderator: not allowed (to allow moderators: parley moderator-entitlement on)',
    );
    const raw = await run('moderator-entitlement', 'on', '--json');
    expect(JSON.parse(raw.out)).toEqual({ entitled: true, sessions: 1 });
  });

  test.each([[['moderator-entitlement']], [['moderator-entitlement', 'maybe']]])('%j is wrong usage', async (args) => {
    expect(await runCli(args, fakeTerminal({ PARLEY_OWNER_KEY: KEY }))).toBe(EXIT.USAGE);
  });
});

describe('the commands on a moderator', () => {
  test("grant permissions, stop and restore the moderator, and the view shows the moderator's status", async () => {
    const { id, run, asModerator } = await runModerated();
    expect((await run('grant-moderator', id, '--permissions', 'ask,find')).out).toContain('ask, find');
    expect(await asModerator('moderator/findings', HELD)).toMatchObject({
      status: 403,
      json: { error: 'PERMISSION_DENIED', required_permission: 'hold' },
    });
    expect((await run('view', id)).out).toContain('moderator: active, may ask, find; has read up to event 0');
    expect((await run('grant-moderator', id, '--permissions', 'none')).code).toBe(EXIT.OK);
    expect((await run('view', id)).out).toContain('moderator: active, may read only;');
    await run('stop-moderator', id, '--reason', 'Too loud.');
    expect((await asModerator('state')).json).toMatchObject({ error: 'MODERATOR_STOPPED' });
    expect((await run('view', id)).out).toContain(`moderator: stopped (to restore: parley restore-moderator ${id})`);
    await run('restore-moderator', id);
    expect((await asModerator('state')).status).toBe(200);
  });

  test("release the moderator's hold and answer its advice; the card shows both as waiting tasks", async () => {
    const { id, run, asModerator } = await runModerated();
    await asModerator('moderator/findings', HELD);
    await asModerator('moderator/recommend', { recommendation: 'PAUSE', text: 'Let them talk first.' });
    const waiting = (await run('view', id)).out;
    expect(waiting).toMatch(/^- RECOMMENDATION, from moderator, .*\n.*\n {2}│ PAUSE: Let them talk first\.$/m);
    expect(waiting).toMatch(
      new RegExp(`│ Nobody should approve it\\.\n {4}parley show ${id} h_1\n {4}parley release-hold ${id} h_1`),
    );
    expect((await run('show', id, 'h_1')).out).toMatch(
      /Nobody should approve it\.\n(.*\n)*f_1 +finding, OPEN\n(.*\n)*│ It books twice\./,
    );
    expect(waiting).toMatch(/^active holds\nid +finding +reason\nh_1 +f_1 +Nobody should approve it\.$/m);
    expect(waiting).toMatch(/^f_1 +OPEN +moderator +blocks +It books twice\.$/m);
    const [seen = ''] = /--seen \d+/.exec(waiting) ?? [];
    await run('release-hold', id, '--hold-id', 'h_1', '--reason', 'The sandbox is enough.', ...seen.split(' '));
    await run('respond-recommendation', id, '--recommendation-id', 'rec_1', '--decision', 'REJECT');
    const settled = (await run('view', id)).out;
    expect(settled).not.toContain('RECOMMENDATION');
    expect(settled).not.toContain('active holds');
    const again = await run('release-hold', id, '--hold-id', 'h_1', '--reason', 'Again.');
    expect(again).toMatchObject({ code: EXIT.REFUSED, err: expect.stringContaining('parley: HOLD_CLOSED: ') });
    expect((await run('transcript', id)).out).toMatch(/owner {2}rejects the advice of rec_1/);
  });

  test("override the moderator's request for changes of a revision", async () => {
    const { url, id, run, asModerator } = await runModerated();
    const author = { authorization: `Bearer ${await seatAgent(url, id, 'agent_a')}` };
    const seen = async () => String((await ask(url, `/owner/api/sessions/${id}`, { headers: AS_OWNER })).json.head.seq);
    await run('appoint-author', id, '--candidate', 'agent_a', '--seen', await seen());
    const draft = { contract: {}, expected_parent_id: '', reason: 'A start.' };
    await ask(url, `/api/public/agent/sessions/${id}/contract`, { headers: author, body: draft });
    const { json: plan } = await asModerator('plan');
    const review = { revision_id: 'r_1', content_hash: plan.content_hash, verdict: 'REQUEST_CHANGES' };
    await asModerator('moderator/reviews', { ...review, summary: 'It is empty.', dimensions: [] });
    expect((await asModerator('contract-blockers')).text).toContain('MODERATOR_REVIEW_REQUESTS_CHANGES');
    const flags = ['--role', 'moderator', '--reason', 'It is a start.', '--seen', await seen()];
    const overridden = await run('override-review', id, ...flags);
    expect(overridden).toMatchObject({ code: EXIT.OK, err: '' });
    expect((await asModerator('contract-blockers')).text).not.toContain('MODERATOR_REVIEW_REQUESTS_CHANGES');
    expect((await run('override-review', id, '--role', 'agent_a', '--reason', 'x')).code).not.toBe(EXIT.OK);
  });
});

describe('what the moderator and the owner settled', () => {
  test('is refused a second time, with a hint for the owner', async () => {
    const { url, id, asModerator } = await runModerated();
    await asModerator('moderator/findings', HELD);
    await asModerator('moderator/recommend', { recommendation: 'PAUSE', text: 'Wait for the mended contract.' });
    const act = async (operation: string, body: object): Promise<unknown> => {
      const path = `/owner/api/sessions/${id}/${operation}`;
      return (await ask(url, path, { headers: AS_OWNER, body })).json.hint;
    };
    const advised = { recommendation_id: 'rec_1' };
    await act('respond-recommendation', { ...advised, decision: 'ACCEPT' });
    const { seq: seen } = (await ask(url, `/owner/api/sessions/${id}`, { headers: AS_OWNER })).json.head;
    const held = { hold_id: 'h_1', reason: 'It is mended.', seen };
    await act('release-hold', held);

    const hints = [
      await act('respond-recommendation', { ...advised, decision: 'REJECT' }),
      await act('release-hold', held),
    ];

    expect(hints).toEqual([
      'Your first answer is final. To add something, ask the agents a question or give them a directive.',
      'The hold was already released. `parley view SESSION` lists the active holds.',
    ]);
  });
});
