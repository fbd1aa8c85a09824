import { plural } from '@parley/core/text';
import { Argument, type Command } from 'commander';
import { connectOwner } from '../client/owner-client.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

/** Adds `parley moderator-entitlement`, which allows or forbids moderators in all sessions of the owner. */
export function addModeratorEntitlement(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('moderator-entitlement')
      .description('Allow or forbid moderators in all your sessions, present and future.'),
  )
    .addArgument(
      new Argument('<on_or_off>', 'off stops all your moderators from their next request on').choices(['on', 'off']),
    )
    .addHelpText(
      'after',
      '\nExample:\n  parley moderator-entitlement off\n\nTo stop the moderator of one session only: parley stop-moderator SESSION',
    );
  command.action(async (word: string) => {
    const client = await connectOwner(terminal);
    const answer = await client.call('setModeratorEntitlement', { entitled: word === 'on' });
    const { entitled, sessions } = answer;
    printAnswer(terminal, command, answer, () => [
      `Moderators are ${entitled ? 'allowed' : 'forbidden'} now. The setting was changed in ${plural(sessions, 'session')}.`,
    ]);
  });
}
