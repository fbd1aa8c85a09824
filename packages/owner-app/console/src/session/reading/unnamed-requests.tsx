import { isUnnamed, unnamedRequestText } from '../../../../src/text/records/unnamed-request.ts';
import type { BriefAnswer } from '../../api/types.ts';
import { toMessage } from '../../state/route.ts';
import { Folded } from '../../ui/text/folded.tsx';
import { Link } from '../../ui/text/link.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { SafeText } from '../../ui/text/shown.tsx';

type Request = BriefAnswer['requests'][number];

interface UnnamedRequestsProps {
  readonly sessionId: string;
  readonly requests: readonly Request[];
  /** The revision whose reason the page shows. Its reason is not repeated here. */
  readonly shownId?: string;
}

/** Maximum number of characters of a request that is shown unfolded. */
const SHORT_CHARS = 400;

/**
 * The requests of the owner that no reason of a revision names, with their words. The owner has to compare them with
 * the contract.
 */
export function UnnamedRequests({ sessionId, requests, shownId }: UnnamedRequestsProps) {
  const unnamed = requests.filter(isUnnamed);
  if (unnamed.length === 0) return null;
  return (
    <section class="failure">
      <h3>Check before the approval</h3>
      {unnamed.map(({ message_id, answered_by, answer, text }) => (
        <div key={message_id}>
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
        </div>
      ))}
    </section>
  );
}
