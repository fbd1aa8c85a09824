import { kebabCase } from '@parley/core/routes';
import type { Command } from 'commander';
import type { Json } from '../../text/read-as.ts';
import { visibleLine } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { NAMED_RECORDS } from '../flags/command-line.ts';
import { type InputFlag, longFlag, makeOptional } from '../flags/flags.ts';

/**
 * Adds the id of the record as the second argument of a command on one record. The flag for the id becomes optional.
 *
 * @returns the id for the example in the help. Empty for other operations
 */
export function addRecordArgument(command: Command, operation: string, flags: readonly InputFlag[]): string {
  const record = NAMED_RECORDS.get(operation);
  if (!record) return '';
  const { member, sample } = record;
  command.argument('[record_id]', `id of the record, such as ${sample}, in place of ${longFlag(member)}`);
  makeOptional(flags.filter((flag) => flag.member === member));
  return sample;
}

/**
 * Adds the id that was given after the session to the input of an operation on one record.
 *
 * @throws CliError with the exit code USAGE if no record is named, or two different records
 */
export function withRecord(operation: string, input: Json, given: string | undefined): Json {
  const record = NAMED_RECORDS.get(operation);
  if (!record) return input;
  const { member, sample } = record;
  const flagged = input[member];
  if (given !== undefined && flagged !== undefined && given !== flagged)
    throw new CliError(
      EXIT.USAGE,
      `Name only one record: ${visibleLine(given)}, or ${longFlag(member)} ${visibleLine(String(flagged))}.`,
    );
  const id = given ?? flagged;
  if (id === undefined)
    throw new CliError(
      EXIT.USAGE,
      `Name the record after the session, such as: parley ${kebabCase(operation)} SESSION ${sample}`,
    );
  return { ...input, [member]: id };
}
