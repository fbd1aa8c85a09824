import type { Answer } from '@parley/core/client';
import { timeText } from '@parley/core/text';
import { agentName } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import type { FoldedHit } from '../../text/records/hits.ts';
import {
  alsoText,
  earlierCount,
  elsewhereText,
  hitPlace,
  placesText,
  similarCount,
  standingText,
} from '../../text/records/hits.ts';
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
export function formatHits(hits: readonly FoldedHit<Hit>[], place: HitsPlace, page: Page): string[] {
  const columns = page.columns - 4;
  return hits.flatMap(({ hit, also, similar, earlier }, index) => [
    ...(hit.session_id === hits[index - 1]?.hit.session_id ? [] : sessionLines(hit, index > 0, page)),
    ...hitLines(hit, page),
    `    ${page.paint('cyan', commandOf(hit, place))}`,
    ...[
      placesText(hit.places ?? [], hit.record.id),
      elsewhereText(hit.elsewhere ?? []),
      alsoText(also, { columns }),
      alsoText(similar, { columns, count: similarCount }),
      earlierText(earlier),
    ].flatMap((text) => noteLines(text, page)),
  ]);
}

const earlierText = (earlier: readonly Hit[]): string =>
  earlier.length === 0 ? '' : `${earlierCount(earlier.length)}: ${earlier.map(({ record }) => record.id).join(', ')}`;

/** What the command below a hit shows: a record, or the message if the text is not part of a record with an id. */
const placeOf = ({ seq, from, record: { type, id } }: Hit): ReturnType<typeof hitPlace> =>
  hitPlace({ seq, from, record: { type, id: visibleLine(id) } }, type !== 'turn' && type !== 'session');

/** The command that shows what a hit names: for a contract, the place that contains the words. */
function commandOf(hit: Hit, { program, idOf }: HitsPlace): string {
  const sessionId = idOf(hit.session_id);
  const { message, text } = placeOf(hit);
  const [place] = hit.places ?? [];
  if (!place) return `${program} show ${sessionId} ${shellWord(String(message ?? text))}`;
  const section = shellWord(visibleLine(place.section));
  if (hit.superseded_by)
    return `${program} revision ${sessionId} --revision-id ${shellWord(text)} --section ${section}`;
  if (place.id === undefined) return `${program} plan ${sessionId} --section ${section}`;
  return `${program} show ${sessionId} ${shellWord(visibleLine(place.id))}`;
}

const noteLines = (text: string, { columns, paint }: Page): string[] =>
  text === '' ? [] : wrapText(visibleLine(text), columns - 4).map((line) => `    ${paint('dim', line)}`);

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
