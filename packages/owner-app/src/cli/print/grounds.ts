import { isRecord } from '@parley/core/json';
import { readAs } from '../../text/read-as.ts';
import { CliError } from '../exit-codes.ts';
import { isScriptAt, repeatedLine, type Settling } from '../flags/command-line.ts';
import type { Terminal } from '../terminal.ts';
import { seenIn } from './agent-names.ts';

/**
 * Throws the error again. If a decision was refused because it does not say what the owner had read, or because a record
 * has changed since, the message also shows the records as they are now, and the command that decides on them.
 */
export const rethrowWithGrounds =
  (decision: Settling, terminal: Terminal) =>
  (error: unknown): never => {
    if (!(error instanceof CliError) || !error.body) throw error;
    const { grounds, changed, head } = error.body;
    const lines = [grounds, changed].flatMap((records) => (Array.isArray(records) ? records.flatMap(groundLines) : []));
    if (lines.length === 0 || !isHead(head)) throw error;
    const repeated = { ...decision, seen: seenIn({ head }), isScript: isScriptAt(terminal) };
    const command = `  ${repeatedLine(terminal.program, repeated)}`;
    const text = [error.message, ...lines, 'To decide on this:', command].join('\n');
    throw new CliError(error.exitCode, text, error.body);
  };

// The form of a refusal is not checked where it enters the program.

const isHead = (head: unknown): head is Parameters<typeof seenIn>[0]['head'] =>
  isRecord(head) && typeof head.seq === 'number' && typeof head.hash === 'string';

function groundLines(ground: unknown): string[] {
  if (!isRecord(ground) || !isRecord(ground.record) || typeof ground.seq !== 'number') return [];
  const { type, id } = readAs(ground.record, { type: 'text', id: 'text' });
  return [`  ${type} ${id}: ${readAs(ground, { now: 'text' }).now} (event ${ground.seq})`];
}
