import { useSignal } from '@preact/signals';
import { actingIn, nextSentences } from '../../../../src/text/inbox.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { SessionView } from '../../api/answers.ts';
import type { SessionDialogProps, SessionProps } from '../../state/live-session.ts';
import { setting } from '../../state/setting.ts';
import { Card, Heads } from '../../ui/card.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { bound } from '../../ui/controls/form.tsx';
import { Failure, LazyMarkdown, useCall } from '../../ui/requests.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { TextBox, WideBox } from '../../ui/text/markdown.tsx';
import { Badge, Hash, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { AuthorizeButton } from '../brief/authorize.tsx';
import { ApprovalLine } from '../brief/brief.tsx';
import { hasFewSteps, isShownDecision } from '../brief/steps.ts';
import { BUILDERS, type Builder } from '../records.ts';

/** The frozen manifest, and the confirmations of its artifacts. */
export function ManifestPanel({ live, view }: SessionProps) {
  const opened = useSignal<string | null>(null);
  const { manifest } = view;
  if (!manifest) return null;
  return (
    <Card head="manifest-head" title={`Manifest ${manifest.manifest_id}`}>
      <p class="facts">
        <span>{manifest.revision_id}</span>
        <span>
          contract <Hash value={manifest.content_hash} />
        </span>
        <span>
          manifest <Hash value={manifest.manifest_sha256} />
        </span>
        <span>fixture {visible(manifest.fixture_version)}</span>
        <span>
          frozen <When at={manifest.frozen_at} />
        </span>
      </p>
      {view.approvals
        .filter(({ stage }) => stage === 'approval' || stage === 'build')
        .map((approvals) => (
          <ApprovalLine key={approvals.stage} approvals={approvals} />
        ))}
      <Artifacts view={view} onOpen={bound(opened).onChange} />
      {opened.value !== null && <ArtifactDialog live={live} filename={opened.value} onClose={setting(opened, null)} />}
    </Card>
  );
}

/** Whether readiness reports are shown. In a session with few steps no agent is asked for one, but may give one. */
export const hasReadiness = (view: SessionView): boolean =>
  view.manifest !== null && (!hasFewSteps(view) || view.readiness.length > 0);

/** The readiness reports of both builders, and the button that authorizes the build. */
export function ReadinessPanel({ live, view }: SessionProps) {
  if (!hasReadiness(view)) return null;
  return (
    <Card head="reports-head" title="Readiness reports">
      <Reports view={view} />
      <AuthorizeBuild live={live} view={view} />
    </Card>
  );
}

interface ArtifactsProps {
  readonly view: SessionView;
  readonly onOpen: (filename: string) => void;
}

function Artifacts({ view, onOpen }: ArtifactsProps) {
  const { manifest } = view;
  return (
    <WideBox>
      <table class="artifacts">
        <Heads of={['Artifact', 'Bytes', 'SHA-256', 'Received by']} />
        <tbody>
          {manifest?.artifacts.map((artifact) => (
            <Artifact key={artifact.filename} {...{ view, artifact, onOpen }} />
          ))}
        </tbody>
      </table>
    </WideBox>
  );
}

type Frozen = NonNullable<SessionView['manifest']>['artifacts'][number];

interface ArtifactProps extends ArtifactsProps {
  readonly artifact: Frozen;
}

function Artifact({ view, artifact: { filename, bytes, sha256, assigned_to }, onOpen }: ArtifactProps) {
  const hasIt = (role: Builder): boolean => view.receipts[role].includes(filename);
  // In a session with few steps no agent is asked for a confirmation, but may give one.
  const named = hasFewSteps(view) ? assigned_to.filter(hasIt) : assigned_to;
  return (
    <tr>
      <td>
        <button type="button" class="link" onClick={() => onOpen(filename)}>
          <SafeText text={filename} />
        </button>
      </td>
      <td data-label="Bytes">{bytes}</td>
      <td data-label="SHA-256">
        <Hash value={sha256} />
      </td>
      <td data-label="Received by">
        {named.length === 0 && <span class="muted">no confirmation is required</span>}
        {named.map((role) => (
          <span key={role}>
            <Badge
              tone={hasIt(role) ? 'good' : 'plain'}
            >{`${roleName(role)} ${hasIt(role) ? '✓' : 'not yet'}`}</Badge>{' '}
          </span>
        ))}
      </td>
    </tr>
  );
}

function Reports({ view }: { readonly view: SessionView }) {
  return (
    <ul class="reports">
      {BUILDERS.map((role) => {
        const report = view.readiness.find(({ by }) => by === role);
        return (
          <li key={role}>
            <Role of={role} />{' '}
            <Badge tone={!report ? 'plain' : report.verdict === 'READY_TO_CODE' ? 'good' : 'bad'}>
              {report?.verdict ?? 'no report yet'}
            </Badge>
            {report && report.blockers.length > 0 && (
              <ul class="bullets">
                {report.blockers.map((blocker) => (
                  <SafeText key={blocker} in="li" text={blocker} />
                ))}
              </ul>
            )}
            {report && <Answers answers={report.answers} />}
          </li>
        );
      })}
    </ul>
  );
}

const CHECK_TONES = { UNCHECKED: 'plain', CONFIRMED: 'good', DISPUTED: 'bad' } as const;

type Answer = SessionView['readiness'][number]['answers'][number];

/**
 * Shows the answers in free text. Questions of older manifests can also have exact answers. The service has checked
 * these answers, and they are folded here.
 */
function Answers({ answers }: { readonly answers: readonly Answer[] }) {
  const exact = answers.filter(({ kind }) => kind === 'exact');
  return (
    <>
      <AnswerList answers={answers.filter(({ kind }) => kind === 'free')} />
      {exact.length > 0 && (
        <details>
          <summary>{`Exact answers: ${exact.length}`}</summary>
          <AnswerList answers={exact} />
        </details>
      )}
    </>
  );
}

function AnswerList({ answers }: { readonly answers: readonly Answer[] }) {
  if (answers.length === 0) return null;
  return (
    <dl class="answers quote">
      {answers.map(({ question_id, text, answer, check, finding_id }) => (
        <div key={question_id}>
          <dt>
            <LinkedText text={text} />{' '}
            <Badge tone={CHECK_TONES[check]}>{finding_id ? `${check} by ${finding_id}` : check}</Badge>
          </dt>
          <SafeText in="dd" text={answer} />
        </div>
      ))}
    </dl>
  );
}

function AuthorizeBuild({ live, view }: SessionProps) {
  if (view.state.phase !== 'READINESS' || isShownDecision(view, 'build')) return null;
  const isReady = view.waits.some(({ kind }) => kind === 'BUILD');
  return (
    <div class="stack">
      <AuthorizeButton live={live} view={view} stage="build" />
      {!isReady && <p class="muted">{nextSentences(actingIn(view), roleName)}</p>}
    </div>
  );
}

interface ArtifactDialogProps extends Omit<SessionDialogProps, 'view'> {
  readonly filename: string;
}

function ArtifactDialog({ live, filename, onClose }: ArtifactDialogProps) {
  const { value, error } = useCall('artifact', { session_id: live.sessionId, filename }, 0);
  return (
    <Dialog title={visible(filename)} onClose={onClose}>
      {error && <Failure error={error} />}
      {value?.media_type === 'text/markdown' && <LazyMarkdown text={value.content} />}
      {value && value.media_type !== 'text/markdown' && <TextBox text={value.content} />}
    </Dialog>
  );
}
