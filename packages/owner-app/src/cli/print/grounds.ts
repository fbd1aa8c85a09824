import { membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import { CliError } from '../exit-codes.ts';
import { repeatedLine, type Settling } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { seenIn } from './agent-names.ts';

/**
 * Throws the error again. If a decision was refused because it does not say what the owner had read, or because a record
 * has changed since, the message also shows the records as they are now, and the command that decides on them.
 */
export const rethrowWithGrounds =
  (decision: Settling, { program }: Terminal) =>
  (error: unknown): never => {
    if (!(error instanceof CliError) || !error.body) throw error;
    const { body } = error;
    const records = [...recordsIn(body, 'grounds'), ...recordsIn(body, 'changed')];
    const seen = seenIn(body);
    if (records.length === 0 || seen.seen === undefined) throw error;
    const lines = records.map((one) => {
      const record = membersOf(one.record);
      return `  ${textIn(record, 'type')} ${textIn(record, 'id')}: ${textIn(one, 'now')} (event ${numberIn(one, 'seq')})`;
    });
    const command = `  ${repeatedLine(program, { ...decision, seen })}`;
    const text = [error.message, ...lines, 'To decide on this:', command].join('\n');
    throw new CliError(error.exitCode, text, body);
  };
