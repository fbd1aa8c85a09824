import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** What is said of a fault for which the contract's shape itself has no words. */
export function wordIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return expectation(issue.input, typeText(issue.expected));
    case 'invalid_value':
      return expectation(issue.input, issue.values.map((value) => JSON.stringify(value)).join(' or '));
    case 'invalid_union':
      return expectation(issue.input, issue.errors.flatMap(expectedTypes).join(' or '));
    case 'too_big':
      return issue.origin === 'array'
        ? `Must have at most ${issue.maximum} items.`
        : `Must be at most ${issue.maximum}.`;
    case 'too_small':
      return `Must be at least ${issue.minimum}.`;
    default:
      return undefined;
  }
}

const expectation = (input: unknown, expected: string): string =>
  input === undefined ? `Missing; must be ${expected}.` : `Must be ${expected}.`;

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
