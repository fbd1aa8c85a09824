import type { Answer } from '@parley/core/client';

type Request = Answer<'changes'>['requests'][number];

/** A request for changes in the words of the owner, and what followed it. */
export const requestTexts = ({ returned, message_id, text, answered_by, answer, is_named }: Request): string[] => [
  `on ${returned}, #${message_id}: ${text}`,
  answered_by === null
    ? '→ no revision was submitted after this request yet'
    : `→ ${answered_by} ${is_named ? 'names this request as its cause' : 'was submitted after this request and does not name it as a cause'}: ${answer ?? ''}`,
];
