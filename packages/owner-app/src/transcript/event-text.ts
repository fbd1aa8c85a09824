import { describeEvent, type EventText, isSilent, type Known } from '@parley/core/words';
import type { Message } from './message.ts';

/**
 * The text of a message, or undefined if the message is not shown. If a message is about a record of a turn, its text
 * is only the outcome, because the text of the turn already shows the record.
 */
export function eventTextOf(message: Message, context: Omit<Known, 'from'>): EventText | undefined {
  const { kind, body, from } = message;
  const isDerived = kind === 'action.opened' && from === 'system';
  if (isDerived || kind === 'reading.recorded' || isSilent(kind)) return undefined;
  const text = describeEvent(message, { ...context, from });
  if (!('in_turn' in body && body.in_turn)) return text;
  return text.outcome ? { heading: '', outcome: text.outcome } : undefined;
}
