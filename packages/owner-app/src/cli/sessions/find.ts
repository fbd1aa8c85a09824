import type { Answer } from '@parley/core/client';
import { timeText } from '@parley/core/text';
import type { Command } from 'commander';
import { agentName } from '../../text/agent.ts';
import { type Page, UNLIMITED } from '../../text/page.ts';
import { hitPlace, hitsText, standingText } from '../../text/record-words.ts';
import { wrapText } from '../../text/table.ts';
import { shellWord, visible, visibleLine } from '../../text/visible.ts';
import { pagesOf, sessionIds, shownId } from '../client/lists.ts';
import { connectOwner } from '../client/owner-client.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { printPages, withPager } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

type Hit = Answer<'find'>['hits'][number];

interface HitsPlace {
  /** The command line that runs this program. */
  readonly program: string;
  /** Returns the id of a session in the form in which commands show it. */
  readonly idOf: (sessionId: string) => string;
}

/**
 * Formats the hits of a search: a line for each session, and below it the record, speaker and excerpt of each hit with the
 * command that shows the record.
 */
export function formatHits(hits: readonly Hit[], place: HitsPlace, page: Page): string[] {
  return hits.flatMap((hit, index) => [
    ...(hit.session_id === hits[index - 1]?.session_id ? [] : sessionLines(hit, index > 0, page)),
    ...hitLines(hit, page),
    `    ${page.paint('cyan', commandOf(hit, place))}`,
  ]);
}

/** What the command below a hit shows: a record, or the message if the text is not part of a record with an id. */
const placeOf = ({ seq, from, record: { type, id } }: Hit): ReturnType<typeof hitPlace> =>
  hitPlace({ seq, from, record: { type, id: visibleLine(id) } }, type !== 'turn' && type !== 'session');

function commandOf(hit: Hit, { program, idOf }: HitsPlace): string {
  const { message, text } = placeOf(hit);
  return `${program} show ${idOf(hit.session_id)} ${shellWord(String(message ?? text))}`;
}

const sessionLines = ({ title, session_id }: Hit, isLater: boolean, { paint }: Page): string[] => [
  ...(isLater ? [''] : []),
  `${paint('bold', visibleLine(title))}  ${paint('dim', session_id)}`,
];

function hitLines(hit: Hit, page: Page): string[] {
  const { message, text } = placeOf(hit);
  const speaker = visibleLine(agentName(hit.from, hit.name ?? ''));
  const facts = [speaker, timeText(hit.at), ...(message === null ? [`#${hit.seq}`] : [])].join(', ');
  const place = visibleLine([text, standingText(hit)].filter(Boolean).join(', '));
  return [
    `  ${page.paint('cyan', place)}  ${page.paint('dim', facts)}`,
    ...wrapText(markedText(hit, page), page.columns - 4).map((line) => `    ${line}`),
  ];
}

function markedText({ excerpt, marks }: Hit, { paint }: Page): string {
  let text = '';
  let last = 0;
  for (const { start, end } of marks) {
    text += visible(excerpt.slice(last, start)) + paint(['bold', 'yellow'], visible(excerpt.slice(start, end)));
    last = end;
  }
  return text + visible(excerpt.slice(last));
}

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
