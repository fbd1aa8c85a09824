import type { OwnerListing } from '@parley/core';
import type { Command } from 'commander';
import { operationRoute } from '../../server/api/owner-routes.ts';
import { kebabCase } from '../../text/kebab.ts';
import { connectOwner } from '../client/owner-client.ts';
import { exampleOf } from '../flags/command-line.ts';
import { flagsOf, inputOf } from '../flags/flags.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import { showAnswer } from '../print/answer-view.ts';
import type { Terminal } from '../terminal.ts';

/** Adds a command for each owner operation, such as `parley extend-rounds SESSION --rounds 2`. */
export function addOperations(program: Command, terminal: Terminal, listings: readonly OwnerListing[]): void {
  for (const listing of listings) addOperation(program, terminal, listing);
}

function addOperation(program: Command, terminal: Terminal, { name, summary, effect, input }: OwnerListing): void {
  const flags = flagsOf(input);
  const command = withJson(program.command(kebabCase(name)))
    .description(summary)
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it');
  for (const option of flags.flatMap(({ options }) => options)) command.addOption(option);
  command.addHelpText('after', `\nExample:\n  ${exampleOf(command.name(), flags)}`);
  command.action(async (sessionId: string) => {
    const client = await connectOwner(terminal);
    const answer = await client.call(operationRoute({ name, effect }), {
      sessionId,
      input: inputOf(flags, command.opts()),
    });
    printAnswer(terminal, command, answer, (value) =>
      showAnswer(name, value, { terminal, url: client.url, sessionId }),
    );
  });
}
