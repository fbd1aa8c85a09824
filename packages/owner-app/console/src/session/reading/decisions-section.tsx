import type { SessionView } from '../../api/types.ts';
import { Folded } from '../../ui/text/folded.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Badge } from '../../ui/text/shown.tsx';
import { DECISION_TONES } from '../transcript/decision-status.tsx';

/** If a decision's position has more characters than this, it is folded. */
const LONG_CHARS = 700;

interface DecisionsSectionProps {
  readonly view: SessionView;
  readonly ids: readonly string[];
}

export function DecisionsSection({ view, ids }: DecisionsSectionProps) {
  return (
    <>
      {ids.map((id) => (
        <NamedDecision key={id} view={view} id={id} />
      ))}
    </>
  );
}

function NamedDecision({ view, id }: { readonly view: SessionView; readonly id: string }) {
  const decision = view.decisions.find(({ decision_id }) => decision_id === id);
  const position = decision?.position ?? '';
  return (
    <div class="part" id={`part-${id}`}>
      <h4>
        <IdLink id={id} /> {decision && <LinkedText text={decision.topic} />}{' '}
        {decision && decision.status !== 'RESOLVED' && (
          <Badge tone={DECISION_TONES[decision.status]}>{decision.status}</Badge>
        )}
      </h4>
      {position !== '' && (
        <Folded isLong={position.length > LONG_CHARS} of={id}>
          <Markdown text={position} />
        </Folded>
      )}
    </div>
  );
}
