import type { Answer } from '@parley/core/client';
import type { Command } from 'commander';
import { UNLIMITED } from '../../text/page.ts';
import { hitsText } from '../../text/records/hits.ts';
import { sessionIds } from '../client/all-sessions.ts';
import { connectOwner } from '../client/owner-client.ts';
import { pagesOf } from '../client/pages.ts';
import { shownId } from '../client/shown-id.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { printPages, withPager } from '../print/answer.ts';
import { formatHits } from '../print/format-hits.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Examples:
  parley find snapshot cursor
  parley find "frozen clock" --limit 5
  parley find timeout --session SESSION

A word is found where a word of the text begins with it: port finds ports and lock_port, not support. Words in quotes are a
phrase.`;

export function addFind(program: Command, terminal: Terminal): void {
  const command = withPager(
    program
      .command('find')
      .description('Find words in the transcripts and contracts of all your sessions, newest session first.'),
  )
    .argument('<words...>', 'words that must all occur, or phrases in quotes; upper and lower case are the same')
    .option('--session <session_id>', 'search only this session')
    .option('--limit <number>', 'maximum number of hits', parseNumber, 20)
    .addHelpText('after', EXAMPLES);
  command.action(async (words: readonly string[], { limit, session }: { limit: number; session?: string }) => {
    const client = await connectOwner(terminal);
    const session_id = session === undefined ? undefined : await client.wholeId(session);
    const hits: Answer<'find'>['hits'] = [];
    const read = (from: string) => {
      const input = { words: wordsAsTyped(words), ...(from && { after: from }), ...(session_id && { session_id }) };
      return client.call('find', input);
    };
    let after = '';
    for await (const page of pagesOf(read)) {
      hits.push(...page.hits);
      after = page.next_after ?? '';
      if (hits.length >= limit) break;
    }
    const ids = terminal.columns === UNLIMITED || command.opts().json ? [] : await sessionIds(client);
    const idOf = (id: string): string => shownId(id, ids);
    const shown = hits.slice(0, limit);
    const more = after !== '' || hits.length > limit;
    await printPages(terminal, command, { hits: shown, more }, () => [
      hitsText(hits.length, after === ''),
      ...(shown.length === 0 ? [] : ['', ...formatHits(shown, { program: terminal.program, idOf }, terminal)]),
      ...(more ? ['', `These are the first ${shown.length}. To see more, add: --limit ${limit * 2}`] : []),
    ]);
  });
}

/** The words of a search. The shell removes the quotes of a phrase, so they are added again. */
const wordsAsTyped = (words: readonly string[]): string =>
  words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
