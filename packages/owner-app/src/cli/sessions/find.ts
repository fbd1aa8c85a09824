import type { Command } from 'commander';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { type Members, recordsIn, textIn } from '../../transcript/message.ts';
import { connectOwner } from '../client/owner-client.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import { formatHits } from '../print/format-hits.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Examples:
  parley find snapshot cursor
  parley find "frozen clock" --limit 5`;

export function addFind(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('find')
      .description('Find words in the transcripts and contracts of all your sessions, newest session first.'),
  )
    .argument('<words...>', 'words that must all occur; upper and lower case are the same')
    .option('--limit <number>', 'maximum number of hits', parseNumber, 20)
    .addHelpText('after', EXAMPLES);
  command.action(async (words: readonly string[], { limit }: { limit: number }) => {
    const client = await connectOwner(terminal);
    const hits: Members[] = [];
    let after = '';
    do {
      const input = { words: words.join(' '), ...(after && { after }) };
      const page = await client.call(OWNER_ROUTES.find, { input });
      hits.push(...recordsIn(page, 'hits'));
      after = textIn(page, 'next_after');
    } while (after && hits.length < limit);
    const isCut = after !== '' || hits.length > limit;
    printAnswer(terminal, command, { hits: hits.slice(0, limit), more: isCut }, () => [
      ...(hits.length === 0 ? ['No session contains these words.'] : formatHits(hits.slice(0, limit), terminal)),
      ...(isCut ? ['', `There are more hits. To see them, add: --limit ${limit * 2}`] : []),
    ]);
  });
}
