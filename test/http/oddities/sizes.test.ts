import { afterAll, beforeAll, describe, it } from 'vitest';
import { chunked, requestBytes, toolCall, turnTargets } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { expectVerdict } from './support/verdict.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const LIMIT = 200_000;

/**
 * JSON of a turn, `chars` characters long. If the service accepts the length, it refuses the turn because of the
 * unknown member `filling`.
 */
function turnOf(chars: number, filling: string): string {
  const frame = '{"summary":"x","filling":""}';
  return frame.replace('""', `"${filling.repeat(chars - frame.length)}"`);
}

const callOf = (chars: number, filling: string): string => {
  const frame = toolCall('').length;
  return toolCall(turnOf(chars - frame, filling));
};

const FILLINGS = [
  ['one-byte', 'a'],
  ['two-byte', 'é'],
  ['three-byte', '€'],
  ['four-byte', '😀'],
] as const;

const HOSTS = [
  { host: 'REST', bodyOf: turnOf, passes: '422 INVALID_INPUT', isTooLarge: '413 BODY_TOO_LARGE' },
  { host: 'MCP', bodyOf: callOf, passes: '200 INVALID_INPUT', isTooLarge: '413 -32600' },
] as const;

const CASES = HOSTS.flatMap(({ host, bodyOf, passes, isTooLarge }) =>
  FILLINGS.flatMap(([kind, filling]) => [
    { host, kind, chars: LIMIT, body: bodyOf(LIMIT, filling), verdict: passes },
    { host, kind, chars: LIMIT + 1, body: bodyOf(LIMIT + 1, filling), verdict: isTooLarge },
  ]),
);

describe.each(CASES)('$host: $chars $kind characters', ({ host, body, verdict }) => {
  const ask = (headers: readonly string[], sent: Buffer) =>
    requestBytes(service.tokens.agent_b, { method: 'POST', target: turnTargets(service)[host], headers, body: sent });

  it(`are ${verdict} under their length`, async () => {
    await expectVerdict(service, [ask([], Buffer.from(body))], verdict);
  });

  it(`are ${verdict} in chunks that cut characters`, async () => {
    await expectVerdict(service, [ask(['Transfer-Encoding: chunked'], chunked(Buffer.from(body), 16_381))], verdict);
  });
});

describe.each(HOSTS)('$host: a Content-Length that lies', ({ host, bodyOf, passes, isTooLarge }) => {
  const ask = (length: number, body: string) =>
    requestBytes(service.tokens.agent_b, {
      ...{ method: 'POST', target: turnTargets(service)[host] },
      ...{ headers: [`Content-Length: ${length}`], body },
    });

  it('about more bytes than any body may have is too large before any of them', async () => {
    await expectVerdict(service, [ask(800_001, '')], isTooLarge);
  });

  it('about more than is sent is half a request when its sender ends', async () => {
    await expectVerdict(service, [ask(1_000, bodyOf(500, 'a'))], '400 empty', { hangUpAfterMs: 200 });
  });

  it('about less leaves bytes behind that are no request', async () => {
    await expectVerdict(service, [ask(20, bodyOf(500, 'a'))], '400 empty');
  });

  it('that announces fewer bytes is not read past them', async () => {
    const next = ask(20, 'x'.repeat(20));
    const whole = bodyOf(300, 'a');
    await expectVerdict(service, [ask(300, `${whole}${next.toString()}`)], passes);
  });
});

describe.each(HOSTS)('$host: a body without an end', ({ host, isTooLarge }) => {
  it('is too large as soon as it is', async () => {
    const head = { method: 'POST', target: turnTargets(service)[host], headers: ['Transfer-Encoding: chunked'] };
    const chunk = Buffer.from(`c350\r\n${'a'.repeat(50_000)}\r\n`);
    const pieces = [requestBytes(service.tokens.agent_b, head), ...Array.from({ length: 5 }, () => chunk)];
    await expectVerdict(service, pieces, isTooLarge);
  });
});

describe('the route of attached files', () => {
  const target = (): string => turnTargets(service).REST.replace(/turns$/, 'verify/attachments');

  it.each([
    [1_400_000, '422 INVALID_INPUT'],
    [1_400_001, '413 BODY_TOO_LARGE'],
  ])('takes a body of %d characters as %s', async (chars, verdict) => {
    const head = { method: 'POST', target: target(), headers: [], body: Buffer.from(turnOf(chars, 'a')) };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, head)], verdict);
  });
});
