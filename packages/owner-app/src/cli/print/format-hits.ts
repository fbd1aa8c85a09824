import type { Answer } from '@parley/core/client';
import { timeText } from '@parley/core/text';
import { agentName } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import { hitPlace, standingText } from '../../text/records/hits.ts';
import { shellWord, visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';

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
