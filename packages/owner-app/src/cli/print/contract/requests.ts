import { rareWords } from '../../../text/records/rare-words.ts';
import { readSections } from '../../../text/records/read-sections.ts';
import { isUnnamed, saidAbout, unnamedRequestText } from '../../../text/records/unnamed-request.ts';
import { type Members, numberIn, recordsIn, textIn } from '../../../transcript/message.ts';
import type { NameOf } from '../agent-names.ts';

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

/** What helps the owner to compare a request with the contract. */
export interface CheckHelp {
  /** The latest revision of the contract. */
  readonly contract: Members;
  /** The messages of `saidAboutInput` for the requests, each message once. */
  readonly messages: readonly Members[];
}

/** The requests to compare with the contract before the approval, each with what helps to compare it. */
export const checkTexts = (brief: Members, { contract, messages }: CheckHelp, nameOf: NameOf): string[] =>
  unnamedRequests(brief).flatMap((request) => {
    const said = saidAbout(messages, numberIn(request, 'message_id')).map(
      (message) => `${nameOf(textIn(message, 'from'))} in #${numberIn(message, 'id')}`,
    );
    const changed = readSections(recordsIn(brief, 'changes').map((change) => textIn(change, 'section')));
    const words = Object.keys(contract).length === 0 ? [] : rareWords(textIn(request, 'text'), contract);
    const places = words.map(
      ({ word, places }) => `"${word}" ${places.length === 0 ? 'nowhere' : `in ${places.join(', ')}`}`,
    );
    return [
      checkText(request),
      ...(said.length === 0 ? [] : [`Said about it: ${said.join(', ')}.`]),
      ...(changed.length === 0 ? [] : [`Changed sections: ${changed.join(', ')}.`]),
      ...(places.length === 0 ? [] : [`Its words in the contract: ${places.join('; ')}.`]),
    ];
  });

/** The message of an unnamed request, and what the owner must do about the request. */
const checkText = (request: Members): string =>
  `Your request #${numberIn(request, 'message_id')}: ${unnamedRequestText(textIn(request, 'answered_by'))}`;
