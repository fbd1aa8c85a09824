import { timeText } from '@parley/core/text';
import type { EventText, Evidence, Part } from '@parley/core/words';
import { agentName } from '../../text/agent.ts';
import type { Page } from '../../text/page.ts';
import { padText, shortenText, textWidth, wrapText } from '../../text/table.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { eventTextOf, newsOf } from '../../transcript/event-text.ts';
import { createIdIndex, type KnownRecords, type Message, speakerOf } from '../../transcript/message.ts';

/** Formats messages as the lines of a conversation. Messages must be passed in their order. */
interface MessagePrinter {
  lines(message: Message): string[];
  /** Reads the texts of records from a view of the session, because messages contain only the ids of these records. */
  learn(view: KnownRecords): void;
}

const LABEL_COLUMNS = 13;
type Colour = 'cyan' | 'yellow' | 'magenta' | 'blue' | 'gray';
const COLOURS: ReadonlyMap<string, Colour> = new Map([
  ['agent_a', 'cyan'],
  ['agent_b', 'yellow'],
  ['owner', 'magenta'],
  ['moderator', 'blue'],
]);

export interface PrinterOptions {
  /** Whether each message is printed on one line, below a line with its date where the date changes. Default: false. */
  readonly isNews?: boolean;
  /** The id of the person who reads. The messages of this person are marked. */
  readonly me?: string;
}

/** The agents of a session, by role. */
type AgentNames = Readonly<Record<string, { readonly name: string | null }>>;

/**
 * @param agents the agents by role, `{ agent_a: { name }, agent_b: { name } }`. If left out, the names come from the
 * first event of the session
 */
export function createMessagePrinter(
  page: Page,
  agents: AgentNames = {},
  { isNews = false, me }: PrinterOptions = {},
): MessagePrinter {
  const ids = createIdIndex();
  let names = agents;
  let wasShort = false;
  let day = '';
  const nameOf = (role: string): string => (role === 'owner' ? role : agentName(role, names[role]?.name ?? ''));

  return {
    learn: ids.learn,
    lines(message) {
      ids.note(message);
      if (message.kind === 'session.created') names = message.body.agents;
      const context = { ids, nameOf };
      const eventText = eventTextOf(message, context);
      if (!eventText) return [];
      const name = speakerOf(message, nameOf, me);
      if (isNews) {
        const [date = '', time = ''] = dateAndTime(message.at).split(' ');
        const dateLine = date === day ? [] : [page.paint('dim', `${date} UTC`)];
        day = date;
        return [...dateLine, ...newsLine(message, eventText, { name, time }, page)];
      }
      const lines = eventLines(message, eventText, name, page);
      const isShort = eventText.text === undefined && eventText.parts === undefined;
      const gap = isShort && wasShort ? [] : [''];
      wasShort = isShort;
      return [...gap, ...lines];
    },
  };
}

function eventLines({ from, at }: Message, eventText: EventText, name: string, page: Page): string[] {
  const colour = colourOf(from);
  const bar = page.paint(colour, '│');
  const text = textLines(eventText.text, page);
  const parts = (eventText.parts ?? []).flatMap((part) => partLines(part, page));
  const body = text.length > 0 && parts.length > 0 ? [...text, '', ...parts] : [...text, ...parts];
  return [
    ...(eventText.heading ? headLines({ name, heading: eventText.heading, time: dateAndTime(at), colour }, page) : []),
    ...body.map((line) => `${bar} ${line}`.trimEnd()),
    ...(eventText.outcome ? outcomeLines(eventText.outcome, page) : []),
  ];
}

/** Maximum width of a piece of news if the width of the page is unlimited, and the least room for what it says, in columns. */
const [NEWS_COLUMNS, NEWS_LEAST] = [240, 20];

/** A message on one line, with its number, by which `parley show` prints it in full. */
function newsLine(
  { id, from }: Message,
  eventText: EventText,
  { name, time }: Pick<Head, 'name' | 'time'>,
  page: Page,
) {
  const room = Math.min(page.columns, NEWS_COLUMNS) - textWidth(`● ${visibleLine(name)}    ${time}`);
  const heading = shortenText(`#${id} ${visibleLine(newsOf(eventText))}`, Math.max(room, NEWS_LEAST));
  return headLines({ name, heading, time, colour: colourOf(from) }, page);
}

/** `2026-11-27 12:10 UTC`. Empty if the time cannot be read. */
const dateAndTime = (at: string): string => (Number.isNaN(Date.parse(at)) ? '' : visibleLine(timeText(at)));

const colourOf = (from: string): Colour => COLOURS.get(from) ?? 'gray';

interface Head {
  readonly name: string;
  readonly heading: string;
  /** The time as it is printed. Empty if it is unknown. */
  readonly time: string;
  readonly colour: Colour;
}

/**
 * Formats the head of a message: speaker, heading and time. Wraps a long head here, because if the terminal wrapped the
 * head, its second line at the left edge could look like the head of another message. The time is at the right edge of
 * the first line or, if there is no room, on a line of its own. If the width is unlimited, two spaces precede the time.
 */
function headLines({ name, heading, time, colour }: Head, { columns, paint }: Page): string[] {
  const speaker = visibleLine(name);
  const [first = '', ...more] = wrapText(`${speaker}  ${visibleLine(heading)}`, columns - 2);
  const named = first.startsWith(speaker)
    ? `${paint([colour, 'bold'], speaker)}${first.slice(speaker.length)}`
    : paint([colour, 'bold'], first);
  const gap = Number.isFinite(columns) ? columns - 2 - textWidth(first) - time.length : 2;
  const beside = time !== '' && gap >= 2 ? `${' '.repeat(gap)}${paint('dim', time)}` : '';
  return [
    `${paint(colour, '●')} ${named}${beside}`.trimEnd(),
    ...more.map((line) => `${paint(colour, '│')} ${line}`),
    ...(beside === '' && time !== '' ? [`${paint(colour, '│')} ${paint('dim', time)}`] : []),
  ];
}

const textLines = (text: string | undefined, { columns }: Page): string[] =>
  text ? wrapText(visible(text), columns - 2) : [];

function outcomeLines(outcome: string, { columns, paint }: Page): string[] {
  return wrapText(visibleLine(outcome), columns - 2).map((line, index) =>
    paint(['green', 'bold'], `${index === 0 ? '✔' : ' '} ${line}`),
  );
}

function partLines({ label, title, text, evidence = [] }: Part, page: Page): string[] {
  const width = page.columns - LABEL_COLUMNS - 2;
  const lines = [
    ...(title && text ? titled(title, text, width, page) : wrapText(visible(title ?? text ?? ''), width)),
    ...evidence.flatMap((item) => evidenceLines(item, width, page)),
  ].filter((line, index, all) => line !== '' || all.length === 1 || index > 0);
  return lines.map((line, index) => `${page.paint('dim', padText(index === 0 ? label : '', LABEL_COLUMNS))}${line}`);
}

/**
 * Formats a text with its title. A title that is a short id stands on the first line of the text; any other title
 * stands on its own lines above the text.
 */
function titled(title: string, text: string, width: number, { paint }: Page): string[] {
  const shown = visibleLine(title);
  if (/^\S{1,6}$/.test(shown)) return wrapText(`${shown}  ${visible(text)}`, width);
  return [...wrapText(shown, width).map((line) => paint('bold', line)), ...wrapText(visible(text), width)];
}

function evidenceLines({ source, excerpt }: Evidence, width: number, { paint }: Page): string[] {
  const lines = [
    ...wrapText(visible(source), width),
    ...(excerpt ? wrapText(visible(excerpt), width - 2).map((line) => `  ${line}`) : []),
  ];
  return lines.map((line) => paint('dim', line));
}
