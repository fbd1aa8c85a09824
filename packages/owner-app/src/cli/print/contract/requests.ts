import type { Answer } from '@parley/core/client';
import { rareWords } from '../../../text/records/rare-words.ts';
import { readSections } from '../../../text/records/read-sections.ts';
import { isUnnamed, saidAbout, unnamedRequestText } from '../../../text/records/unnamed-request.ts';
import type { NameOf } from '../agent-names.ts';

type Request = Answer<'changes'>['requests'][number];

/** A request for changes in the words of the owner, what followed it, and whether the owner has to check the contract. */
export const requestTexts = (request: Request): string[] => [
  ...answeredTexts(request),
  ...(isUnnamed(request) ? [unnamedRequestText(request.answered_by)] : []),
];

/** A request for changes in the words of the owner, and what followed it. */
export const answeredTexts = ({ returned, message_id, text, answered_by, answer }: Request): string[] => [
  `on ${returned}, #${message_id}: ${text}`,
  answered_by === null
    ? '→ no revision was submitted after this request yet'
    : `→ ${answered_by} was submitted after this request: ${answer ?? ''}`,
];

/** The requests in an answer that no reason of a revision names, although a revision was submitted after each of them. */
export const unnamedRequests = ({ requests }: Pick<Answer<'changes'>, 'requests'>) => requests.filter(isUnnamed);

/** What helps the owner to compare a request with the contract. */
export interface CheckHelp {
  /** The latest revision of the contract. Null if the service left it out because of its length. */
  readonly contract: Answer<'plan'>['contract'];
  /** The messages of `saidAboutInput` for the requests, each message once. */
  readonly messages: Answer<'transcript'>['messages'];
}

/** The requests to compare with the contract before the approval, each with what helps to compare it. */
export const checkTexts = (brief: Answer<'brief'>, help: CheckHelp | undefined, nameOf: NameOf): string[] =>
  unnamedRequests(brief).flatMap(({ message_id, text, answered_by }) => {
    const said = saidAbout(help?.messages ?? [], message_id).map(({ from, id }) => `${nameOf(from)} in #${id}`);
    const changed = readSections(brief.changes.map(({ section }) => section));
    const words = help?.contract ? rareWords(text, help.contract) : [];
    const places = words.map(
      ({ word, places }) => `"${word}" ${places.length === 0 ? 'nowhere' : `in ${places.join(', ')}`}`,
    );
    return [
      `Your request #${message_id}: ${unnamedRequestText(answered_by)}`,
      ...(said.length === 0 ? [] : [`Said about it: ${said.join(', ')}.`]),
      ...(changed.length === 0 ? [] : [`Changed sections: ${changed.join(', ')}.`]),
      ...(places.length === 0 ? [] : [`Its words in the contract: ${places.join('; ')}.`]),
    ];
  });
