import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { FindingItem, isOpenFinding, type ShownContract } from './finding-item.tsx';

interface FindingsPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  /** The revision that the page shows. Left out if there is none. */
  readonly shown?: ShownContract;
}

/** The findings of the reviewer and the moderator, with their holds. Open findings come first. */
export function FindingsPanel({ live, view, shown }: FindingsPanelProps) {
  const { findings } = view;
  if (findings.length === 0) return null;
  const open = findings.filter(isOpenFinding);
  const sorted = [...open, ...findings.filter((finding) => !isOpenFinding(finding))];
  return (
    <section class="card" aria-labelledby="findings-head">
      <h2 id="findings-head">
        Findings ({open.length} open of {findings.length})
      </h2>
      <ul class="findings">
        {sorted.map((finding) => (
          <FindingItem key={finding.finding_id} live={live} view={view} finding={finding} shown={shown} />
        ))}
      </ul>
    </section>
  );
}
