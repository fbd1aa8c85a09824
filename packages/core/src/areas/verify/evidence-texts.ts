import type { FailingEvidence, MissingEvidence } from './evaluation.ts';
import { NOT_STORED } from './state.ts';

/** Describes missing evidence, such as `agent_a: 2 more items` or `agent_b: evidence of kind trace`. */
export function missingText({ builder, items, kind }: MissingEvidence): string {
  if (kind !== undefined) return `${builder}: evidence of kind ${kind}`;
  return `${builder}: ${items} more ${items === 1 ? 'item' : 'items'}`;
}

/** Describes failing evidence, such as `agent_a: an assertion failed in message 7`. */
export const failingText = ({ builder, messageId }: FailingEvidence): string =>
  `${builder}: an assertion failed in ${messageId === NOT_STORED ? 'the evidence of this call' : `message ${messageId}`}`;
