import fc from 'fast-check';
import { OWNER_KEY } from '../../support/application.ts';
import { MCP, REST, restPath } from '../../support/requests.ts';
import { exchangeRaw, type RawAnswer } from '../oddities/support/raw.ts';
import { requestBytes, toolCall } from '../oddities/support/request.ts';
import type { Service } from '../oddities/support/service.ts';
import type { Run } from './calls.ts';
import type { Tally } from './support/tally.ts';

const TURN = '{"summary":"Offsets hurt."}';

const EVENTS = toolCall('{"after":1}', 'get_session_events');

/** Valid requests that store nothing, even if some of their bytes change. agent_b does not have the turn. */
const GOOD: readonly ((service: Service) => Buffer)[] = [
  (service) => requestBytes(service.tokens.agent_b, { target: restPath(service.sessionId, 'turns'), body: TURN }),
  (service) => requestBytes(service.tokens.agent_b, { target: restPath(service.sessionId, 'messages?after=1') }),
  (service) => requestBytes(service.tokens.agent_b, { target: MCP, body: toolCall(TURN) }),
  (service) =>
    requestBytes(service.tokens.moderator, { target: restPath(service.sessionId, 'events?after=1&limit=3') }),
  (service) => requestBytes(service.tokens.moderator, { target: MCP, body: EVENTS }),
  (service) => requestBytes('', { target: `${MCP}/${service.tokens.agent_b}`, body: `[${toolCall(TURN)}]` }),
  () => requestBytes('', { target: `${REST}/invitations/redeem`, body: '{"code":"pinv_x"}' }),
  ({ sessionId }) => requestBytes(OWNER_KEY, { target: `/owner/api/sessions/${sessionId}`, body: '' }),
  () => requestBytes(OWNER_KEY, { target: '/owner/api/sessions', body: '{"title":"x"}' }),
  () => requestBytes('', { target: '/owner/api/sign-in', body: `{"owner_key":"${OWNER_KEY}x"}` }),
];

const edit = fc.record({
  at: fc.nat(600),
  removed: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(200)),
  inserted: fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 3 }).map((text) => Buffer.from(text)) },
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('\r\n', '\r\n\r\n', '\0', ': ', '%', '//', '{', '"', 'Content-Length: 9\r\n')
      .map((text) => Buffer.from(text)),
  ),
});

const edits = fc.record({ good: fc.nat(GOOD.length - 1), edits: fc.array(edit, { minLength: 1, maxLength: 3 }) });

/** Sends valid requests with some changed bytes, each on a connection of its own. */
export async function fuzzBytes(service: Service, tally: Tally, { requests, seed }: Run): Promise<void> {
  const property = fc.asyncProperty(edits, async ({ good, edits: changes }) => {
    const bytes = changes.reduce(
      (sent, { at, removed, inserted }) => Buffer.concat([sent.subarray(0, at), inserted, sent.subarray(at + removed)]),
      GOOD[good]?.(service) ?? Buffer.alloc(0),
    );
    const start = performance.now();
    const answer = await exchangeRaw(service.port, [bytes], { hangUpAfterMs: 0 });
    const verdict = judge(answer);
    tally.count(`bytes ${verdict}`, performance.now() - start);
    if (service.failures.length > 0) throw new Error(`failed inside: ${service.failures.splice(0).map(String)}`);
    if (/^5/.test(verdict)) throw new Error(`${verdict} to ${JSON.stringify(bytes.toString('latin1'))}`);
  });
  await fc.assert(property, { numRuns: requests, seed });
}

/**
 * Returns the status of an answer. Throws if a JSON body is neither a result nor an error body. Answers of Node's HTTP
 * parser have no body.
 */
function judge(answer: RawAnswer | 'closed'): string {
  if (answer === 'closed') return answer;
  const { status, text, json } = answer;
  const isRefusal = Object(json).ok === false || Object(json).error?.code !== undefined;
  const isRight = text === '' || (json !== undefined && (status < 400 || isRefusal));
  if (!isRight) throw new Error(`answered ${status} with ${text.slice(0, 500)}`);
  return String(status);
}
