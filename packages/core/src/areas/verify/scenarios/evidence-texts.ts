import { NOT_STORED } from '../record.ts';
import type { FailingEvidence, MissingEvidence } from './evaluation.ts';

/** Missing evidence as text, such as `agent_a: 2 more items` or `agent_b: evidence of kind trace`. */
export const missingText = (missing: MissingEvidence): string => `${missing.builder}: ${missingWords(missing)}`;

/** Missing evidence as text without the builder, such as `evidence of kind trace`. */
export const missingWords = ({ items, kind }: MissingEvidence): string =>
  kind !== undefined ? `evidence of kind ${kind}` : `${items} more ${items === 1 ? 'item' : 'items'}`;

/** Failing evidence as text, such as `agent_a: an assertion failed in message #7`. */
export const failingText = ({ builder, message_id }: FailingEvidence): string =>
  `${builder}: an assertion failed in ${message_id === NOT_STORED ? 'the evidence of this call' : `message #${message_id}`}`;
