import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Heard } from '../../support/exchange.ts';
import { type Joined, joinAs } from '../../support/join-session.ts';
import { bearer, callTool, MCP, restPath, rpc } from '../../support/requests.ts';
import { openService, post, type Service } from '../../support/service.ts';
import { narrowModerator } from './support/cast.ts';
import { stockSession } from './support/sample-sessions.ts';
import { verdictOf } from './support/targets.ts';

let service: Service;
/** A session whose moderator the owner has stopped. */
let stopped: Joined;
/** An ended session whose moderator has no permissions. */
let reading: Joined;

beforeAll(async () => {
  service = await openService({ limits: { perToken: 30 } });
  stopped = await stockSession(service);
  await service.owner.stopModerator(stopped.sessionId);
  reading = await narrowModerator(service, []);
  await service.owner.end(reading.sessionId, { end_reason: 'COMPLETED' });
});
afterAll(() => service.close());

interface Asked {
  readonly as: () => Joined;
  readonly method?: string;
  readonly route?: string;
  /** If given, this JSON-RPC text is sent over MCP. */
  readonly message?: string;
  readonly body?: string;
}

const TOO_MUCH = 'x'.repeat(200_001);
const ELSEWHERE = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Each request has all the faults that its name lists. The answer must report the first fault. */
const ORDER: Readonly<Record<string, readonly [expected: string, asked: Asked]>> = {
  'stopped, then no such route': ['403 MODERATOR_STOPPED', { as: () => stopped, route: 'nowhere' }],
  'stopped, then no such method': ['403 MODERATOR_STOPPED', { as: () => stopped, method: 'DELETE', route: 'turns' }],
  'stopped, then another session': [
    '403 MODERATOR_STOPPED',
    { as: () => ({ ...stopped, sessionId: ELSEWHERE }), route: 'state' },
  ],
  "stopped, then a builder's route": ['403 MODERATOR_STOPPED', { as: () => stopped, route: 'actions' }],
  'stopped, then no JSON': ['403 MODERATOR_STOPPED', { as: () => stopped, route: 'events/ack', body: '{' }],
  'stopped, then no JSON over MCP': ['403 -32001 MODERATOR_STOPPED', { as: () => stopped, message: '{' }],
  'stopped, then an unknown tool': ['403 -32001 MODERATOR_STOPPED', { as: () => stopped, message: callTool('x') }],
  'stopped, then an unknown method': ['403 -32001 MODERATOR_STOPPED', { as: () => stopped, message: rpc('x') }],
  'no such route, then another session': [
    '404 NOT_FOUND',
    { as: () => ({ ...reading, sessionId: ELSEWHERE }), route: 'nowhere' },
  ],
  "another session, then a builder's route": [
    '403 WRONG_SESSION',
    { as: () => ({ ...reading, sessionId: ELSEWHERE }), route: 'actions' },
  ],
  "a builder's route, then no JSON": ['403 MODERATOR_FORBIDDEN', { as: () => reading, route: 'turns', body: '{' }],
  'no permission, then too long a body': [
    '403 PERMISSION_DENIED hold',
    { as: () => reading, route: 'moderator/holds', body: TOO_MUCH },
  ],
  'no permission, then no JSON': [
    '403 PERMISSION_DENIED ask',
    { as: () => reading, route: 'moderator/questions', body: '{' },
  ],
  'no permission, then a bad input': [
    '403 PERMISSION_DENIED review',
    { as: () => reading, route: 'moderator/reviews', body: '{"verdict":1}' },
  ],
  'no permission, then a session that is over': [
    '403 PERMISSION_DENIED recommend',
    { as: () => reading, route: 'moderator/recommend', body: '{"recommendation":"PROCEED","text":"Go."}' },
  ],
  'no permission, then a bad input over MCP': [
    '200 isError PERMISSION_DENIED find',
    { as: () => reading, message: callTool('raise_finding', { x: 1 }) },
  ],
  'a bad input, then a session that is over': [
    '422 INVALID_INPUT',
    { as: () => reading, route: 'events/ack', body: '{}' },
  ],
  'a session that is over': [
    '409 SESSION_ENDED',
    { as: () => reading, route: 'moderator/withdraw', body: '{"intervention_id":"i_9"}' },
  ],
};

function ask({ as, method, route = '', message, body }: Asked): Promise<Heard> {
  const { sessionId, tokens } = as();
  if (message !== undefined) return post(service, tokens.moderator, message);
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  return service.send({ method: verb, path: restPath(sessionId, route), headers: bearer(tokens.moderator), body });
}

describe('of what is wrong with a request of a moderator, the first is said', () => {
  test.each(Object.entries(ORDER))('%s', async (_name, [expected, asked]) => {
    expect(verdictOf(await ask(asked))).toBe(expected);
  });

  test('a method of MCP beside POST, then stopped', async () => {
    const heard = await service.send({ method: 'GET', path: MCP, headers: bearer(stopped.tokens.moderator) });
    expect(heard.status).toBe(405);
  });

  test('the rate, then stopped', async () => {
    const joined = await stockSession(service);
    const token = await joinAs(service, joined.sessionId, 'moderator');
    await service.owner.stopModerator(joined.sessionId);
    const route = restPath(joined.sessionId, 'state');
    const verdicts: string[] = [];
    for (let n = 0; n < 31; n += 1)
      verdicts.push(verdictOf(await service.send({ method: 'GET', path: route, headers: bearer(token) })));
    expect(new Set(verdicts.slice(0, 30))).toEqual(new Set(['403 MODERATOR_STOPPED']));
    expect(verdicts[30]).toBe('429 RATE_LIMITED');
    expect(verdictOf(await post(service, token, rpc('ping')))).toBe('429 -32029 RATE_LIMITED');
  });

  test('a finding with a hold needs both permissions, told after the input is right', async () => {
    const { sessionId, tokens } = await narrowModerator(service, ['find'], 'submit_moderator_finding');
    const finding = { category: 'SCOPE', text: 'No limit.', resolution_criteria: 'A limit.', request_hold: true };
    const send = async (input: object) =>
      verdictOf(
        await ask({ as: () => ({ sessionId, tokens }), route: 'moderator/findings', body: JSON.stringify(input) }),
      );
    expect(await send(finding)).toBe('422 INVALID_INPUT');
    expect(await send({ ...finding, hold_reason: 'It is large.' })).toBe('403 PERMISSION_DENIED hold');
  });
});
