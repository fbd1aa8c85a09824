import { type Head, type LogReport, PEOPLE_LOG, parseOrNull, verifyLog } from '@parley/core';
import type { Answer } from '@parley/core/client';
import { counted, plural } from '@parley/core/text';
import { type Command, InvalidArgumentError } from 'commander';
import { openRegularFile } from '../../server/access/owner-key.ts';
import { readLogLines, storedEvent } from '../../server/api/log-stream.ts';
import { linesOf } from '../../text/event-stream.ts';
import { readAs } from '../../text/read-as.ts';
import { jsonText, shellWord, visibleLine } from '../../text/visible.ts';
import { isSessionPrefix, isWholeSessionId } from '../client/lists.ts';
import { connectOwner } from '../client/owner-client.ts';
import { CliError, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import { writeNewFile } from '../files.ts';
import { printAnswer, withJson } from '../print/answer.ts';
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
  throw commandFailed(
    `The server at ${url} is not a Parley server: its answer is not the log that was asked for. Check PARLEY_URL.`,
  );
}

function printHead({ out, program }: Terminal, path: string, { seq, hash }: Head): void {
  out(`Wrote ${path}: ${plural(seq, 'event')}, head ${seq}:${hash}`);
  out('Keep the head of the log. With the head, verify-log also finds events that are missing at the end:');
  out(`  ${program} verify-log ${shellWord(path)} --head ${visibleLine(shellWord(`${seq}:${hash}`))}`);
}

type Report = LogReport | Answer<'verifyLog'>;

/** Adds `parley verify-log`, which computes every hash on this machine, so that the server need not be trusted. */
export function addVerifyLog(program: Command, terminal: Terminal): void {
  const command = program
    .command('verify-log')
    .description(
      'Check the log of a session or an exported file: the hash of every event, and the chain of these hashes.',
    )
    .argument('<file_or_session_id>', 'a file that export-log wrote, or a session')
    .option(
      '--head <seq:hash>',
      'a head that you stored earlier; needed to detect missing events at the end of the log',
      parseHead,
    )
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  parley verify-log SESSION\n  parley verify-log session.jsonl --head 128:9f86d0…',
    );
  command.action(async (target: string, { head, json }: { head?: Head; json?: boolean }) => {
    const report = await reportOn(terminal, target, head);
    const isEmpty = report.events === 0 && !report.fault;
    if (isEmpty) {
      if (json) terminal.out(jsonText({ ...report, ok: false }));
      throw new CliError(EXIT.MISMATCH, `${target} has no events: nothing was verified`);
    }
    printReport(terminal, report, { json, name: `the log of ${target}` });
  });
}

/**
 * Prints the result of a verification.
 *
 * @throws CliError with the exit code MISMATCH if the verification found a fault
 */
export function printReport(
  terminal: Terminal,
  report: Report,
  { json, name }: { readonly json: boolean | undefined; readonly name: string },
): void {
  if (json) terminal.out(jsonText(report));
  else for (const line of reportLines(report, terminal)) terminal.out(line);
  if (!report.ok) throw new CliError(EXIT.MISMATCH, `verification found a fault in ${name}`);
}

/**
 * Verifies a log on this machine. For a session, adds the result of the server's own verification, because only the
 * server can detect events that are missing at the end.
 */
async function reportOn(terminal: Terminal, target: string, head: Head | undefined): Promise<Report> {
  // A file whose name is a whole session id does not take the place of the session: the repository may contain it.
  const file = isWholeSessionId(target) ? undefined : await openRegularFile(target);
  if (file) return verifyLog(readLogLines(file.createReadStream()), head);
  if (!isSessionPrefix(target)) throw wrongUsage(`${target} is neither a readable file nor a session id.`);
  const client = await connectOwner(terminal);
  const sessionId = await client.wholeId(target);
  const report = await verifyLog(readLogLines(await client.stream('exportLog', { sessionId })), head, sessionId);
  if (!report.ok) return report;
  return withFault(report, await client.call('verifyLog', { session_id: sessionId }));
}

/** Adds the result of the server to that of this machine. An answer that does not say that the log is whole is a fault. */
export const withFault = (report: Report, { ok, fault }: Answer<'verifyLog'>): Report =>
  ok && !fault ? report : { ...report, ok: false, ...(fault && { fault }) };

function reportLines({ ok, events, head, fault }: Report, { paint }: Terminal): string[] {
  const summary = `${counted(events, 'event is valid', 'events are valid')}; head ${head.seq}:${head.hash}`;
  if (ok) return [`${paint('green', 'ok')}  ${summary}`];
  if (!fault) return [`${paint('red', 'broken')}  the server does not say that its log is whole`, summary];
  return [
    `${paint('red', 'broken')}  event ${fault.seq}, ${visibleLine(`${fault.reason}: ${fault.message}`)}`,
    summary,
  ];
}

function parseHead(text: string): Head {
  const [, seq, hash] = /^(\d{1,12}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('Expected the seq and the hash of an event, as in 128:<64 hex digits>.');
  return { seq: Number(seq), hash };
}

export function addDelete(program: Command, terminal: Terminal): void {
  const command = withJson(program.command('delete').description('Erase a session and its log for ever.'))
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--yes', 'confirm that the session is erased')
    .addHelpText('after', '\nExample:\n  parley export-log SESSION --out kept.jsonl && parley delete SESSION --yes');
  command.action(async (given: string, { yes }: { yes?: boolean }) => {
    if (!yes) throw wrongUsage(`This erases session ${given} for ever; add --yes to confirm.`);
    const client = await connectOwner(terminal);
    const sessionId = await client.wholeId(given);
    const answer = await client.call('deleteSession', { session_id: sessionId });
    printAnswer(terminal, command, answer, () => [`Session ${sessionId} is erased.`]);
  });
}
