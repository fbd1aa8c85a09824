import { z } from 'zod';

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
export function wordInputIssue(issue: RawIssue): string | undefined {
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
