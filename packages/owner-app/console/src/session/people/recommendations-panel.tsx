import { type DraftPlace, draftAt, keepDraft, sendDraft } from '../../api/drafts.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Field } from '../../ui/controls/field.tsx';
import { LeftDraft } from '../../ui/controls/left-draft.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { Badge, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { RecordText } from '../record-text.tsx';

interface RecommendationsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

type Recommendation = SessionView['recommendations'][number];

/** The moderator's recommendations to the owner. The builders do not see them. */
export function RecommendationsPanel({ live, view }: RecommendationsPanelProps) {
  if (view.recommendations.length === 0) return null;
  return (
    <section class="card" aria-labelledby="recommendations-head">
      <h2 id="recommendations-head">Recommendations</h2>
      <p class="muted">
        The builders do not see these recommendations. Your answer tells the moderator what you think; it does nothing
        else.
      </p>
      <ul class="access">
        {view.recommendations.toReversed().map((recommendation) => (
          <RecommendationItem
            key={recommendation.recommendation_id}
            live={live}
            view={view}
            recommendation={recommendation}
          />
        ))}
      </ul>
    </section>
  );
}

interface RecommendationItemProps extends RecommendationsPanelProps {
  readonly recommendation: Recommendation;
}

/** A recommendation with the owner's answer, or with the fields for the answer if the owner has not answered yet. */
export function RecommendationItem({ live, view, recommendation }: RecommendationItemProps) {
  const { recommendation_id, recommendation: advice, text, targets, made_at, answer } = recommendation;
  const place = { sessionId: view.session_id, record: recommendation_id, form: 'note' };
  return (
    <li>
      <p>
        <strong>{recommendation_id}</strong> <Badge tone="live">{advice}</Badge>{' '}
        <span class="muted">about {targets.map(roleName).join(' and ')}</span> <When at={made_at} />
      </p>
      <RecordText view={view} type="recommendation" id={recommendation_id} text={text} />
      {answer ? (
        <>
          <p class="muted">
            The owner answered {answer.decision} {answer.note && <SafeText text={answer.note} />}
          </p>
          <LeftDraft place={place}>
            The recommendation was answered meanwhile, in another tab, by command or by another person.
          </LeftDraft>
        </>
      ) : (
        <Answer live={live} place={place} />
      )}
    </li>
  );
}

function Answer({ live, place }: { readonly live: LiveSession; readonly place: DraftPlace }) {
  const action = useAction();
  const note = draftAt(place);
  const answer = (decision: 'ACCEPT' | 'REJECT'): void => {
    const input = { recommendation_id: place.record, decision, ...(note.trim() === '' ? {} : { note }) };
    void action.run(() => sendDraft(place, () => live.act('respond-recommendation', input)));
  };
  return (
    <div class="stack">
      <Field
        label="Note"
        hint="Optional. The moderator can read your note."
        value={note}
        onInput={(value) => keepDraft(place, value)}
      />
      <Failure error={action.error} />
      <div class="buttons">
        <WriteButton class="primary" disabled={action.isBusy} onClick={() => answer('ACCEPT')}>
          Accept
        </WriteButton>
        <WriteButton disabled={action.isBusy} onClick={() => answer('REJECT')}>
          Reject
        </WriteButton>
      </div>
    </div>
  );
}
