import type { JsonSchema } from '@parley/core';
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { kebabCase } from '../api/kebab.ts';

/** A flag for one member of an input. */
export interface InputFlag {
  /** The member of the input it fills. */
  readonly member: string;
  readonly options: readonly Option[];
}

/**
 * The flags of a command, from the schema of its input: `end_reason` becomes `--end-reason <text>`.
 * Lists of words take commas, lists of texts take the flag again, a boolean also has its `--no-` form, and whatever
 * is deeper is JSON.
 */
export function flagsOf(input: z.ZodType): InputFlag[] {
  const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
  return Object.entries(schema.properties ?? {}).map(([member, property]) => ({
    member,
    options: optionsOf(
      `--${kebabCase(member).replaceAll('_', '-')}`,
      property,
      schema.required?.includes(member) === true,
    ),
  }));
}

/** The values that a parsed command line holds, by member name; what was not given is absent. */
export function inputOf(
  flags: readonly InputFlag[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = flags.flatMap(({ member, options }) => {
    const value = options[0] && values[options[0].attributeName()];
    return value === undefined ? [] : [[member, value]];
  });
  return Object.fromEntries(given);
}

function optionsOf(long: string, property: JsonSchema, isRequired: boolean): Option[] {
  const schema = simplest(property);
  const description = typeof property.description === 'string' ? property.description : '';
  if (schema.type === 'boolean')
    return [new Option(long, description), new Option(long.replace('--', '--no-')).hideHelp()];
  const option = new Option(`${long} <${placeholder(schema)}>`, describe(description, schema)).makeOptionMandatory(
    isRequired,
  );
  const words = wordsOf(schema);
  if (words && schema.type !== 'array') return [option.choices(words)];
  return [option.argParser(parserOf(schema))];
}

/** A union shows the branch that a command line can write best: a list, else the first. */
function simplest(schema: JsonSchema): JsonSchema {
  const branches = schema.anyOf?.filter(({ type }) => type !== 'null');
  return branches ? (branches.find(({ type }) => type === 'array') ?? branches[0] ?? {}) : schema;
}

const wordsOf = (schema: JsonSchema): string[] | undefined => {
  const words = schema.type === 'array' ? schema.items?.enum : schema.enum;
  return Array.isArray(words) ? words.map(String) : undefined;
};

function placeholder(schema: JsonSchema): string {
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return wordsOf(schema) ? 'list' : isTextList(schema) ? 'text' : 'json';
  if (schema.type === 'object') return 'json';
  return wordsOf(schema) ? 'word' : 'text';
}

const isTextList = (schema: JsonSchema): boolean => schema.items?.type === 'string';

function describe(description: string, schema: JsonSchema): string {
  if (schema.type !== 'array') return description;
  const words = wordsOf(schema);
  const form = words ? `(any of ${words.join(',')})` : isTextList(schema) ? '(may be repeated)' : '';
  return `${description} ${form}`.trim();
}

function parserOf(schema: JsonSchema): (text: string, previous: unknown) => unknown {
  if (schema.type === 'integer' || schema.type === 'number') return parseNumber;
  if (schema.type === 'array' && wordsOf(schema)) return (text) => parseWords(text, wordsOf(schema) ?? []);
  if (schema.type === 'array' && isTextList(schema))
    return (text, previous) => [...(Array.isArray(previous) ? previous : []), text];
  return schema.type === 'array' || schema.type === 'object' ? parseJson : (text) => text;
}

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
