import type { BriefAnswer } from '../../api/types.ts';
import { Ago } from '../../ui/text/ago.tsx';
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
          <Badge tone={review.verdict === 'APPROVE' ? 'good' : 'warn'}>{review.verdict}</Badge>{' '}
          <SafeText text={review.summary} />
        </p>
      )}
      {shown.map((advice) => (
        <AdviceItem key={advice.recommendation_id} advice={advice} />
      ))}
    </section>
  );
}

function AdviceItem({
  advice: { recommendation_id, recommendation, text, made_at, answer },
}: {
  readonly advice: Advice;
}) {
  return (
    <p class="quoted">
      <Badge tone="live">{recommendation}</Badge> <code>{recommendation_id}</code>, <When at={made_at} />
      {answer ? `, which you answered ${answer.decision}` : ', not answered'}: <SafeText text={text ?? ''} />
    </p>
  );
}
