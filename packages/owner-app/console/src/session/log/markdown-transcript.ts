import { visible, visibleLine } from '../../../../src/text/visible.ts';
import type { Part } from '../../../../src/transcript/event-text.ts';
import { eventTextOf } from '../../../../src/transcript/event-texts.ts';
import { createIdIndex } from '../../../../src/transcript/id-index.ts';
import type { Message } from '../../../../src/transcript/message.ts';

/** Puts a backslash before every ASCII punctuation mark, so that text of agents never becomes Markdown formatting. */
const escaped = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/**
 * Escapes a text and puts it in one line. A line break in it would start a new paragraph, which would look like a part of the
 * document itself.
 */
const plain = (text: string): string => escaped(visibleLine(text));

/** Escapes a text and formats it as a quotation. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${escaped(visible(line))}`.trimEnd())
    .join('\n');

/** The transcript as Markdown, for people. It cannot be verified; the exported log can. */
export function markdownTranscript(
  title: string,
  events: readonly Message[],
  nameOf: (role: string) => string,
): string {
  const ids = createIdIndex();
  const parts = [`# ${plain(title)}`];
  for (const message of events) {
    ids.note(message);
    const eventText = eventTextOf(message, { ids, nameOf });
    if (!eventText) continue;
    const { heading, text, parts: pieces = [], outcome } = eventText;
    if (heading) parts.push(`## ${message.id}. ${plain(nameOf(message.from))} ${plain(heading)}\n\n${message.at}`);
    if (text) parts.push(quoted(text));
    if (pieces.length > 0) parts.push(pieces.map(pieceOf).join('\n'));
    if (outcome) parts.push(`**${plain(outcome)}**`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** The reason why the transcript is incomplete. Null once every event of the log has arrived. */
export function missingEvents(
  { head }: { readonly head: { readonly seq: number } },
  events: readonly Pick<Message, 'id'>[],
): string | null {
  const last = events.at(-1)?.id ?? 0;
  return last < head.seq
    ? `The page has loaded ${last} of ${head.seq} events. The export works once it has all.`
    : null;
}

function pieceOf({ label, title, text, evidence = [] }: Part): string {
  const said = [title, text].flatMap((piece) => (piece ? [plain(piece)] : [])).join(': ');
  const sources = evidence.map(({ source }) => `  - ${plain(source)}`);
  return [`- *${plain(label)}* ${said}`, ...sources].join('\n');
}
