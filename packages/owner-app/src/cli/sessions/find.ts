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
  parley find "frozen clock" --limit 5

A word is found where a word of the text begins with it: port finds ports and lock_port, not support. Words in quotes are a
phrase.`;

/** Hits are counted up to this number, even if fewer are printed. */
const MAX_COUNTED = 200;

export function addFind(program: Command, terminal: Terminal): void {
  const command = withJson(
    program
      .command('find')
      .description('Find words in the transcripts and contracts of all your sessions, newest session first.'),
  )
    .argument('<words...>', 'words that must all occur, or phrases in quotes; upper and lower case are the same')
    .option('--limit <number>', 'maximum number of hits', parseNumber, 20)
    .addHelpText('after', EXAMPLES);
  command.action(async (words: readonly string[], { limit }: { limit: number }) => {
    const client = await connectOwner(terminal);
    const hits: Members[] = [];
    let after = '';
    do {
      const input = { words: wordsAsTyped(words), ...(after && { after }) };
      const page = await client.call(OWNER_ROUTES.find, { input });
      hits.push(...recordsIn(page, 'hits'));
      after = textIn(page, 'next_after');
    } while (after && hits.length < Math.max(limit, MAX_COUNTED));
    const shown = hits.slice(0, limit);
    const isCut = after !== '' || hits.length > limit;
    const count = `${after && 'more than '}${hits.length} ${hits.length === 1 ? 'hit' : 'hits'}`;
    printAnswer(terminal, command, { hits: shown, more: isCut }, () => [
      ...(hits.length === 0
        ? ['No session contains these words.']
        : [isCut ? `${count}, of which the first ${shown.length} follow` : count, '', ...formatHits(shown, terminal)]),
      ...(isCut ? ['', `There are more hits. To see them, add: --limit ${limit * 2}`] : []),
    ]);
  });
}

/** The words of a search. The shell removes the quotes of a phrase, so they are added again. */
const wordsAsTyped = (words: readonly string[]): string =>
  words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
