import { useSignal } from '@preact/signals';
import { visibleLine } from '../../../../src/text/visible.ts';
import type { Message } from '../../../../src/transcript/message.ts';
import type { LogReport, SessionView } from '../../api/answers.ts';
import { call, loadFile } from '../../api/client.ts';
import { announce } from '../../state/announced.ts';
import { type LiveSession, useAllEvents } from '../../state/live-session.ts';
import { go, toInbox } from '../../state/route.ts';
import { forgetErased } from '../../state/sessions.ts';
import { Card, Unfolded } from '../../ui/card.tsx';
import { goToElement, saveFile, useFragment } from '../../ui/controls/browser.ts';
import { DialogButton } from '../../ui/controls/buttons.tsx';
import { FormDialog } from '../../ui/controls/dialog.tsx';
import { bound, Field } from '../../ui/controls/form.tsx';
import { Failure, LazyMarkdown, Pending, useAction, useCall } from '../../ui/requests.tsx';
import { actorName, Badge } from '../../ui/text/shown.tsx';
import { Followups } from './followups.tsx';
import { markdownTranscript, missingEvents } from './markdown-transcript.ts';
import { SaveButtons } from './save-buttons.tsx';

export function exportMarkdown(view: SessionView, events: readonly Message[]): void {
  const nameOf = (role: string): string => view.agents.find((agent) => agent.role === role)?.name ?? actorName(role);
  const text = markdownTranscript(view.title, events, nameOf);
  saveFile(`${view.session_id}.md`, new Blob([text], { type: 'text/markdown' }));
}

interface ReportCardProps {
  readonly live: LiveSession;
  /** Whether the report is shown before the reader asks for it. */
  readonly isShown: boolean;
}

/** Shows the report of the session, and saves it as a file that can be read without the console. */
export function ReportCard({ live, isShown }: ReportCardProps) {
  return (
    <Card class="card stack" id="report" head="report-head" title="Report">
      <p>
        One page for a reader who has not followed the session: result, what is left to do, each requirement with its
        tests and evidence, what the owner and the agents reported, defects, commits, and the head of the log.
      </p>
      <SaveButtons sessionId={live.sessionId} files={['html', 'md']} />
      <Unfolded summary="Read it here" isOpen={isShown}>
        {() => <Report live={live} />}
      </Unfolded>
      <Unfolded summary="Noted for later">{() => <Followups live={live} />}</Unfolded>
    </Card>
  );
}

function Report({ live }: Pick<ReportCardProps, 'live'>) {
  const { value, error } = useCall('report', { session_id: live.sessionId, format: 'md' }, live.version.value);
  return (
    <>
      <Failure error={error} />
      {value ? <LazyMarkdown text={value.text} /> : !error && <Pending />}
    </>
  );
}

/** Matches the id of the report's element. The page of an ended session links to this element. */
const REPORT = /^report$/;

/** The tab on which the owner can verify, export or erase the log. */
export function LogTab({ live }: { readonly live: LiveSession }) {
  const view = live.view.value;
  const report = useSignal<LogReport | null>(null);
  const action = useAction();
  useAllEvents(live);
  useFragment(view !== null, REPORT, goToElement);
  if (!view) return null;
  const verify = (): Promise<boolean> =>
    action.run(async () => {
      report.value = await call('verifyLog', { session_id: live.sessionId });
    });
  const exportLog = (): Promise<boolean> =>
    action.run(async () => saveFile(`${live.sessionId}.jsonl`, await loadFile(`/sessions/${live.sessionId}/log`)));
  const missing = missingEvents(view, live.events.value);
  return (
    <div class="stack">
      <ReportCard live={live} isShown={view.state.status === 'ENDED'} />
      <Card class="card stack" head="chain-head" title="The log">
        <p>
          {view.head.seq} events. Each event contains the SHA-256 of the event before it, so any change breaks the
          chain. The last hash is
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
      </Card>
      <Card class="card stack" head="erase-head" title="Erase">
        <p>Erasing a session removes every event, contract and artifact of it. Export the log first.</p>
        <div class="buttons">
          <DialogButton label="Erase this session…" needs="approver" class="danger">
            {(onClose) => <EraseDialog sessionId={live.sessionId} title={visibleLine(view.title)} onClose={onClose} />}
          </DialogButton>
        </div>
      </Card>
    </div>
  );
}

function Verified({ report }: { readonly report: LogReport }) {
  return (
    <p role="status">
      <Badge tone={report.ok ? 'good' : 'bad'}>{report.ok ? 'the chain is valid' : 'the chain is broken'}</Badge>{' '}
      {`Events read: ${report.events}.`}
    </p>
  );
}

interface EraseDialogProps {
  readonly sessionId: string;
  /** The title of the session as one line. The owner must type it to confirm. */
  readonly title: string;
  readonly onClose: () => void;
}

/** Replaces line breaks and repeated spaces with one space, so that the title can be typed into a field of one line. */
const wordsOf = (text: string): string => text.trim().replace(/\s+/g, ' ');

function EraseDialog({ sessionId, title, onClose }: EraseDialogProps) {
  const typed = useSignal('');
  const erase = async (): Promise<void> => {
    await call('deleteSession', { session_id: sessionId });
    forgetErased(sessionId);
    announce('Erased the session.');
    go(toInbox());
  };
  return (
    <FormDialog
      title="Erase this session"
      confirm="Erase the session"
      isDangerous
      isFilled={wordsOf(typed.value) === wordsOf(title)}
      onSend={erase}
      onClose={onClose}
    >
      <p>
        After the erasure neither you nor the agents can read anything of the session. To continue, type the title of
        the session.
      </p>
      <Field label={`Title: ${title}`} {...bound(typed)} />
    </FormDialog>
  );
}
