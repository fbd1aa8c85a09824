import { z } from 'zod';
import { fail } from '../errors.ts';
import { canonicalHash } from '../text/hash.ts';
import { type Path, parseJson, readJson } from '../text/json-reading.ts';
import { isRecord } from '../text/json-value.ts';
import { withMember } from '../text/safe-echo.ts';
import { refuseInput, refuseJsonFault, shownValue, validateInput } from './input.ts';
import type { JsonSchema } from './json-schema.ts';
import type { DecideEnv, Operation } from './operation.ts';

/**
 * Converts an input to the types that its published schema declares, before it is validated. In an optional member, null
 * and an empty string count as absent. If the schema declares an object, array, number or boolean, a string is parsed, because a
 * query contains only text and some clients send JSON as text.
 *
 * @throws ParleyError INVALID_INPUT for a string that is JSON with a fault, such as a member named twice
 */
export const coerceInput = (schema: JsonSchema, value: unknown): unknown => createReader()(schema, value);

/**
 * Returns a function like `coerceInput`, for several values of one body. After `MAX_MALFORMED` texts in these values
 * together were not valid JSON, the function parses no further text as JSON.
 */
export function createReader(): (schema: JsonSchema, value: unknown, at?: Path) => unknown {
  const reading: Reading = { malformed: 0, path: [] };
  return (schema, value, at = []) => {
    reading.path = [...at];
    return coerce(schema, value, reading);
  };
}

/**
 * Maximum number of failed attempts to parse a text in one body. Later texts are not parsed, because a body with 50,000
 * malformed texts would take 2.5 s.
 */
const MAX_MALFORMED = 20;

interface Reading {
  /** Number of texts that were not valid JSON. */
  malformed: number;
  /** Path of the value that is being converted. */
  path: (string | number)[];
}

function coerce(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (schema.anyOf) return coerceAnyOf(schema.anyOf, value, reading);
  if (typeof value === 'string') return coerceText(schema, value, reading);
  return coerceInside(schema, value, reading);
}

function coerceInside(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (isRecord(value) && schema.properties) return coerceMembers(schema, value, reading);
  const { items } = schema;
  return Array.isArray(value) && items ? coerceItems(items, value, reading) : value;
}

function coerceItems(schema: JsonSchema, items: readonly unknown[], reading: Reading): readonly unknown[] {
  const coerced = items.map((item, index) => coerceAt(index, schema, item, reading));
  return coerced.every((item, index) => item === items[index]) ? items : coerced;
}

function coerceAt(place: string | number, schema: JsonSchema, value: unknown, reading: Reading): unknown {
  reading.path.push(place);
  const coerced = coerce(schema, value, reading);
  reading.path.pop();
  return coerced;
}

/** Converts the members of an object. If no member changes, returns the object itself. */
function coerceMembers(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  reading: Reading,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const declared = ownMember(schema.properties, name);
    if (!declared) continue;
    const member = value[name];
    const isLeftOut = !schema.required?.includes(name) && isAbsent(declared, member);
    const coerced = isLeftOut ? undefined : coerceAt(name, declared, member, reading);
    if (!isLeftOut && coerced === member) continue;
    changed ??= { ...value };
    if (isLeftOut) delete changed[name];
    else changed[name] = coerced;
  }
  return changed ?? value;
}

/** Whether a client sent this value in place of leaving out an optional member: null or an empty text. */
const isAbsent = (declared: JsonSchema, member: unknown): boolean =>
  (member === null || member === '') && !isAnyValue(declared);

/** Whether a schema declares no type. Such a schema accepts every value, also null. */
const isAnyValue = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => keyword === 'description');

const ownMember = (properties: JsonSchema['properties'], name: string): JsonSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

function coerceAnyOf(branches: readonly JsonSchema[], value: unknown, reading: Reading): unknown {
  const kind = kindOf(value);
  const branch = branches.find(({ type }) => type === kind);
  if (branch) return kind === 'string' ? value : coerceInside(branch, value, reading);
  if (typeof value !== 'string') return value;
  for (const schema of branches) {
    const coerced = coerceText(schema, value, reading);
    if (coerced !== value) return coerced;
  }
  return value;
}

/**
 * Converts a text to the declared type. If that is not possible, returns the text itself; the validation then reports the
 * value that the client sent.
 */
function coerceText(schema: JsonSchema, text: string, reading: Reading): unknown {
  switch (schema.type) {
    case 'object':
      return /^\s*\{/.test(text) ? coerceParsed(schema, text, reading) : text;
    case 'array':
      return /^\s*\[/.test(text) ? coerceParsed(schema, text, reading) : text;
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    default:
      return text;
  }
}

function coerceParsed(schema: JsonSchema, text: string, reading: Reading): unknown {
  if (reading.malformed === MAX_MALFORMED) return text;
  const { value, fault, malformed } = readJson(text, { at: reading.path });
  if (malformed === undefined) return fault ? refuseJsonFault(fault) : coerceInside(schema, value, reading);
  reading.malformed += 1;
  return text;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

export const RequestId = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'Must be 1 to 200 visible ASCII characters.');

/**
 * The validated input of a call, and its idempotency key. A repeated call with the same key gets the answer of the
 * first call.
 */
export interface Arguments {
  readonly input: unknown;
  readonly idempotency: DecideEnv['idempotency'];
}

interface ArgumentSource {
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
