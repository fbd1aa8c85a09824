import { useMemo } from 'preact/hooks';
import { rareWords } from '../../../../src/text/records/rare-words.ts';
import {
  isUnnamed,
  saidAbout,
  saidAboutInput,
  unnamedRequestText,
} from '../../../../src/text/records/unnamed-request.ts';
import type { Members } from '../../../../src/transcript/message.ts';
import type { BriefAnswer } from '../../api/types.ts';
import { toMessage } from '../../state/route.ts';
import { useCall } from '../../ui/requests/use-read.ts';
import { Folded } from '../../ui/text/folded.tsx';
import { Link } from '../../ui/text/link.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Role, SafeText } from '../../ui/text/shown.tsx';
import { shownParts } from '../shown-parts.ts';
import { sectionOfMember } from './contract-model.ts';
import { SectionLinks, sectionsOfMembers } from './read-so-far.tsx';

type Request = BriefAnswer['requests'][number];

interface UnnamedRequestsProps {
  readonly sessionId: string;
  readonly requests: readonly Request[];
  /** The revision whose reason the page shows. Its reason is not repeated here. */
  readonly shownId?: string;
  /** The changed sections. Left out on a page that shows the changes themselves. */
  readonly changes?: BriefAnswer['changes'] | undefined;
  /** The latest revision of the contract. Left out on a page that has not read it. */
  readonly contract?: Members | null;
}

/** Maximum number of characters of a request that is shown unfolded. */
const SHORT_CHARS = 400;

/**
 * The requests of the owner that no reason of a revision names, with their words. The owner has to compare them with
 * the contract. For this comparison, shows what the agents said about a request, which sections changed, and where the
 * contract uses words of the request.
 */
export function UnnamedRequests({ requests, ...help }: UnnamedRequestsProps) {
  const unnamed = requests.filter(isUnnamed);
  if (unnamed.length === 0) return null;
  return (
    <section class="failure">
      <h3>Check before the approval</h3>
      {unnamed.map((request) => (
        <UnnamedRequest key={request.message_id} {...help} request={request} />
      ))}
    </section>
  );
}

interface UnnamedRequestProps extends Omit<UnnamedRequestsProps, 'requests'> {
  readonly request: Request;
}

function UnnamedRequest({ sessionId, request, shownId, changes = [], contract = null }: UnnamedRequestProps) {
  const { message_id, answered_by, answer, text } = request;
  const changed = sectionsOfMembers(changes.map(({ section }) => section));
  return (
    <div>
      <p>
        <Link to={toMessage(sessionId, message_id)}>{`Your request #${message_id}`}</Link>:{' '}
        <LinkedText text={unnamedRequestText(answered_by ?? '')} />
      </p>
      <Folded isLong={text.length > SHORT_CHARS} of={`your request #${message_id}`}>
        <p class="reply">
          <SafeText text={text} />
        </p>
      </Folded>
      {answered_by !== shownId && (
        <p>
          The reason of <IdLink id={answered_by ?? ''} />: <SafeText text={answer ?? ''} />
        </p>
      )}
      <SaidAbout sessionId={sessionId} messageId={message_id} />
      {changed.length > 0 && (
        <p>
          Changed sections: <SectionLinks sessionId={sessionId} sections={changed} />
        </p>
      )}
      {contract && <WordsInContract sessionId={sessionId} text={text} contract={contract} />}
    </div>
  );
}

/** Links to the messages in which the agents name the owner's message. A revision names it only in its reason. */
function SaidAbout({ sessionId, messageId }: { readonly sessionId: string; readonly messageId: number }) {
  const { value } = useCall('transcript', { session_id: sessionId, ...saidAboutInput(messageId) }, 0);
  const found = saidAbout(value?.messages ?? [], messageId);
  if (found.length === 0) return null;
  return (
    <p>
      Said about it:{' '}
      {found.map(({ id, from }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Role of={from} /> in <Link to={toMessage(sessionId, id)}>{`#${id}`}</Link>
        </span>
      ))}
    </p>
  );
}

interface WordsInContractProps {
  readonly sessionId: string;
  readonly text: string;
  readonly contract: Members;
}

/**
 * Lists the rare words of a request, and for each word the places of the contract that use it, or `nowhere`. A word is rare
 * if few places of the contract use it, see `rareWords`.
 */
function WordsInContract({ sessionId, text, contract }: WordsInContractProps) {
  const words = useMemo(() => rareWords(text, contract), [text, contract]);
  if (words.length === 0) return null;
  return (
    <p>
      Its words in the contract:{' '}
      {words.map(({ word, places }, index) => (
        <span key={word}>
          {index > 0 && '; '}“<SafeText text={word} />” {places.length === 0 ? 'nowhere' : 'in '}
          {places.map((place, at) => [at > 0 && ', ', <Place key={place} sessionId={sessionId} place={place} />])}
        </span>
      ))}
    </p>
  );
}

/** A link to a place of the contract: the id of a record, or the name of a top-level member. */
function Place({ sessionId, place }: { readonly sessionId: string; readonly place: string }) {
  if (shownParts.value.has(place)) return <IdLink id={place} />;
  return <SectionLinks sessionId={sessionId} sections={[sectionOfMember(place)]} />;
}
