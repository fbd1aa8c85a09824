import { agentName } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import {
  alsoText,
  earlierCount,
  elsewhereText,
  type FoundPlace,
  hitPlace,
  placesText,
  similarCount,
  standingText,
} from '../../text/records/hit-text.ts';
import { shellWord } from '../../text/shell-word.ts';
import { timeText } from '../../text/time.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';

interface OtherSession {
  readonly session_id: string;
  readonly title: string;
}

interface FoundHit {
  readonly hit: Members;
  /** The other sessions that have the same text. */
  readonly also: readonly OtherSession[];
  /** The other sessions that have a similar text. */
  readonly similar: readonly OtherSession[];
  /** The superseded decisions of the session. */
  readonly earlier: readonly { readonly record: { readonly id: string } }[];
}

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
export function formatHits(hits: readonly FoundHit[], place: HitsPlace, page: Page): string[] {
  return hits.flatMap(({ hit, also, similar, earlier }, index) => [
    ...(hit.session_id === hits[index - 1]?.hit.session_id ? [] : sessionLines(hit, index > 0, page)),
    ...hitLines(hit, page),
    `    ${page.paint('cyan', commandOf(hit, place))}`,
    ...[
      placesText(placesIn(hit), textIn(membersOf(hit.record), 'id')),
      elsewhereText(textsIn(hit, 'elsewhere')),
      alsoText(also, { columns: page.columns - 4 }),
      alsoText(similar, { columns: page.columns - 4, count: similarCount }),
      earlierText(earlier),
    ].flatMap((text) => noteLines(text, page)),
  ]);
}

const earlierText = (earlier: FoundHit['earlier']): string =>
  earlier.length === 0 ? '' : `${earlierCount(earlier.length)}: ${earlier.map(({ record }) => record.id).join(', ')}`;

/** What the command below a hit shows: a record, or the message if the text is not part of a record with an id. */
function placeOf(hit: Members): ReturnType<typeof hitPlace> {
  const { type, id } = membersOf(hit.record);
  const record = { type: String(type), id: visibleLine(String(id)) };
  return hitPlace(
    { seq: numberIn(hit, 'seq'), from: textIn(hit, 'from'), record },
    type !== 'turn' && type !== 'session',
  );
}

/** The places of a contract that a hit contains. Empty if the hit is not in a contract. */
export const placesIn = (hit: Members): FoundPlace[] =>
  recordsIn(hit, 'places').map((place) => ({
    section: textIn(place, 'section'),
    id: textIn(place, 'id') || undefined,
    words: textIn(place, 'words'),
    excerpts: textsIn(place, 'excerpts'),
  }));

/** The command that shows what a hit names: for a contract, the place that contains the words. */
function commandOf(hit: Members, { program, idOf }: HitsPlace): string {
  const sessionId = idOf(textIn(hit, 'session_id'));
  const { message, text } = placeOf(hit);
  const [place] = placesIn(hit);
  if (!place) return `${program} show ${sessionId} ${shellWord(String(message ?? text))}`;
  const section = shellWord(visibleLine(place.section));
  if (hit.superseded_by)
    return `${program} revision ${sessionId} --revision-id ${shellWord(String(text))} --section ${section}`;
  if (place.id === undefined) return `${program} plan ${sessionId} --section ${section}`;
  return `${program} show ${sessionId} ${shellWord(visibleLine(place.id))}`;
}

const noteLines = (text: string, { columns, paint }: Page): string[] =>
  text === '' ? [] : wrapText(visibleLine(text), columns - 4).map((line) => `    ${paint('dim', line)}`);

const sessionLines = (hit: Members, isLater: boolean, { paint }: Page): string[] => [
  ...(isLater ? [''] : []),
  `${paint('bold', visibleLine(textIn(hit, 'title')))}  ${paint('dim', textIn(hit, 'session_id'))}`,
];

function hitLines(hit: Members, page: Page): string[] {
  const { message, text } = placeOf(hit);
  const standing = standingText({ status: textIn(hit, 'status'), superseded_by: textIn(hit, 'superseded_by') });
  const speaker = agentName(textIn(hit, 'from'), textIn(hit, 'name'));
  const number = message === null ? [`#${numberIn(hit, 'seq')}`] : [];
  const facts = [visibleLine(speaker), timeText(hit.at), ...number].join(', ');
  return [
    `  ${page.paint('cyan', visibleLine([text, standing].filter(Boolean).join(', ')))}  ${page.paint('dim', facts)}`,
    ...wrapText(markedText(hit, page), page.columns - 4).map((line) => `    ${line}`),
  ];
}

function markedText(hit: Members, { paint }: Page): string {
  const excerpt = textIn(hit, 'excerpt');
  let text = '';
  let last = 0;
  for (const mark of recordsIn(hit, 'marks')) {
    const [start, end] = [numberIn(mark, 'start'), numberIn(mark, 'end')];
    text += visible(excerpt.slice(last, start)) + paint(['bold', 'yellow'], visible(excerpt.slice(start, end)));
    last = end;
  }
  return text + visible(excerpt.slice(last));
}
