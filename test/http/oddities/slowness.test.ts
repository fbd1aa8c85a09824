import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP, REST } from '../../support/requests.ts';
import { exchangeRaw, type Piece } from './support/raw.ts';
import { requestBytes, toolCall, turnTargets } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { verdictOf } from './support/verdict.ts';

/**
 * Time limit for the headers and for the whole request, shorter than usual. The server checks both limits every two
 * seconds.
 */
const LIMIT_MS = 800;

let service: Service;
let heads: readonly string[];
beforeAll(async () => {
  service = await openService();
  Object.assign(service.server, { headersTimeout: LIMIT_MS, requestTimeout: LIMIT_MS });
  heads = await service.heads();
});
afterAll(async () => {
  expect(service.failures).toEqual([]);
  expect(await service.heads()).toEqual(heads);
  await service.close();
});

/** Pieces that send one character of `text` every 100 ms, for at most 5.5 s, which is longer than any limit. */
const drip = (text: string): Piece[] => [...text].flatMap((char): Piece[] => [char, 100]).slice(0, 2 * 55);

const verdict = async (pieces: readonly Piece[]): Promise<string> => verdictOf(await exchangeRaw(service.port, pieces));

const half = (host: 'REST' | 'MCP', body: string, length: number): Piece[] => {
  const target = turnTargets(service)[host];
  const headers = [`Content-Length: ${length}`];
  return [requestBytes(service.tokens.agent_b, { method: 'POST', target, headers, body })];
};

describe('a client that takes its time', () => {
  it.concurrent.each([
    ['with the request line', () => drip(`GET ${REST}/health HTTP/1.1\r\nHost: a\r\n`)],
    ['with its headers', () => [`GET ${REST}/health HTTP/1.1\r\nHost: a\r\n`, ...drip(`X-Slow: ${'a'.repeat(200)}`)]],
    ['and says nothing after half a header', () => [`GET ${REST}/health HTTP/1.1\r\nHost`]],
    ['and says nothing after its headers by REST', () => half('REST', '', 20)],
    ['and says nothing after its headers by MCP', () => half('MCP', '', 20)],
    ['and stops in its body by REST', () => half('REST', '{"summary":', 27)],
    ['and stops in its body by MCP', () => half('MCP', toolCall('{}').slice(0, 40), 200)],
    [
      'with its body',
      () => [...half('REST', '', 500), ...drip('{"summary":"Offsets hurt a great deal, and more so."')],
    ],
    [
      'and never sends what 100 Continue asked for',
      () => [
        requestBytes(service.tokens.agent_b, {
          ...{ method: 'POST', target: MCP },
          headers: ['Expect: 100-continue', 'Content-Length: 50'],
        }),
      ],
    ],
  ])('%s is told so and cut off', async (_, pieces) => {
    expect(await verdict(pieces())).toBe('408 empty');
  });

  it.concurrent('without a token is refused before its body is there', async () => {
    const request = { method: 'POST', target: MCP, headers: ['Content-Length: 50'], credentials: [] };
    expect(await verdict([requestBytes('', request)])).toBe('401 -32001');
  });
});

describe('two hundred clients that stop half-way', () => {
  it('do not delay the requests of other clients', async () => {
    const stuck = Array.from({ length: 200 }, (_, n) => verdict(half(n % 2 ? 'REST' : 'MCP', '{"summary":', 27)));
    expect(await verdict([requestBytes(service.tokens.agent_a, { target: `${REST}/health` })])).toBe('200 ok');
    expect(new Set(await Promise.all(stuck))).toEqual(new Set(['408 empty']));
  });
});
