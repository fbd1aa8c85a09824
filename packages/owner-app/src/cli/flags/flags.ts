import type { JsonSchema } from '@parley/core';
import { Option } from 'commander';
import { z } from 'zod';
import { type FlagKind, kindOf } from './flag-kinds.ts';
import { WordOption } from './reference.ts';

/** The description of a flag whose member has no description in its schema, by the name of the member. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['candidate', 'The agent that becomes the Contract Author.'],
  ['decision', 'Whether you accept the recommendation of the moderator.'],
  ['defect_id', 'Id of the defect, such as def_1.'],
  ['end_reason', 'Whether the work is completed or cancelled.'],
  ['finding_id', 'Id of the finding, such as f_3.'],
  ['format', 'Form of the contract in the answer.'],
  ['hold_id', 'Id of the hold, as `parley view SESSION` shows it.'],
  ['intervention_id', 'Id of the question or directive, as `parley view SESSION` shows it.'],
  ['priority', 'How urgent the question or directive is.'],
  ['question_id', 'Id of the question, such as q_7.'],
  ['recommendation_id', 'Id of the recommendation, such as rec_1.'],
  ['revision_id', 'Id of the revision, such as r_3.'],
  ['role', 'Role of the agent.'],
  ['scenario_id', 'Id of the scenario, which is the id of a test of the contract.'],
  ['target', 'The agent that gets the task.'],
  ['text', 'The text for the agents.'],
  ['title', 'What the session is about.'],
]);

/**
 * The flags for one member of an input. A boolean has `--name` and `--no-name`, a member given to `switchesOf` has a
 * switch for each word that the member accepts, and any other member has one flag.
 */
export interface InputFlag {
  readonly member: string;
  readonly options: readonly Option[];
  /** The words that the member accepts, in the order of `options`. Absent if words have no switches of their own. */
  readonly words?: readonly string[];
}

/**
 * Creates one switch for each word that a member accepts: `--html` replaces `--format html`.
 *
 * @param purposes the descriptions of the switches, by word
 */
export function switchesOf(member: string, purposes: Readonly<Record<string, string>>): InputFlag {
  const words = Object.keys(purposes);
  const options = Object.entries(purposes).map(([word, purpose]) =>
    new Option(`--${word}`, purpose).conflicts(words.filter((other) => other !== word)),
  );
  return { member, options, words };
}

/** The flag for a member of an input: `--end-reason` for `end_reason`. */
export const longFlag = (member: string): string => `--${member.replaceAll('_', '-')}`;

/**
 * Creates the flags for the members of an input. The flag for the member `end_reason` is `--end-reason <word>`. A secret has none.
 */
export function flagsOf(input: z.ZodType): InputFlag[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
  const shown = Object.entries(properties).filter(([, { writeOnly }]) => writeOnly !== true);
  return shown.map(([member, property]) => {
    const description = typeof property.description === 'string' ? property.description : (PURPOSES.get(member) ?? '');
    const options = optionsOf(longFlag(member), description, kindOf(property, member));
    return { member, options: options.map((option) => option.makeOptionMandatory(required.includes(member))) };
  });
}

/** Makes mandatory flags optional. */
export function makeOptional(flags: readonly InputFlag[]): void {
  for (const option of flags.flatMap(({ options }) => options)) option.makeOptionMandatory(false);
}

/** Converts the values of flags to an input. A flag that was not given adds no member. */
export function inputOf(
  flags: readonly InputFlag[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = flags.flatMap(({ member, options, words }) => {
    const value = words
      ? words.find((_, index) => values[options[index]?.attributeName() ?? ''] === true)
      : options[0] && values[options[0].attributeName()];
    return value === undefined ? [] : [[member, value]];
  });
  return Object.fromEntries(given);
}

function optionsOf(long: string, purpose: string, { placeholder, note, taken, parse }: FlagKind): Option[] {
  if (!placeholder) return [new Option(long, purpose), new Option(`--no-${long.slice(2)}`).hideHelp()];
  const flag = `${long} <${placeholder}>`;
  if (taken && !taken.isList) return [new Option(flag, purpose).choices(taken.words)];
  const option = taken
    ? new WordOption(flag, purpose, taken)
    : new Option(flag, [purpose, note].filter(Boolean).join(' '));
  return [parse ? option.argParser(parse) : option];
}
