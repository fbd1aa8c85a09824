import { useSignal } from '@preact/signals';
import { get } from '../../api/client.ts';
import type { Report } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { saveFile } from '../../ui/controls/save-file.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { useRead } from '../../ui/requests/use-read.ts';
import { LazyMarkdown } from '../../ui/text/lazy-markdown.tsx';

const REPORT_TYPES = { html: 'text/html', md: 'text/markdown' } as const;

interface ReportCardProps {
  readonly live: LiveSession;
  /** Whether the report is shown before the reader asks for it. */
  readonly isShown: boolean;
}

/** Shows the report of the session, and saves it as a file that can be read without the console. */
export function ReportCard({ live, isShown }: ReportCardProps) {
  const path = `/sessions/${live.sessionId}/report`;
  const isOpen = useSignal(isShown);
  const action = useAction();
  const { value, error } = useRead<Report>(isOpen.value ? `${path}?format=md` : null, live.version.value);
  const save = (format: keyof typeof REPORT_TYPES): Promise<boolean> =>
    action.run(async () => {
      const { filename, text } = await get<Report>(path, { format });
      saveFile(filename, new Blob([text], { type: REPORT_TYPES[format] }));
    });
  return (
    <section class="card stack" id="report" aria-labelledby="report-head">
      <h2 id="report-head">Report</h2>
      <p>
        One page for a reader who has not followed the session: result, what is left to do, each requirement with its
        tests and evidence, what the owner and the agents reported, defects, commits, and the head of the log.
      </p>
      <Failure error={action.error} />
      <div class="buttons">
        <button type="button" disabled={action.isBusy} onClick={() => void save('html')}>
          Save the report
        </button>
        <button type="button" disabled={action.isBusy} onClick={() => void save('md')}>
          Save it as Markdown
        </button>
      </div>
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
