import { isUnnamed, unnamedRequestText } from '../../../text/records/unnamed-request.ts';
import { type Members, numberIn, recordsIn, textIn } from '../../../transcript/message.ts';

/** A request for changes in the words of the owner, what followed it, and whether the owner has to check the contract. */
export const requestTexts = (request: Members): string[] => [
  ...answeredTexts(request),
  ...(isUnnamed(request) ? [unnamedRequestText(textIn(request, 'answered_by'))] : []),
];

/** A request for changes in the words of the owner, and what followed it. */
export function answeredTexts(request: Members): string[] {
  const answer = textIn(request, 'answered_by');
  const asked = `on ${textIn(request, 'returned')}, #${numberIn(request, 'message_id')}: ${textIn(request, 'text')}`;
  return [
    asked,
    answer === ''
      ? '→ no revision was submitted after this request yet'
      : `→ ${answer} was submitted after this request: ${textIn(request, 'answer')}`,
  ];
}

/** The requests in an answer that no reason of a revision names, although a revision was submitted after each of them. */
export const unnamedRequests = (answer: Members): Members[] => recordsIn(answer, 'requests').filter(isUnnamed);

/** The message of an unnamed request, and what the owner must do about the request. */
export const checkText = (request: Members): string =>
  `Your request #${numberIn(request, 'message_id')}: ${unnamedRequestText(textIn(request, 'answered_by'))}`;
