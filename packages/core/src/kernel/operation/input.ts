import { z } from 'zod';
import { ParleyError } from '../errors.ts';
import { type JsonFault, plainJson } from '../text/json-reading.ts';
import { countCharacters } from '../text/readable.ts';
import { placeText, quotedName } from '../text/safe-echo.ts';
import { type JsonSchema, publishedSchema } from './json-schema.ts';

const SHOWN_CHARS = 40;

/** Appends the refused value, or its length, to the text of an error: `Must be a number; got "abc".` An empty text is left out. */
function withValue({ code, message }: z.core.$ZodIssue, value: unknown): string {
  if (code === 'custom' || value === '') return message;
  const isLength = code === 'too_big' || code === 'too_small';
  return `${message.replace(/\.$/, '')}; got ${(isLength ? lengthOf(value) : undefined) ?? shownValue(value)}.`;
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return countCharacters(value);
  return Array.isArray(value) ? value.length : undefined;
}

/** Makes a value from a request safe for an error message. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return `${quotedName(value, SHOWN_CHARS)}${value.length > SHOWN_CHARS ? '…' : ''}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

type RawIssue = z.core.$ZodRawIssue;

/**
 * Returns a text that states the valid values, for a fault whose schema has no message. Undefined for a kind of fault
 * for which there is no such text.
 */
export function wordIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return expectation(issue.input, typeText(issue.expected));
    case 'invalid_value':
      return expectation(issue.input, issue.values.map((value) => JSON.stringify(value)).join(' or '));
    case 'invalid_union':
      return expectation(issue.input, issue.errors.flatMap(expectedTypes).join(' or '));
    case 'too_big':
      return boundText(issue.origin, 'at most', issue.maximum);
    case 'too_small':
      return boundText(issue.origin, 'at least', issue.minimum);
    default:
      return undefined;
  }
}

/**
 * Like `wordIssue`, for the input of an operation. If a number is expected and the value has another type, the text
 * also states the range of the number.
 */
function wordInputIssue(issue: RawIssue): string | undefined {
  const { code, inst } = issue;
  return code === 'invalid_type' && inst instanceof z.ZodNumber ? `Must be ${numberText(inst)}.` : wordIssue(issue);
}

const expectation = (input: unknown, expected: string): string =>
  input === undefined ? `Missing; must be ${expected}.` : `Must be ${expected}.`;

const COUNTED: ReadonlyMap<string, string> = new Map([
  ['array', 'item'],
  ['string', 'character'],
]);

function boundText(origin: string, which: string, bound: number | bigint): string {
  const counted = COUNTED.get(origin);
  return counted ? `Must have ${which} ${bound} ${counted}${bound === 1 ? '' : 's'}.` : `Must be ${which} ${bound}.`;
}

function numberText({ isInt, minValue, maxValue }: z.ZodNumber): string {
  const kind = isInt ? 'a whole number' : 'a number';
  const [min, max] = [boundOf(minValue), boundOf(maxValue)];
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} of at most ${max}`;
}

/** The minimum or maximum of a number. Undefined for the bounds of safe integers, because zod adds them to every whole number. */
const boundOf = (value: number | null): number | undefined =>
  value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

const TYPE_TEXTS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['boolean', 'true or false'],
  ['number', 'a number'],
  ['int', 'a whole number'],
]);

const typeText = (type: string): string => TYPE_TEXTS.get(type) ?? type;

const expectedTypes = (branch: readonly z.core.$ZodIssue[]): string[] =>
  branch.flatMap((issue) => (issue.code === 'invalid_type' ? [typeText(issue.expected)] : []));

/** One fault of an input: the path of the faulty value, and a text that states the valid values. */
interface InputIssue {
  readonly path: string;
  readonly message: string;
}

const MAX_ISSUES = 20;

/**
 * Validates an input against its schema, and returns it.
 *
 * @throws ParleyError INVALID_INPUT; each entry of `issues[]` states the valid values of a member and the value that was sent
 */
export function validateInput<T>(schema: z.ZodType<T>, published: JsonSchema, input: unknown): T {
  const result = schema.safeParse(input, { error: wordInputIssue });
  if (result.success) return result.data;
  const faults = result.error.issues.filter(isOfItsOwn);
  const given = { published, input, named: new Set<string>() };
  const described = faults.flatMap((issue) => describe(issue, given));
  const issues = described.slice(0, MAX_ISSUES).map((wordIssue) => wordIssue());
  return refuse(issues, described.length);
}

/**
 * Validates the input of a call in process, and returns it. A missing input counts as an empty object.
 *
 * @throws ParleyError INVALID_INPUT
 */
export const readInput = <T>(input: z.ZodType<T>, raw: unknown): T =>
  validateInput(input, publishedSchema(input), plainJson(raw ?? {}));

export const refuseInput = (issues: readonly InputIssue[]): never => refuse(issues, issues.length);

/** Refuses a value that was sent as JSON text, because of a fault of that text. */
export const refuseJsonFault = ({ path, what, remedy }: JsonFault): never =>
  refuseInput([{ path: path || 'input', message: `${what.charAt(0).toUpperCase()}${what.slice(1)}; ${remedy}.` }]);

/** The error of an invalid input. Its body names at most the first 20 faults. */
export class InvalidInput extends ParleyError {
  constructor(
    issues: readonly InputIssue[],
    /** Number of faults in the input. */
    readonly issuesTotal: number,
  ) {
    const [first] = issues;
    const more = issuesTotal > 1 ? ` (and ${issuesTotal - 1} more)` : '';
    const message = first ? `${first.path}: ${first.message}${more}` : 'The input is not valid.';
    super('INVALID_INPUT', message, { issues: issues.slice(0, MAX_ISSUES) });
  }
}

/** Runs a check of one member of the input. If the check throws, adds `issues[]` with the path of the member to the error. */
export function forMember<T>(path: string, rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof ParleyError) || error.details.issues !== undefined) throw error;
    const { code, message, details } = error;
    throw new ParleyError(code, `${path}: ${message}`, { ...details, issues: [{ path, message }] }, { cause: error });
  }
}

function refuse(issues: readonly InputIssue[], total: number): never {
  throw new InvalidInput(issues, total);
}

type ZodIssue = z.core.$ZodIssue;

/**
 * False for an issue that only repeats another issue of the same value. Examples: a value of the wrong type that also has
 * the wrong length; a number beyond the range of a double that also exceeds the maximum of the member.
 */
function isOfItsOwn({ code, path }: ZodIssue, index: number, issues: readonly ZodIssue[]): boolean {
  if (code !== 'too_big' && code !== 'too_small') return true;
  const isHere = (other: ZodIssue | undefined): boolean =>
    other !== undefined && pathText(other.path) === pathText(path);
  const [before, after] = [issues[index - 1], issues[index + 1]];
  if (before?.code === 'invalid_type' && isHere(before)) return false;
  return after?.code !== code || !isHere(after);
}

interface Given {
  readonly published: JsonSchema;
  readonly input: unknown;
  /** The lists of known members that messages of the same answer already contain. */
  readonly named: Set<string>;
}

/**
 * Returns, for each fault of an issue, a function that makes the text of the fault. A body can contain thousands of
 * unknown names, so texts are made only for the faults that the answer shows.
 */
function describe(issue: ZodIssue, given: Given): (() => InputIssue)[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => () => unknownKey(key, issue.path, given));
  if (isMissing(given.input, issue.path)) return [() => ({ path: pathText(issue.path), message: 'Is required.' })];
  if (issue.code === 'invalid_union') {
    const [fault] = closestBranch(issue.errors);
    if (fault) return describe({ ...fault, path: [...issue.path, ...fault.path] }, given);
  }
  const worded = { ...issue, message: ofWhat(issue, given) };
  // No answer contains a secret, even if it is not valid.
  const isSecret = schemaAt(given.published, issue.path).writeOnly === true;
  const value = isSecret ? '***' : valueAt(given.input, issue.path);
  return [() => ({ path: pathText(issue.path), message: withValue(worded, value) })];
}

const MOST_MEMBERS = 10;

/** The message of an issue. If an object is expected, says what the object has: its members, or its description. */
function ofWhat({ code, message, path }: ZodIssue, { published }: Given): string {
  if (code !== 'invalid_type' || message !== 'Must be an object.' || path.length === 0) return message;
  const { properties = {}, description } = schemaAt(published, path);
  const members = Object.keys(properties);
  if (members.length > 0 && members.length <= MOST_MEMBERS) return `Must be an object with ${members.join(', ')}.`;
  return members.length === 0 && description ? `Must be an object: ${description}.` : message;
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => Reflect.get(Object(value), part), input);

/** Whether the input has no value at the path. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return true;
    value = Reflect.get(value, part);
  }
  return value === undefined;
}

/**
 * The faults of the branch of a union that is closest to the value: among the branches that accept the value's type, the branch
 * with the fewest faults.
 */
function closestBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
  const isOtherType = ({ code, path }: ZodIssue): boolean => code === 'invalid_type' && path.length === 0;
  const met = branches.filter((faults) => !faults.some(isOtherType));
  return met.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function unknownKey(key: string, path: readonly PropertyKey[], { published, named }: Given): InputIssue {
  const known = Object.keys(schemaAt(published, path).properties ?? {});
  return { path: pathText([...path, key]), message: unknownMember(key, known, named) };
}

/**
 * The message about an unknown member. Suggests a known member with a similar name. If there is none, lists the known
 * members, unless `named` contains that list.
 *
 * @param named the lists that earlier messages of the same answer contain; this function adds its own
 */
export function unknownMember(key: string, known: readonly string[], named: Set<string>): string {
  const nearest = nearestName(key, known);
  return nearest ? `Unknown member; did you mean "${nearest}"?` : `Unknown member${knownOnce(known, named)}.`;
}

export function knownOnce(known: readonly string[], named: Set<string>): string {
  const list = known.join(', ') || 'none';
  if (named.has(list)) return '';
  named.add(list);
  return `; known are: ${list}`;
}

const pathText = (path: readonly PropertyKey[]): string => placeText(path) || 'input';

export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((node, part) => memberSchema(node, part) ?? {}, schema);
}

function memberSchema(node: JsonSchema, part: PropertyKey): JsonSchema | undefined {
  const branches = node.anyOf ?? [node];
  const found = branches.map((branch) => (typeof part === 'number' ? branch.items : branch.properties?.[String(part)]));
  const member = found.find((schema) => schema !== undefined);
  return member?.anyOf?.find(({ properties }) => properties) ?? member;
}

/** The known name that is nearest to the given name; undefined if more than two edits are needed. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name.slice(0, 64), candidate) }));
  const best = ranked.toSorted((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= 2 ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? a.length;
}
