import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { Badge, roleName, SafeText, When } from '../../ui/shown.tsx';
import { useAction } from '../../ui/use-action.ts';
import { RecordText } from '../record-text.tsx';

interface RecommendationsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

type Recommendation = SessionView['recommendations'][number];

/** The moderator's recommendations, which only the owner sees. */
export function RecommendationsPanel({ live, view }: RecommendationsPanelProps) {
  if (view.recommendations.length === 0) return null;
  return (
    <section class="card" aria-labelledby="recommendations-head">
      <h2 id="recommendations-head">Recommendations</h2>
      <p class="muted">
        The builders do not see these. Your answer tells the moderator what you think; it does nothing else.
      </p>
      <ul class="access">
        {view.recommendations.toReversed().map((recommendation) => (
          <Item key={recommendation.recommendation_id} live={live} view={view} recommendation={recommendation} />
        ))}
      </ul>
    </section>
  );
}

interface ItemProps extends RecommendationsPanelProps {
  readonly recommendation: Recommendation;
}

function Item({ live, view, recommendation }: ItemProps) {
  const { recommendation_id, recommendation: advice, text, targets, made_at, answer } = recommendation;
  return (
    <li>
      <p>
        <strong>{recommendation_id}</strong> <Badge tone="live">{advice}</Badge>{' '}
        <span class="muted">about {targets.map(roleName).join(' and ')}</span> <When at={made_at} />
      </p>
      <RecordText view={view} type="recommendation" id={recommendation_id} text={text} />
      {answer ? (
        <p class="muted">
          You answered {answer.decision} {answer.note && <SafeText text={answer.note} />}
        </p>
      ) : (
        <Answer live={live} recommendationId={recommendation_id} />
      )}
    </li>
  );
}

function Answer({ live, recommendationId }: { readonly live: LiveSession; readonly recommendationId: string }) {
  const note = useSignal('');
  const action = useAction();
  const answer = (decision: 'ACCEPT' | 'REJECT'): void => {
    const said = note.value.trim() === '' ? {} : { note: note.value };
    void action.run(() =>
      live.act('respond-recommendation', { recommendation_id: recommendationId, decision, ...said }),
    );
  };
  return (
    <div class="stack">
      <Field
        label="Note"
        hint="For the moderator; may be left out."
        value={note.value}
        onInput={(value) => {
          note.value = value;
        }}
      />
      <Failure error={action.error} />
      <div class="buttons">
        <button type="button" class="primary" disabled={action.isBusy} onClick={() => answer('ACCEPT')}>
          I take it
        </button>
        <button type="button" disabled={action.isBusy} onClick={() => answer('REJECT')}>
          I do not
        </button>
      </div>
    </div>
  );
}
