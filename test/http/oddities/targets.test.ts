import { afterAll, beforeAll, describe, it } from 'vitest';
import { MCP, REST, restPath } from '../../support/requests.ts';
import { requestBytes } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { expectVerdict } from './support/verdict.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const ask = (target: string, body = '') => requestBytes(service.tokens.agent_b, { target: filled(target), body });

/** Replaces the placeholders in a target by this service's session and token. */
const filled = (target: string): string =>
  target
    .replaceAll('{session}', service.sessionId)
    .replaceAll(
      '{escaped}',
      service.sessionId.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    )
    .replaceAll('{token}', service.tokens.agent_b);

type Named = readonly [shown: string, verdict: string, whole: string];

/** Adds a first column for the test's name, in which long targets are shortened. */
const named = (rows: readonly (readonly [target: string, verdict: string])[]): Named[] =>
  rows.map(([target, verdict]) => {
    const isLong = target.length > 90;
    return [isLong ? `${target.slice(0, 60)}… (${target.length} characters)` : target, verdict, target];
  });

const TURNS = `${REST}/sessions/{session}/turns`;
const LONG = 'a'.repeat(12_000);

describe('a path by REST', () => {
  const reached = '422 INVALID_INPUT';
  const unknown = '404 NOT_FOUND';
  it.each(
    named([
      [TURNS, reached],
      [`${TURNS}?`, reached],
      [`${TURNS}?summary=x`, reached],
      [`http://elsewhere.example${TURNS}`, reached],
      [`https://user:pass@elsewhere.example:1${TURNS}`, reached],
      [`${TURNS}/`, unknown],
      [`${TURNS}//`, unknown],
      [`${TURNS}%2F`, unknown],
      [`${TURNS}%00`, unknown],
      [`${TURNS}%20`, unknown],
      [`${TURNS};v=1`, unknown],
      [`${TURNS}#there`, unknown],
      [`${TURNS}\\`, unknown],
      [`${TURNS}.json`, unknown],
      [`${REST}/sessions/{session}/Turns`, unknown],
      [`${REST}/sessions/{session}/%74urns`, unknown],
      [`${REST}/sessions/{session}//turns`, unknown],
      [`${REST}/sessions/{session}/./turns`, unknown],
      [`${REST}/sessions/{session}/x/../turns`, unknown],
      [`${REST}/sessions/{session}/x/%2e%2e/turns`, unknown],
      [`${REST}/sessions/{session}/`, unknown],
      [`${REST}/sessions/{session}`, unknown],
      [`${REST}/sessions//turns`, unknown],
      [`${REST}/sessions/`, unknown],
      [`${REST}//sessions/{session}/turns`, unknown],
      [`${REST}/../agent/sessions/{session}/turns`, unknown],
      [`${REST}/../mcp`, unknown],
      [`${REST}/`, unknown],
      [REST, unknown],
      [`${REST}/health/`, unknown],
      [`${REST}/sessions/{session}/__proto__`, unknown],
      [`${REST}/sessions/{session}/constructor`, unknown],
      [`${REST}/sessions/{session}/%`, unknown],
      [`${REST}/sessions/{session}/%zz%c0%af`, unknown],
      [`${REST}/sessions/{session}/${LONG}`, unknown],
      [`${REST}${'/a'.repeat(6_000)}`, unknown],
      [`${REST}/sessions/%00/turns`, '403 WRONG_SESSION'],
      [`${REST}/sessions/__proto__/turns`, '403 WRONG_SESSION'],
      [`${REST}/sessions/{escaped}/turns`, '403 WRONG_SESSION'],
      [`${REST}/sessions/{session}%20/turns`, '403 WRONG_SESSION'],
      [`${REST}/sessions/${LONG}/turns`, '403 WRONG_SESSION'],
    ]),
  )('%s is %s', async (_name, verdict, target) => {
    await expectVerdict(service, [ask(target, '{}')], verdict);
  });
});

describe('a path by MCP', () => {
  const reached = '400 -32600';
  const refused = '401 -32001';
  it.each(
    named([
      [MCP, reached],
      [`${MCP}/`, reached],
      [`${MCP}?x=1`, reached],
      [`${MCP}/{token}`, reached],
      [`${MCP}/{token}?x=1`, reached],
      [`${MCP}//`, refused],
      [`${MCP}/.`, refused],
      [`${MCP}/..`, refused],
      [`${MCP}/x`, refused],
      [`${MCP}/%`, refused],
      [`${MCP}/%00`, refused],
      [`${MCP}/%c0%af`, refused],
      [`${MCP}/{token}/`, refused],
      [`${MCP}/{token}%20`, refused],
      [`${MCP}/{token}#there`, refused],
      [`${MCP}/prt%5F{token}`, refused],
      [`${MCP}//{token}`, refused],
      [`${MCP}/${LONG}`, refused],
    ]),
  )('%s is %s', async (_name, verdict, target) => {
    await expectVerdict(service, [ask(target, '{}')], verdict);
  });
});

describe('a path beside both', () => {
  it.each(
    named([
      ['/', '404 NOT_FOUND'],
      ['/api/public', '404 NOT_FOUND'],
      ['/api/public/agents/health', '404 NOT_FOUND'],
      ['/api/public/agent%2Fhealth', '404 NOT_FOUND'],
      ['/api/public/%61gent/health', '404 NOT_FOUND'],
      ['//api/public/agent/health', '404 NOT_FOUND'],
      ['/./api/public/agent/health', '404 NOT_FOUND'],
      ['/x/../api/public/mcp', '404 NOT_FOUND'],
      ['/API/PUBLIC/AGENT/health', '404 NOT_FOUND'],
      ['/api/public/mcp#{token}', '404 NOT_FOUND'],
      ['/api/public/mcp;v=1', '404 NOT_FOUND'],
      ['/%', '404 NOT_FOUND'],
      ['/%c0%af', '404 NOT_FOUND'],
      ['/.well-known/%zz', '404 NOT_FOUND'],
      [`/${LONG}`, '404 NOT_FOUND'],
      ['/owner/%zz', '404 NOT_FOUND'],
      ['*', '404 NOT_FOUND'],
      ['api/public/agent/health', '400 empty'],
      ['/api/public/agent/\u00e9', '400 empty'],
      [`/${'a'.repeat(17_000)}`, '431 empty'],
    ]),
  )('%s is %s', async (_name, verdict, target) => {
    await expectVerdict(service, [ask(target, '{}')], verdict);
  });
});

describe('a query', () => {
  const refused = '422 INVALID_INPUT';
  it.each(
    named([
      ['after=1', '200 ok'],
      ['after=%31', '200 ok'],
      ['&&after=1&', '200 ok'],
      ['after=1&session_id={session}', '200 ok'],
      ['session_id=elsewhere', '403 WRONG_SESSION'],
      ['after=1&after=1', refused],
      ['after=1&%61fter=2', refused],
      ['after', '200 ok'],
      ['after=', '200 ok'],
      ['after=null', refused],
      ['after=true', refused],
      ['after=%00', refused],
      ['after=%zz', refused],
      ['after=%ff', refused],
      ['after=+1', refused],
      ['after=-1', refused],
      ['after=1.5', refused],
      ['after=1e3', refused],
      ['after=0x10', refused],
      ['after=[1]', refused],
      ['after=1;after=2', refused],
      ['after=1#2', refused],
      ['after=2147483648', refused],
      [`after=${'9'.repeat(400)}`, refused],
      ['AFTER=1', refused],
      ['after[]=1', refused],
      ['__proto__=1', '200 ok'],
      ['constructor=1', refused],
      ['=1', refused],
      ['%', refused],
      [`x=${LONG}`, refused],
      [LONG, refused],
      [Array.from({ length: 1_500 }, (_, n) => `a${n}=1`).join('&'), refused],
    ]),
  )('%s is %s', async (_name, verdict, query) => {
    await expectVerdict(service, [ask(`${restPath(service.sessionId, 'messages')}?${query}`)], verdict);
  });

  it.each(
    named([
      ['wait=0', '200 ok'],
      ['wait=00', '200 ok'],
      ['wait=-0', '200 ok'],
      ['wait=-1', refused],
      ['wait=x', refused],
      ['wait=', '200 ok'],
      ['wait=1e1', refused],
      ['wait=Infinity', refused],
    ]),
  )('%s of a long poll is %s', async (_name, verdict, query) => {
    await expectVerdict(service, [ask(`${restPath(service.sessionId, 'state')}?${query}`)], verdict);
  });
});
