import type { JsonSchema } from '@parley/core';
import { InvalidArgumentError } from 'commander';
import type { Words } from './word-option.ts';

/** What a flag takes, as a command line can write it. */
export interface FlagKind {
  /** Between the angle brackets of the help; none for a switch. */
  readonly placeholder?: string;
  /** Added to the description. */
  readonly note?: string;
  readonly taken?: Words;
  readonly parse?: (text: string, previous: unknown) => unknown;
}

/** Numbers, words, lists of words with commas, texts that may be repeated, and JSON for whatever is deeper. */
export function kindOf(property: JsonSchema): FlagKind {
  const schema = simplest(property);
  switch (schema.type) {
    case 'boolean':
      return {};
    case 'integer':
    case 'number':
      return { placeholder: 'number', parse: parseNumber };
    case 'array':
      return listKind(schema);
    case 'object':
      return { placeholder: 'json', parse: parseJson };
    default: {
      const words = wordsOf(schema);
      return words ? { placeholder: 'word', taken: { words } } : { placeholder: 'text' };
    }
  }
}

/** A union shows the branch that a command line can write best: a list, else the first. */
function simplest(schema: JsonSchema): JsonSchema {
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null');
  return branches ? (branches.find(({ type }) => type === 'array') ?? branches[0] ?? {}) : schema;
}

function listKind({ items = {}, minItems }: JsonSchema): FlagKind {
  const words = wordsOf(items);
  if (words) {
    const mayBeNone = !minItems;
    return {
      placeholder: 'list',
      taken: { words, isList: true, mayBeNone },
      parse: (text) => (mayBeNone && text === 'none' ? [] : parseWords(text, words)),
    };
  }
  if (items.type === 'string') return { placeholder: 'text', note: '(may be repeated)', parse: addText };
  return { placeholder: 'json', parse: parseJson };
}

const wordsOf = ({ enum: words }: JsonSchema): string[] | undefined =>
  Array.isArray(words) ? words.map(String) : undefined;

const addText = (text: string, previous: unknown): unknown[] => [...(Array.isArray(previous) ? previous : []), text];

export function parseNumber(text: string): number {
  if (/^-?\d{1,15}(\.\d{1,10})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A number is expected.');
}

function parseWords(text: string, words: readonly string[]): string[] {
  const given = text.split(',').map((word) => word.trim());
  const wrong = given.find((word) => !words.includes(word));
  if (wrong === undefined) return given;
  throw new InvalidArgumentError(`"${wrong}" is none of ${words.join(', ')}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('JSON is expected.');
  }
}
