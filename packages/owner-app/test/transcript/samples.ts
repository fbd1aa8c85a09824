import type { EventBody, EventName } from '@parley/core/client';
import { EVENTS } from '../../../../test/support/event-samples.ts';
import type { KnownRecords, Message } from '../../src/transcript/message.ts';

/** The data of an event of one kind: that of its sample, with these members instead. */
export const bodyOf = <K extends EventName>(kind: K, part: Partial<EventBody<K>> = {}): EventBody<K> => ({
  ...EVENTS[kind].data,
  ...part,
});

/** A message of one kind. Members of its data that `part` lacks are those of its sample. */
export const messageBy = <K extends Message['kind']>(
  from: Message['from'],
  kind: K,
  part: Partial<EventBody<K>> = {},
  { id = 1, at: time = '' }: Partial<Pick<Message, 'id' | 'at'>> = {},
): Message => ({ id, at: time, from, kind, body: bodyOf(kind, part) }) as Message;

/** The records of a view of a session without records. */
export const NO_RECORDS: KnownRecords = {
  decisions: [],
  questions: [],
  interventions: [],
  findings: [],
  recommendations: [],
  manifest: null,
  readiness: [],
};
