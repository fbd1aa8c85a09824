import { z } from 'zod';
import { fail } from '../errors.ts';
import { canonicalHash } from '../text/canonical.ts';
import { parseJson } from '../text/json-text.ts';
import { isRecord } from '../text/json-value.ts';
import { withMember } from '../text/safe-echo.ts';
import { shownValue } from '../text/shown-value.ts';
import { coerceInput } from './coerce.ts';
import { refuseInput, refuseJsonFault, validateInput } from './input.ts';
import type { JsonSchema } from './json-schema.ts';
import type { DecideEnv, Operation } from './operation.ts';

export const RequestId = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'Must be 1 to 200 visible ASCII characters.');

/**
 * The validated input of a call, and its idempotency key. A repeated call with the same key gets the answer of the
 * first call.
 */
export interface Arguments {
  readonly input: unknown;
  readonly idempotency: DecideEnv['idempotency'];
}

export interface ArgumentSource {
  readonly sessionId?: string;
  /** Raw values of the Idempotency-Key header. Ignored by operations that take no idempotency key. */
  readonly headerKeys?: readonly string[];
  /** Whether members that clients of MCP add to the arguments of the model are left out. */
  readonly isFromMcpClient?: boolean;
}

/**
 * Validates the input of a call, and reads the idempotency key from the input or from the headers.
 *
 * @throws ParleyError INVALID_INPUT or WRONG_SESSION
 */
export function readArguments<S>(operation: Operation<S>, raw: unknown, from: ArgumentSource = {}): Arguments {
  const sent = from.isFromMcpClient ? withoutClientMembers(operation.inputSchema, raw) : raw;
  const named = withOwnNames(withoutSession(sent, from.sessionId), operation.otherNames);
  const given = coerceInput(operation.inputSchema, named);
  const input = validateInput(operation.input, operation.inputSchema, given);
  return { input, idempotency: operation.findIdempotencyRecord && idempotencyOf(given, from.headerKeys ?? []) };
}

/**
 * Parses the arguments of a tool from their text.
 * @throws ParleyError INVALID_INPUT if the text is valid JSON but has a fault that Parley refuses, such as a member
 * named twice; INVALID_JSON if it is not JSON
 */
export const parseArguments = (text: string): unknown => parseJson(text, refuseJsonFault);

/** Gives members that were sent under another name their own one, unless a member of their own name was sent too. */
function withOwnNames(raw: unknown, otherNames: Operation<unknown>['otherNames']): unknown {
  if (!otherNames || !isRecord(raw)) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const own = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
      return own === undefined || Object.hasOwn(raw, own) ? [name, value] : [own, value];
    }),
  );
}

/** Members that clients add to the arguments of the model: `security_context` is of CrewAI, the others are of n8n. */
const CLIENT_MEMBERS: ReadonlySet<string> = new Set([
  'toolCallId',
  'sessionId',
  'action',
  'chatInput',
  'security_context',
]);

/**
 * Removes members that a client adds and that the model cannot leave out: those in `CLIENT_MEMBERS`, and those that begin with
 * `_`, unless the tool declares them. The input of a tool without members is always empty, because Cursor and others add one.
 */
function withoutClientMembers({ properties = {} }: JsonSchema, raw: unknown): unknown {
  if (Object.keys(properties).length === 0) return isRecord(raw) ? sessionOf(raw) : {};
  if (!isRecord(raw)) return raw;
  const isAdded = (name: string): boolean =>
    (name.startsWith('_') || CLIENT_MEMBERS.has(name)) && !Object.hasOwn(properties, name);
  return Object.keys(raw).some(isAdded)
    ? Object.fromEntries(Object.entries(raw).filter(([name]) => !isAdded(name)))
    : raw;
}

/** The member `session_id` of the raw input, which is checked also for a tool without members. */
const sessionOf = ({ session_id }: { readonly session_id?: unknown }): object =>
  session_id === undefined ? {} : { session_id };

/**
 * Removes `session_id` from an input, because clients may send it with any call. Throws WRONG_SESSION if its value differs from
 * `sessionId`.
 */
function withoutSession(raw: unknown, sessionId: string | undefined): unknown {
  if (sessionId === undefined) return raw;
  if (!isRecord(raw) || !Object.hasOwn(raw, 'session_id')) return raw;
  const { session_id, ...rest }: { session_id?: unknown } = raw;
  if (session_id !== sessionId) fail('WRONG_SESSION', 'The session_id in the input is not the session of the token.');
  return rest;
}

function idempotencyOf(given: unknown, headerKeys: readonly string[]): DecideEnv['idempotency'] {
  const { request_id, ...payload }: { request_id?: unknown } = Object(given);
  const headerKey = readHeaderKey(headerKeys);
  if (typeof request_id === 'string' && headerKey !== undefined && request_id !== headerKey) {
    refuseInput([
      {
        path: 'request_id',
        message: 'Differs from the Idempotency-Key header; send only one of them, or the same value in both.',
      },
    ]);
  }
  const key = typeof request_id === 'string' ? request_id : headerKey;
  return key === undefined ? undefined : { key, fingerprint: canonicalHash(payload) };
}

/**
 * Reads the key from the values of the Idempotency-Key header. Undefined if the request has no such header.
 * @throws ParleyError INVALID_INPUT
 */
export function readHeaderKey(values: readonly string[]): string | undefined {
  const [value, ...others] = values;
  if (value === undefined) return undefined;
  const bare = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (others.length === 0 && RequestId.safeParse(bare).success) return bare;
  const sent = others.length > 0 ? `${values.length} keys` : shownValue(bare);
  const message = `Must be one key of 1 to 200 visible ASCII characters; got ${sent}.`;
  return refuseInput([{ path: 'Idempotency-Key', message }]);
}

/**
 * Converts a query string to an input object. Leaves out names that begin with `_`, such as `_`, which clients add against caches.
 * @throws ParleyError INVALID_INPUT for a name that occurs twice
 */
export function queryInput(query: URLSearchParams): Record<string, string> {
  if (query.size === 0) return {};
  const entries = [...query].filter(([name]) => !name.startsWith('_'));
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuseInput([{ path: withMember('', twice), message: 'Is given twice.' }]);
  return Object.fromEntries(entries);
}
