import { Argument, type Command } from 'commander';
import { connectOwner } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

/** `parley moderator-entitlement on|off`: for the owner, not for one session. */
export function addModeratorEntitlement(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('moderator-entitlement')
      .description('Set whether you have moderators at all, in every session of yours and in those to come.'),
  )
    .addArgument(
      new Argument('<on_or_off>', 'off stops every moderator of yours from its next request on').choices(['on', 'off']),
    )
    .addHelpText(
      'after',
      '\nExample:\n  parley moderator-entitlement off\n\nOne moderator alone: parley stop-moderator SESSION',
    );
  command.action(async (word: string) => {
    const client = await connectOwner(terminal);
    const answer = await client.post('/moderator-entitlement', { entitled: word === 'on' });
    printAnswer(terminal, command, answer, entitlementLines);
  });
}

function entitlementLines({ entitled, sessions }: Json): string[] {
  const where = sessions === 1 ? '1 session' : `${String(sessions)} sessions`;
  return [`Moderators are ${entitled === true ? 'on' : 'off'}; written to ${where} of yours.`];
}
