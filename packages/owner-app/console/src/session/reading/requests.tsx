import type { BriefAnswer } from '../../api/types.ts';
import { toMessage } from '../../state/route.ts';
import { Link } from '../../ui/text/link.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { SafeText } from '../../ui/text/shown.tsx';

interface RequestsProps {
  readonly sessionId: string;
  readonly requests: BriefAnswer['requests'];
}

/**
 * The owner's requests for changes. Each request is shown with the revision that names it as a cause, otherwise with the
 * first revision after it, and with the reason of that revision. Only the owner can judge whether the revision does what
 * was requested.
 */
export function Requests({ sessionId, requests }: RequestsProps) {
  if (requests.length === 0) return null;
  return (
    <section>
      <h3>Your requests for changes</h3>
      <ul>
        {requests.map(({ message_id, returned, text, answered_by, answer, is_named }) => (
          <li key={message_id}>
            <Link to={toMessage(sessionId, message_id)}>{`#${message_id} to ${returned}`}</Link>:{' '}
            <SafeText text={text} />
            <p class="reply">
              {answered_by ? (
                <>
                  <IdLink id={answered_by} />{' '}
                  {is_named
                    ? 'names this request as its cause'
                    : 'was submitted after this request and does not name it as a cause'}
                  : <SafeText text={answer ?? ''} />
                </>
              ) : (
                'No revision was submitted after this request yet.'
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
