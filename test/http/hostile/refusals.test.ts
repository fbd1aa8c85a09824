import { beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../support/exchange.ts';
import { callTool, restPath } from '../../support/requests.ts';
import { ask, openService, post } from '../../support/service.ts';
import { openAt } from '../wire/support/sample-sessions.ts';
import { PROBES, type Samples } from './support/probes.ts';
import { ALL_TEXTS } from './texts/hostile-texts.ts';

let samples: Samples;

beforeAll(async () => {
  const service = await openService({ limits: { perToken: 100_000 } });
  samples = {
    service,
    planned: await openAt(service, 'planned'),
    written: await openAt(service, 'written by A'),
    built: await openAt(service, 'built'),
  };
  return () => service.close();
});

const STRIDE = process.env.HOSTILE_TEXTS === 'full' ? 1 : 7;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const MARK = 'saffron';

describe.each(Object.keys(PROBES))('an error about %s', (name) => {
  test('repeats it in quotation marks or not at all, and says what is wrong in its own words', async () => {
    const first = Object.keys(PROBES).indexOf(name) % STRIDE;
    for (const text of ALL_TEXTS.filter((_, index) => index % STRIDE === first)) {
      const said = await PROBES[name]?.(samples, `${MARK} ${text}`);
      const message = String(at(said, 'message'));
      const hint = String(at(said, 'hint') ?? at(said, 'data', 'hint') ?? '');
      const own = message.replaceAll(QUOTED, '');
      expect([text, message.length > 10, HIDDEN.test(message), own.includes(MARK), hint.includes(MARK)]).toEqual([
        text,
        true,
        false,
        false,
        false,
      ]);
    }
  });
});

describe.each([
  ['U+0000', '\\u0000', ' holds the character U+0000.'],
  ['half a surrogate pair', '\\ud83d', ' holds a lone surrogate.'],
  ['the other half', 'x\\ude00', ' holds a lone surrogate.'],
])('a text with %s', (_, escaped, message) => {
  const bodies: Readonly<Record<string, string>> = {
    'a turn': `{"summary":"${escaped}"}`,
    'an item of a turn': `{"summary":"x","concerns":["y ${escaped}"]}`,
    'a name': `{"summary":"x","${escaped}":1}`,
  };

  test.each(Object.keys(bodies))('is refused in %s over REST, and stores nothing', async (name) => {
    const { service, planned } = samples;
    const before = await service.owner.view(planned.sessionId);
    const heard = await service.send({
      ...{ method: 'POST', path: restPath(planned.sessionId, 'turns'), body: bodies[name] },
      headers: { Authorization: `Bearer ${planned.tokens.agent_a}` },
    });
    expect([heard.status, at(heard.json, 'error')]).toEqual([400, 'INVALID_JSON']);
    expect(at(heard.json, 'message')).toContain(message);
    expect((await service.owner.view(planned.sessionId)).head).toEqual(before.head);
  });

  test.each(Object.keys(bodies))('is refused in %s over MCP, and stores nothing', async (name) => {
    const { service, planned } = samples;
    const before = await service.owner.view(planned.sessionId);
    const body = callTool('post_turn', { body: 1 }).replace('{"body":1}', () => bodies[name] ?? '');
    const heard = await post(service, planned.tokens.agent_a, body);
    const refusal = at(heard.json, 'result', 'structuredContent');
    expect([heard.status, at(refusal, 'error')]).toEqual([200, 'INVALID_INPUT']);
    expect(String(at(refusal, 'message')).toLowerCase()).toContain(message.slice(0, -1).toLowerCase());
    expect((await service.owner.view(planned.sessionId)).head).toEqual(before.head);
  });

  test('is refused from inside the process as well', async () => {
    const { service, planned } = samples;
    const text: string = JSON.parse(`"${escaped}"`);
    const before = await service.owner.view(planned.sessionId);
    await expect(service.owner.assignAction(planned.sessionId, { target: 'agent_a', text })).rejects.toThrow(message);
    const requirements = [{ requirement_id: 'req-1', text: 'x' }];
    await expect(service.owner.createSession({ title: text, objective: 'x', requirements })).rejects.toThrow(message);
    expect((await service.owner.view(planned.sessionId)).head).toEqual(before.head);
  });
});

test.each([
  ['empty', '', 'Must not be empty.'],
  ['blank', ' \t\n\u2028\u00a0', 'Must not be empty; got " \\u{9}\\u{a}\\u{2028}\u00a0".'],
  ['too long', 'x'.repeat(8_001), 'Must have at most 8000 characters; got 8001.'],
])('a summary that is %s is refused by name, and stores nothing', async (_, summary, message) => {
  const { service, planned } = samples;
  const before = await service.owner.view(planned.sessionId);
  const heard = await ask(service, restPath(planned.sessionId, 'turns'), planned.tokens.agent_a, { summary });
  expect(heard).toMatchObject({
    status: 422,
    json: { error: 'INVALID_INPUT', issues: [{ path: 'summary', message }] },
  });
  expect((await service.owner.view(planned.sessionId)).head).toEqual(before.head);
});
