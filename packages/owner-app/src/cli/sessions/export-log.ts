import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Head } from '@parley/core';
import type { Command } from 'commander';
import { readLogLines } from '../../server/api/log-lines.ts';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { plural } from '../../text/counted.ts';
import { shellWord } from '../../text/shell-word.ts';
import { visibleLine } from '../../text/visible.ts';
import { connectOwner } from '../client/owner-client.ts';
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
    .action(async (given: string, { out }: { out?: string }) => {
      const client = await connectOwner(terminal);
      const sessionId = await client.wholeId(given);
      await printLog(terminal, await client.stream(OWNER_ROUTES.log, { sessionId }), out);
    });
}

/** Writes an exported log to stdout. If `out` is given, writes the log to that file and prints the head of the log. */
export async function printLog(
  terminal: Terminal,
  stream: AsyncIterable<Uint8Array>,
  out: string | undefined,
): Promise<void> {
  const body = Readable.from(stream);
  if (out) await writeLog(terminal, body, out);
  else for await (const chunk of body) await terminal.write(chunk);
}

async function writeLog(terminal: Terminal, body: Readable, out: string): Promise<void> {
  const path = await writeNewFile(out, body);
  const head = await headOf(path);
  const { program } = terminal;
  terminal.out(`Wrote ${path}: ${plural(head.seq, 'event')}, head ${head.seq}:${head.hash}`);
  terminal.out('Keep the head of the log. With the head, verify-log also finds events that are missing at the end:');
  terminal.out(
    `  ${program} verify-log ${shellWord(path)} --head ${visibleLine(shellWord(`${head.seq}:${head.hash}`))}`,
  );
}

async function headOf(path: string): Promise<Head> {
  let head: Head = { seq: 0, hash: '' };
  for await (const { seq, hash } of readLogLines(createReadStream(path))) head = { seq, hash };
  return head;
}
