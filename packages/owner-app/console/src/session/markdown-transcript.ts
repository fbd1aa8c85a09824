import { visible } from '../../../src/text/visible.ts';
import type { Part } from '../../../src/transcript/event-text.ts';
import { eventTextOf } from '../../../src/transcript/event-texts.ts';
import { createIdIndex } from '../../../src/transcript/id-index.ts';
import type { Message } from '../../../src/transcript/message.ts';

/** Every mark of Markdown as the mark itself: what somebody wrote stays text. */
const plain = (text: string): string => visible(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** As a quotation, line by line. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${plain(line)}`.trimEnd())
    .join('\n');

/** The transcript as a document for people; the JSON lines are what can be verified. */
export function markdownTranscript(
  title: string,
  events: readonly Message[],
  nameOf: (role: string) => string,
): string {
  const book = createIdIndex();
  const parts = [`# ${plain(title)}`];
  for (const message of events) {
    book.note(message);
    const eventText = eventTextOf(message, { book, nameOf });
    if (!eventText) continue;
    const { heading, text, parts: pieces = [], outcome } = eventText;
    if (heading) parts.push(`## ${message.id}. ${plain(nameOf(message.from))} ${plain(heading)}\n\n${message.at}`);
    if (text) parts.push(quoted(text));
    if (pieces.length > 0) parts.push(pieces.map(pieceOf).join('\n'));
    if (outcome) parts.push(`**${plain(outcome)}**`);
  }
  return `${parts.join('\n\n')}\n`;
}

function pieceOf({ label, title, text, evidence = [] }: Part): string {
  const said = [title, text].flatMap((piece) => (piece ? [plain(piece).replaceAll('\n', ' ')] : [])).join(': ');
  const sources = evidence.map(({ source }) => `  - ${plain(source)}`);
  return [`- *${plain(label)}* ${said}`, ...sources].join('\n');
}
