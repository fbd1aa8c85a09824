import type { BriefAnswer } from '../../api/types.ts';
import { Ago } from '../../ui/text/ago.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, SafeText, When } from '../../ui/text/shown.tsx';

type Advice = BriefAnswer['moderator']['open_advice'][number];

/** The part of a brief about the moderator: the moderator's advice on the step, or a note that there is no advice. */
export function BriefModerator({ brief: { moderator } }: { readonly brief: BriefAnswer }) {
  const { takes_part, review, open_advice, last_advice, awaited_since } = moderator;
  const shown = open_advice.length > 0 ? open_advice : last_advice ? [last_advice] : [];
  if (!takes_part && !review && shown.length === 0) return null;
  return (
    <section>
      <h3>The moderator</h3>
      {awaited_since && (
        <p>
          <Badge tone="warn">no advice yet</Badge> This step became possible <Ago at={awaited_since} />. You can wait
          for the advice.
        </p>
      )}
      {review && (
        <p class="quoted">
          About <IdLink id={review.revision_id} />:{' '}
          <Badge tone={review.verdict === 'APPROVE' ? 'good' : 'warn'}>{review.verdict}</Badge>{' '}
          <SafeText text={review.summary} />
        </p>
      )}
      {shown.map((advice) => (
        <AdviceItem key={advice.recommendation_id} advice={advice} isEarlier={awaited_since !== null} />
      ))}
    </section>
  );
}

function AdviceItem({
  advice: { recommendation_id, recommendation, text, made_at, answer },
  isEarlier,
}: {
  readonly advice: Advice;
  /** Whether the advice is about an earlier step than the one that the brief is about. */
  readonly isEarlier: boolean;
}) {
  return (
    <p class="quoted">
      {isEarlier && 'About an earlier step: '}
      <Badge tone="live">{recommendation}</Badge> <IdLink id={recommendation_id} />, <When at={made_at} />
      {answer ? `, which you answered ${answer.decision}` : ', not answered'}: <SafeText text={text ?? ''} />
    </p>
  );
}
