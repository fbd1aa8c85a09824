import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { tableLines } from '../../text/table.ts';
import { shortTime, visible } from '../../text/visible.ts';
import { connectOwner } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';
import { addCreate } from './create.ts';

export function addSessionCommands(program: Command, terminal: Terminal): void {
  addSessions(program, terminal);
  addCreate(program, terminal);
  addDelete(program, terminal);
  addExportLog(program, terminal);
}

function addSessions(program: Command, terminal: Terminal): void {
  const command = withJson(program.command('sessions').description('List your sessions, newest first.'))
    .option('--limit <number>', 'how many at most')
    .option('--after <session_id>', 'list sessions after this one; the last id of the page before')
    .addHelpText('after', '\nExample:\n  parley sessions --limit 10');
  command.action(async ({ limit, after }: { limit?: string; after?: string }) => {
    const input = { ...(limit ? { limit } : {}), ...(after ? { after } : {}) };
    const answer = await (await connectOwner(terminal)).call(OWNER_ROUTES.listSessions, { input });
    printAnswer(terminal, command, answer, sessionLines);
  });
}

function sessionLines({ sessions }: Json, { columns, paint }: Terminal): string[] {
  const rows = (Array.isArray(sessions) ? sessions : []).map(({ created_at, ...session }: Json) => {
    const cells = [session.session_id, session.status, session.phase, shortTime(created_at), session.title];
    return cells.map((cell) => visible(String(cell ?? '-')));
  });
  if (rows.length === 0) return ['No sessions yet. Open one with: parley create'];
  return tableLines({ heads: ['session', 'status', 'phase', 'created', 'title'], rows, flexible: 4 }, columns, paint);
}

function addDelete(program: Command, terminal: Terminal): void {
  const command = withJson(program.command('delete').description('Erase a session and its log for ever.'))
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--yes', 'confirm that the session is erased')
    .addHelpText('after', '\nExample:\n  parley export-log SESSION --out kept.jsonl && parley delete SESSION --yes');
  command.action(async (sessionId: string, { yes }: { yes?: boolean }) => {
    if (!yes) throw new CliError(EXIT.USAGE, `This erases session ${sessionId} for ever; add --yes to confirm.`);
    const answer = await (await connectOwner(terminal)).call(OWNER_ROUTES.deleteSession, { sessionId });
    printAnswer(terminal, command, answer, () => [`Session ${sessionId} is erased.`]);
  });
}

function addExportLog(program: Command, terminal: Terminal): void {
  program
    .command('export-log')
    .description('Write the log of a session as JSON lines, each event as it was hashed.')
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--out <file>', 'a file that must not exist yet; without it, stdout')
    .addHelpText(
      'after',
      '\nExample:\n  parley export-log SESSION --out session.jsonl && parley verify-log session.jsonl',
    )
    .action(async (sessionId: string, { out }: { out?: string }) => {
      const body = await (await connectOwner(terminal)).stream(OWNER_ROUTES.log, sessionId);
      const lines = Readable.from(body);
      if (out) await pipeline(lines, createWriteStream(out, { flags: 'wx', mode: 0o600 }));
      else for await (const chunk of lines) await terminal.write(chunk);
    });
}
