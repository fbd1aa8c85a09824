import type { JsonSchema } from '@parley/core';
import { readJsonFile } from '@parley/core/json';
import { InvalidArgumentError } from 'commander';
import type { Words } from './reference.ts';

/** How the help shows the value of a flag, and how the value is parsed. */
export interface FlagKind {
  /** The text between the angle brackets in the help. Absent for a switch. */
  readonly placeholder?: string;
  /** A text that is added to the flag's description. */
  readonly note?: string;
  readonly taken?: Words;
  readonly parse?: (text: string, previous: unknown) => unknown;
}

/**
 * Returns how the help shows the value of a flag and how the value is parsed, depending on the schema of the value.
 * @param member name of the value in the input
 */
export function kindOf(property: JsonSchema, member = ''): FlagKind {
  const schema = simplest(property);
  switch (schema.type) {
    case 'boolean':
      return {};
    case 'integer':
    case 'number':
      return { placeholder: 'number', parse: parseNumber };
    case 'array':
      return listKind(schema, member);
    case 'object':
      return { placeholder: 'json', parse: parseJson };
    default: {
      const words = wordsOf(schema);
      return words ? { placeholder: 'word', taken: { words } } : { placeholder: 'text' };
    }
  }
}

/**
 * Simplifies the schema of a union: returns its alternative that is an array or, if there is none, its first
 * alternative that is not null. Returns any other schema unchanged.
 */
function simplest(schema: JsonSchema): JsonSchema {
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null');
  return branches ? (branches.find(({ type }) => type === 'array') ?? branches[0] ?? {}) : schema;
}

function listKind({ items = {}, minItems }: JsonSchema, member: string): FlagKind {
  const words = wordsOf(items);
  if (words) {
    const mayBeNone = !minItems;
    return {
      placeholder: 'list',
      taken: { words, isList: true, mayBeNone },
      parse: (text) => (mayBeNone && text === 'none' ? [] : parseWords(text, words)),
    };
  }
  if (NAMES.has(member))
    return { placeholder: 'list', note: '(separated by commas; may be repeated)', parse: addNames };
  if (items.type === 'string') return { placeholder: 'text', note: '(may be repeated)', parse: addText };
  return { placeholder: 'json', parse: parseJson };
}

/** Members whose texts are names without commas, so that a flag accepts several names, separated by commas. */
const NAMES: ReadonlySet<string> = new Set(['sections']);

const addNames = (text: string, previous: unknown): unknown[] => [
  ...(Array.isArray(previous) ? previous : []),
  ...text.split(',').map((name) => name.trim()),
];

const wordsOf = ({ enum: words }: JsonSchema): string[] | undefined =>
  Array.isArray(words) ? words.map(String) : undefined;

const addText = (text: string, previous: unknown): unknown[] => [...(Array.isArray(previous) ? previous : []), text];

export function parseNumber(text: string): number {
  if (/^-?\d{1,15}(\.\d{1,10})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number.');
}

export function parseWords(text: string, words: readonly string[]): string[] {
  const given = text.split(',').map((word) => word.trim());
  const wrong = given.find((word) => !words.includes(word));
  if (wrong === undefined) return given;
  throw new InvalidArgumentError(`"${wrong}" is not one of ${words.join(', ')}.`);
}

function parseJson(text: string): unknown {
  const { value, fault } = readJsonFile(text);
  if (fault === undefined) return value;
  throw new InvalidArgumentError(`It ${fault}.`);
}
