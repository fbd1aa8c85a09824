import { useSignal } from '@preact/signals';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useCall } from '../../ui/requests/use-read.ts';
import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';
import { SaveReport } from './save-report.tsx';

interface ReportCardProps {
  readonly live: LiveSession;
  /** Whether the report is shown before the reader asks for it. */
  readonly isShown: boolean;
}

/** Shows the report of the session, and saves it as a file that can be read without the console. */
export function ReportCard({ live, isShown }: ReportCardProps) {
  const isOpen = useSignal(isShown);
  const { value, error } = useCall(
    'report',
    isOpen.value ? { session_id: live.sessionId, format: 'md' } : null,
    live.version.value,
  );
  return (
    <section class="card stack" id="report" aria-labelledby="report-head">
      <h2 id="report-head">Report</h2>
      <p>
        One page for a reader who has not followed the session: result, what is left to do, each requirement with its
        tests and evidence, what the owner and the agents reported, defects, commits, and the head of the log.
      </p>
      <SaveReport sessionId={live.sessionId} formats={['html', 'md']} />
      <details
        open={isShown}
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>Read it here</summary>
        <Failure error={error} />
        {value ? <LazyMarkdown text={value.text} /> : !error && <p class="waiting">Loading…</p>}
      </details>
    </section>
  );
}
