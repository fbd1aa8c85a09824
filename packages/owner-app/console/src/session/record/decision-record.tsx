import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { useRecord } from '../../ui/requests/use-record.ts';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Badge, SafeText, When } from '../../ui/text/shown.tsx';
import { WordDiff } from '../../ui/text/word-diff.tsx';
import { DECISION_TONES, DecisionStatus } from '../transcript/decision-status.tsx';

type Decision = SessionView['decisions'][number];

interface DecisionRecordProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  /** The decision. Its position is present even if the decision is closed. */
  readonly decision: Decision;
}

export function DecisionRecord({ live, view, decision }: DecisionRecordProps) {
  const { decision_id, topic, status, position, reason, supersedes, proposed_at } = decision;
  const successor = view.decisions.find((other) => other.supersedes === decision_id);
  return (
    <li class="record">
      <p class="record-head">
        <b>
          <SafeText text={topic} />
        </b>
        <Badge tone={DECISION_TONES[status]}>{status}</Badge>
        <span class="muted">
          <When at={proposed_at} />
        </span>
      </p>
      {position !== null && <Markdown text={position} />}
      {reason && (
        <p class="muted">
          because <LinkedText text={reason} />
        </p>
      )}
      <DecisionStatus view={view} decision={decision} />
      {successor && (
        <Replacement
          label="Replaced by"
          other={successor.decision_id}
          live={live}
          before={decision_id}
          after={successor.decision_id}
        />
      )}
      {supersedes !== null && (
        <Replacement label="Replaces" other={supersedes} live={live} before={supersedes} after={decision_id} />
      )}
    </li>
  );
}

interface ReplacementProps {
  readonly label: string;
  readonly other: string;
  readonly live: LiveSession;
  /** The id of the superseded decision. */
  readonly before: string;
  /** The id of the decision that replaced `before`. */
  readonly after: string;
}

/** Shows a link to the decision `other`, and the words in which the positions of `before` and `after` differ. */
function Replacement({ label, other, live, before, after }: ReplacementProps) {
  const earlier = usePosition(live, before);
  const later = usePosition(live, after);
  return (
    <section class="replacement" aria-label={`${label} ${other}`}>
      <h3>
        {label} <IdLink id={other} />
      </h3>
      <p class="muted">
        Words of {before} that {after} removed are struck out. Words that {after} added are underlined.
      </p>
      {earlier !== null && later !== null ? (
        <WordDiff before={earlier} after={later} />
      ) : (
        <p class="waiting">Loading…</p>
      )}
    </section>
  );
}

function usePosition(live: LiveSession, id: string): string | null {
  return useRecord(live.sessionId, 'decision', id).record?.position ?? null;
}
