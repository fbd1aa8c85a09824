import type { SessionView } from '../../api/types.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { DialogButton } from '../../ui/controls/dialog-button.tsx';
import { Badge, Hash, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';

const TONES = { APPROVE: 'good', REQUEST_CHANGES: 'bad', COMMENT: 'plain' } as const;

/** The reviews. Each review is about exactly one revision, which is identified by its hash. */
export function ReviewsPanel({ live, view }: SessionProps) {
  const { reviews, moderator_reviews } = view;
  const valid = moderator_reviews.find(
    ({ outdated, verdict, override_reason }) => !outdated && verdict === 'REQUEST_CHANGES' && override_reason === null,
  );
  const canOverride = valid !== undefined && view.state.phase === 'CONTRACT';
  return (
    <section class="card" aria-labelledby="reviews-head">
      <h2 id="reviews-head">Reviews</h2>
      {reviews.length + moderator_reviews.length === 0 && <p class="muted">None yet.</p>}
      <ul class="reviews">
        {reviews.map(({ by, revision_id, content_hash, verdict, caveats, outdated, submitted_at }) => (
          <li key={by} class={outdated ? 'outdated' : undefined}>
            <p>
              <Role of={by} /> <Badge tone={TONES[verdict]}>{verdict}</Badge> {revision_id}{' '}
              <Hash value={content_hash} /> {outdated && <Badge>outdated</Badge>} <When at={submitted_at} />
            </p>
            {caveats.length > 0 && (
              <ul>
                {caveats.map((caveat) => (
                  <li key={caveat}>
                    <SafeText text={caveat} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {moderator_reviews.map((review) => (
          <ModeratorReview key={review.revision_id} review={review} />
        ))}
      </ul>
      <DialogButton label="Override the moderator's review" needs="approver" isOffered={canOverride}>
        {(onClose) => (
          <ReasonDialog
            live={live}
            title="Override the moderator's review"
            explanation="The moderator's request for changes no longer blocks the approval. Everybody in the session can read your reason."
            confirm="Override the review"
            onConfirm={(reason, seen) => live.act('overrideReview', { role: 'moderator', reason, ...seen })}
            onClose={onClose}
          />
        )}
      </DialogButton>
    </section>
  );
}

function ModeratorReview({ review }: { readonly review: SessionView['moderator_reviews'][number] }) {
  const { revision_id, content_hash, verdict, summary, dimensions, outdated, override_reason, submitted_at } = review;
  return (
    <li class={outdated ? 'outdated' : undefined}>
      <p>
        <Role of="moderator" /> <Badge tone={TONES[verdict]}>{verdict}</Badge> {revision_id}{' '}
        <Hash value={content_hash} /> {outdated && <Badge>outdated</Badge>} <When at={submitted_at} />
      </p>
      <p>
        <SafeText text={summary} />
      </p>
      <ul>
        {dimensions.map(({ name, score, note }) => (
          <li key={name}>
            <SafeText text={name} />: {score} of 5 {note && <SafeText text={note} />}
          </li>
        ))}
      </ul>
      {override_reason !== null && (
        <p class="muted">
          Overridden by the owner: <SafeText text={override_reason} />
        </p>
      )}
    </li>
  );
}
