import { describeEvents, type EventReference } from '@parley/core';
import { tableRow } from '../markdown-table.ts';

export const file = 'docs/events.md';

const SEEN_BY: Readonly<Record<EventReference['seenBy'], string>> = {
  everyone: 'both builders, moderator, owner',
  moderator: 'moderator, owner',
  addressee: 'the agent it is due to, owner',
  owner: 'owner',
};

export function render(): string {
  return `${[
    '# Events\n',
    'Generated from the event catalogue by `pnpm docs:events`. A session is the log of these events; everything else is',
    'computed from it. A message is an entry of the transcript. Its id is the number of its event. It ends the long-polls of',
    'all roles that can see it, except that of its author. An event that is not a message ends a poll only if it creates',
    'something to do, such as an action. If a role may not see an event, no page for that role contains the event, and no',
    'cursor contains its number unless the event changes what is due.\n',
    'The owner can read a member marked † at once. Agents can read it later: the answers of a readiness report when both',
    'builders are ready. A member marked ‡ is only in the log, not in the transcript or the event feed of the moderator.\n',
    tableRow(['Kind', 'v', 'Seen by', 'Message', 'Data']),
    tableRow(['---', '---', '---', '---', '---']),
    ...describeEvents().map((event) =>
      tableRow([
        `\`${event.kind}\``,
        String(event.version),
        SEEN_BY[event.seenBy],
        messageText(event),
        dataText(event),
      ]),
    ),
  ].join('\n')}\n`;
}

function messageText({ message }: EventReference): string {
  if (message === 'standalone') return 'yes, unless said inside a turn';
  return message ? 'yes' : 'no';
}

const dataText = ({ data, withheld, omitted }: EventReference): string =>
  Object.keys(data.properties ?? {})
    .map(
      (name) =>
        `${name}${data.required?.includes(name) ? '' : '?'}${withheld.includes(name) ? ' †' : ''}${omitted.includes(name) ? ' ‡' : ''}`,
    )
    .join(', ');
