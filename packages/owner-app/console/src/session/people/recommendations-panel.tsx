import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { LeftDraft } from '../../ui/controls/left-draft.tsx';
import { Badge, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { notePlace } from '../answers/draft-places.ts';
import { RespondForm } from '../answers/respond-form.tsx';
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
  const place = notePlace(view.session_id, recommendation_id);
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
            The owner answered {answer.decision}
            {answer.note && (
              <>
                : “<SafeText text={answer.note} />”
              </>
            )}
          </p>
          <LeftDraft place={place}>
            The recommendation was answered meanwhile, in another tab, on the command line or by another person.
          </LeftDraft>
        </>
      ) : (
        <RespondForm place={place} act={(operation, input) => live.act(operation, input)} />
      )}
    </li>
  );
}
