import { useSignal } from '@preact/signals';
import { visibleLine } from '../../../../src/text/visible.ts';
import { get, loadFile, remove } from '../../api/client.ts';
import type { LogReport } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { forgetSession } from '../../state/overview.ts';
import { go, toSessions } from '../../state/route.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Badge } from '../../ui/shown.tsx';
import { useAction } from '../../ui/use-action.ts';
import { exportMarkdown } from './export-markdown.ts';
import { missingEvents } from './markdown-transcript.ts';

/** The tab on which the owner verifies, exports or erases the log. */
export function LogTab({ live }: { readonly live: LiveSession }) {
  const view = live.view.value;
  const report = useSignal<LogReport | null>(null);
  const isErasing = useSignal(false);
  const action = useAction();
  if (!view) return null;
  const path = `/sessions/${live.sessionId}`;
  const verify = (): Promise<boolean> =>
    action.run(async () => {
      report.value = await get<LogReport>(`${path}/verify-log`);
    });
  const exportLog = (): Promise<boolean> =>
    action.run(async () => saveFile(`${live.sessionId}.jsonl`, await loadFile(`${path}/log`)));
  const missing = missingEvents(view, live.events.value);
  return (
    <div class="stack">
      <section class="card stack" aria-labelledby="chain-head">
        <h2 id="chain-head">The log</h2>
        <p>
          {view.head.seq} events. Each holds the SHA-256 of the one before it, so a change anywhere breaks the chain.
          The last hash is
        </p>
        <p class="full-hash">
          <code>{view.head.hash}</code>
        </p>
        <Failure error={action.error} />
        {report.value && <Verified report={report.value} />}
        <div class="buttons">
          <button type="button" class="primary" disabled={action.isBusy} onClick={() => void verify()}>
            Verify the log
          </button>
          <button type="button" disabled={action.isBusy} onClick={() => void exportLog()}>
            Export as JSON lines
          </button>
          <button type="button" disabled={missing !== null} onClick={() => exportMarkdown(view, live.events.value)}>
            Export as Markdown
          </button>
        </div>
        {missing !== null && <p class="muted">{missing}</p>}
      </section>
      <section class="card stack" aria-labelledby="erase-head">
        <h2 id="erase-head">Erase</h2>
        <p>Erasing a session removes every event, contract and artifact of it. Export the log first.</p>
        <div class="buttons">
          <button
            type="button"
            class="danger"
            onClick={() => {
              isErasing.value = true;
            }}
          >
            Erase this session…
          </button>
        </div>
      </section>
      {isErasing.value && (
        <EraseDialog
          sessionId={live.sessionId}
          title={visibleLine(view.title)}
          onClose={() => {
            isErasing.value = false;
          }}
        />
      )}
    </div>
  );
}

function Verified({ report }: { readonly report: LogReport }) {
  return (
    <p role="status">
      <Badge tone={report.ok ? 'good' : 'bad'}>{report.ok ? 'the chain holds' : 'the chain is broken'}</Badge>{' '}
      {`Events read: ${report.events}.`}
    </p>
  );
}

interface EraseDialogProps {
  readonly sessionId: string;
  /** The title that the owner must type, in one line. */
  readonly title: string;
  readonly onClose: () => void;
}

/** A title without line breaks and repeated spaces, because the owner types it into a field of one line. */
const wordsOf = (text: string): string => text.trim().replace(/\s+/g, ' ');

function EraseDialog({ sessionId, title, onClose }: EraseDialogProps) {
  const typed = useSignal('');
  const action = useAction();
  const erase = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(await action.run(() => remove(`/sessions/${sessionId}`)))) return;
    forgetSession(sessionId);
    go(toSessions());
  };
  return (
    <Dialog title="Erase this session" onClose={onClose}>
      <form onSubmit={(event) => void erase(event)}>
        <p>Nothing of it is left afterwards, here or for the agents. Type its title to go on.</p>
        <Field
          label={`Title: ${title}`}
          value={typed.value}
          onInput={(value) => {
            typed.value = value;
          }}
        />
        <Failure error={action.error} />
        <button type="submit" class="danger" disabled={wordsOf(typed.value) !== wordsOf(title) || action.isBusy}>
          Erase it
        </button>
      </form>
    </Dialog>
  );
}
