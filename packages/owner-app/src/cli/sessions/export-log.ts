import { type Head, PEOPLE_LOG, parseOrNull } from '@parley/core';
import { plural } from '@parley/core/text';
import type { Command } from 'commander';
import { linesOf, storedEvent } from '../../server/api/log-export.ts';
import { readAs } from '../../text/read-as.ts';
import { shellWord, visibleLine } from '../../text/visible.ts';
import { connectOwner } from '../client/owner-client.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { writeNewFile } from '../new-file.ts';
import type { Terminal } from '../terminal.ts';

export function addExportLog(program: Command, terminal: Terminal): void {
  program
    .command('export-log')
    .description('Write the log of a session as JSON lines, each event as it was hashed.')
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--out <file>', 'write to this file, which must not exist yet (default: stdout)')
    .addHelpText(
      'after',
      '\nExample:\n  parley export-log SESSION --out session.jsonl && parley verify-log session.jsonl',
    )
    .action(async (sessionId: string, { out }: { out?: string }) => {
      const client = await connectOwner(terminal);
      const logId = await client.wholeId(sessionId);
      const stream = await client.stream('exportLog', { sessionId: logId });
      await printLog(terminal, { url: client.url, logId, stream, out });
    });
}

interface Export {
  /** The address of the server, for the error message. */
  readonly url: string;
  /** The session id that each event has. The log of people has an id too. */
  readonly logId: string;
  readonly stream: AsyncIterable<Uint8Array>;
  readonly out: string | undefined;
}

/**
 * Writes an exported log to stdout. If `out` is given, writes the log to that file and prints the head of the log.
 *
 * @throws CliError with the exit code REFUSED at the first line that is no event, or if the log is of another session
 */
export async function printLog(terminal: Terminal, { out, ...log }: Export): Promise<void> {
  const head: Head = { seq: 0, hash: '' };
  const lines = checkedLines(log, head);
  if (!out) for await (const line of lines) await terminal.write(line);
  else printHead(terminal, await writeNewFile(out, lines), head);
}

/** Yields the lines of a log, and sets `head` to the last of them. */
async function* checkedLines(
  { url, logId, stream }: Omit<Export, 'out'>,
  head: { seq: number; hash: string },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of linesOf(stream)) {
    const { hash, body } = storedEvent(line, head.seq + 1);
    if (hash === '' || (head.seq === 0 && readAs(parseOrNull(body), { session_id: 'text' }).session_id !== logId))
      refuse(url);
    head.seq += 1;
    head.hash = hash;
    yield encoder.encode(`${line}\n`);
  }
  // The log of a session begins with its creation.
  if (head.seq === 0 && logId !== PEOPLE_LOG.sessionId) refuse(url);
}

function refuse(url: string): never {
  throw new CliError(
    EXIT.REFUSED,
    `The server at ${url} is not a Parley server: its answer is not the log that was asked for. Check PARLEY_URL.`,
  );
}

function printHead({ out, program }: Terminal, path: string, { seq, hash }: Head): void {
  out(`Wrote ${path}: ${plural(seq, 'event')}, head ${seq}:${hash}`);
  out('Keep the head of the log. With the head, verify-log also finds events that are missing at the end:');
  out(`  ${program} verify-log ${shellWord(path)} --head ${visibleLine(shellWord(`${seq}:${hash}`))}`);
}
