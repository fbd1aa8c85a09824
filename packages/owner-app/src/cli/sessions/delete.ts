import type { Command } from 'commander';
import { connectOwner } from '../client/owner-client.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

export function addDelete(program: Command, terminal: Terminal): void {
  const command = withJson(program.command('delete').description('Erase a session and its log for ever.'))
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--yes', 'confirm that the session is erased')
    .addHelpText('after', '\nExample:\n  parley export-log SESSION --out kept.jsonl && parley delete SESSION --yes');
  command.action(async (given: string, { yes }: { yes?: boolean }) => {
    if (!yes) throw new CliError(EXIT.USAGE, `This erases session ${given} for ever; add --yes to confirm.`);
    const client = await connectOwner(terminal);
    const sessionId = await client.wholeId(given);
    const answer = await client.call('deleteSession', { session_id: sessionId });
    printAnswer(terminal, command, answer, () => [`Session ${sessionId} is erased.`]);
  });
}
