/** Finds the token of a request, and counts the request in its rate window. Does not load the session. */
import type { Engine } from '../engine/engine.ts';
import { CredentialsMissing, fail } from '../errors.ts';
import { MAX_TOKEN_CHARS } from '../limits.ts';
import type { Sender } from '../operation/host-port.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { bucketOf, type Windows } from '../token/rate-windows.ts';
import type { TokenFacts } from '../token/token.ts';

const BEARER = /^Bearer (prt_[\x21-\x7e]*)$/;
const PATH_TOKEN = /^prt_[A-Za-z0-9_-]{16,200}$/;

/** Returns the token of a request, or null if the request has no well-formed token. */
export function readToken({ authorization, pathToken }: Sender): string | null {
  if (pathToken !== undefined) return pathToken !== null && PATH_TOKEN.test(pathToken) ? pathToken : null;
  const token = authorization.length === 1 ? BEARER.exec(authorization[0] ?? '')?.[1] : undefined;
  return token !== undefined && token.length <= MAX_TOKEN_CHARS ? token : null;
}

/**
 * Counts a request by its token. If it has no well-formed token, counts it by its address.
 *
 * @returns the facts that the token's text contains, or null if the request has no well-formed token
 * @throws ParleyError RATE_LIMITED
 */
export async function countSender<S extends SessionRoot>(
  engine: Engine<S>,
  { counted, forged }: Windows,
  sender: Sender,
): Promise<TokenFacts | null> {
  const token = readToken(sender);
  if (token === null) {
    await counted.take(bucketOf('address', sender.address), engine.limits.perAddress, 1);
    return null;
  }
  const facts = engine.readToken(token);
  const taken = (facts.sessionId === null ? forged : counted).take(facts.bucket, engine.limits.perToken, 1);
  if (taken) await taken; // For windows in memory, `taken` is not a promise, and the facts are returned without waiting.
  return facts;
}

const SEND_HEADER = 'Send exactly one header "Authorization: Bearer prt_...".';
const SEGMENT_RULE =
  'The last segment of the path is not a token. A token in the path is prt_ and 16 to 200 letters, digits, _ or -, with nothing after it.';

/**
 * Refuses a request without a well-formed token. The message names the place of the token: the header or the path.
 * `hint` explains how a client without a token joins a session.
 */
export function refuseCredentials({ authorization, pathToken }: Sender, hint: string): never {
  if (pathToken === null)
    fail('UNAUTHORIZED', `This service does not accept tokens in the path. ${SEND_HEADER}`, { hint });
  if (pathToken?.startsWith('pinv_')) fail('UNAUTHORIZED', CODE_SENT, { hint });
  if (pathToken !== undefined) fail('UNAUTHORIZED', SEGMENT_RULE, { hint });
  if (authorization.every((value) => value === ''))
    throw new CredentialsMissing(`The request has no token. ${SEND_HEADER}`, { hint });
  if (authorization.some((value) => INVITATION.test(value))) fail('UNAUTHORIZED', CODE_SENT, { hint });
  if (authorization.some((value) => OWNER_KEY.test(value))) fail('UNAUTHORIZED', KEY_SENT, { hint: OWNER_PLACE });
  return fail('UNAUTHORIZED', `The Authorization header has no valid token. ${SEND_HEADER}`, { hint });
}

const OWNER_KEY = /^(?:Bearer +)?pok_/i;
const KEY_SENT = 'A key of the owner (pok_...) was sent in place of the token of an agent (prt_...).';
const OWNER_PLACE =
  'This route is for agents. The owner calls the API whose address ends in /owner/api, with this key, or runs the command parley.';
const INVITATION = /^(?:Bearer +)?pinv_/i;
const CODE_SENT =
  'An invitation code (pinv_...) was sent in place of a token (prt_...). Exchange the code for a token first.';
