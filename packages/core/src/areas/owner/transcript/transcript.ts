import { z } from 'zod';
import { EVENTS_PER_READ } from '../../../kernel/limits.ts';
import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { itemAt, lowerBound } from '../../../kernel/log/persistent-collections.ts';
import { messagesAfter } from '../../../kernel/log/transcript.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import { refuseInput } from '../../../kernel/operation/input.ts';
import { PersonView } from '../../approvals/record.ts';
import { ActorName, MessageCursor } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { checkAfter } from '../../session/cursors.ts';
import { MessagePage, pageSeqs, viewPage } from '../../session/messages.ts';
import type { SessionState } from '../../state.ts';
import { hasTerms, termsOf, Words } from './words.ts';

const MAX_LAST = 500;

const TranscriptInput = z.strictObject({
  after: MessageCursor.optional().describe('Id of the last message you have read; the page begins after it.'),
  last: z.int().min(1).max(MAX_LAST).optional().describe('Number of messages to read from the end of the transcript.'),
  by: ActorName.optional().describe('Only messages of this role.'),
  kind: z
    .string()
    .max(60)
    .optional()
    .describe('Only messages of this kind, such as turn.posted, or of a group of kinds, such as turn.'),
  grep: Words.optional(),
});
type Input = z.output<typeof TranscriptInput>;

type Page = z.output<typeof MessagePage>;

/** A page of messages for the owner. A message of the owner names the person who wrote it. */
const OwnerMessagePage = MessagePage.extend({
  messages: z.array(MessagePage.shape.messages.element.extend({ person: PersonView.optional() })),
});
documented.add(OwnerMessagePage, { id: 'OwnerMessagePage' });

/** Domain 3. Reads the transcript page by page, including messages that only the owner sees. */
export const transcript = defineOperation({
  name: 'transcript',
  summary:
    'Read the transcript in pages of 50 messages: from the start, after a message, or the latest ones. Select a role or a kind of message, or read all.',
  access: { owner: true },
  input: TranscriptInput,
  output: OwnerMessagePage,
  errors: ['INVALID_INPUT'],

  check(state, { after, last }, { role }) {
    if (after !== undefined && last !== undefined)
      refuseInput([{ path: 'last', message: 'Must be left out with `after`, which says where the page begins.' }]);
    checkAfter(state, role, after);
  },

  reads: (state, input) =>
    isFiltered(input)
      ? messagesAfter(state.transcript, 'owner', startOf(state, input), EVENTS_PER_READ)
      : pageSeqs(state, 'owner', startOf(state, input)),

  reply(state, input, { loaded }) {
    const after = startOf(state, input);
    if (!isFiltered(input)) return withPeople(viewPage(state, 'owner', after, loaded), loaded);
    const wanted = termsOf(input.grep ?? '');
    const found = loaded.filter(
      ({ actor, kind, data }) =>
        (input.by === undefined || actor === input.by) && isOfKind(kind, input.kind) && hasTerms(data, wanted),
    );
    const page = viewPage(state, 'owner', after, found);
    const isCut = page.messages.length < found.length;
    const next_cursor = isCut ? page.next_cursor : (loaded.at(-1)?.seq ?? after);
    return withPeople({ ...page, next_cursor, more: state.transcript.latest.owner.seen > next_cursor }, loaded);
  },
});

function withPeople(page: Page, loaded: readonly LoggedEvent[]): z.output<typeof OwnerMessagePage> {
  const people = new Map(loaded.map(({ seq, person }) => [seq, person]));
  const messages = page.messages.map((message) => {
    const person = people.get(message.id);
    return person ? { ...message, person: { ...person } } : message;
  });
  return { ...page, messages };
}

const isFiltered = ({ by, kind, grep }: Input): boolean => by !== undefined || kind !== undefined || grep !== undefined;

const isOfKind = (kind: string, wanted: string | undefined): boolean =>
  wanted === undefined || kind === wanted || kind.startsWith(`${wanted}.`);

/**
 * Id of the message after which the page begins. With `last`, the page begins that many messages before the end of the
 * transcript.
 */
function startOf({ transcript: { messages } }: SessionState, { after = 0, last }: Input): number {
  if (last === undefined) return after;
  const end = lowerBound(messages, () => false);
  return itemAt(messages, end - last - 1)?.seq ?? 0;
}
