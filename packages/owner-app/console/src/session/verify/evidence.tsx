import '../../styles/transcript.css';
import { runParts } from '@parley/core/words';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { levelOfRun } from '../../../../src/text/record-words.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { Message } from '../../../../src/transcript/message.ts';
import type { Board } from '../../api/answers.ts';
import { callOn } from '../../api/client.ts';
import { route } from '../../state/route.ts';
import { setting } from '../../state/setting.ts';
import { saveFile } from '../../ui/controls/browser.ts';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Failure, useAction } from '../../ui/requests.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { TextBox } from '../../ui/text/markdown.tsx';
import { Level } from '../../ui/text/marks.tsx';
import { Badge, Hash, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { BUILDERS, type Builder } from '../records.ts';
import { Parts } from '../transcript/message.tsx';

export type Attempt = Board['scenarios'][number]['attempts'][number];

type Evidence = Attempt['evidence'][number];

/** The content of one item of evidence. */
export interface SeenEvidence extends Pick<Evidence, 'kind' | 'request_id' | 'assertions' | 'run'> {
  readonly by: string;
  readonly claim: string;
  readonly summary: string;
  readonly submitted_at: string;
}

type Assertion = NonNullable<Evidence['assertions']>[number];

/**
 * Returns the evidence of an attempt. The evidence is read from the session's events, because the board of all
 * scenarios does not contain the claims, summaries and assertions. A report of a workflow can be from before the attempt: the board
 * lists it by its id.
 */
export function evidenceIn(
  events: readonly Message[],
  scenarioId: string,
  { attempt, evidence }: Pick<Attempt, 'attempt' | 'evidence'>,
): SeenEvidence[] {
  const ids = new Set(evidence.map(({ message_id }) => message_id));
  return events.flatMap(({ id, kind, body, from, at }): SeenEvidence[] => {
    if (kind === 'evidence.submitted' && body.scenario_id === scenarioId && body.attempt === attempt)
      return [{ ...body, by: from, submitted_at: at }];
    const isReport = kind === 'evidence.reported' && body.scenario_id === scenarioId;
    return isReport && (body.attempt === attempt || ids.has(id)) ? [{ ...body, submitted_at: at }] : [];
  });
}

/** Returns the evidence of an attempt that an answer of the service contains in full. */
export const seenIn = ({ evidence }: Pick<Attempt, 'evidence'>): SeenEvidence[] =>
  evidence.map((item) => ({
    ...item,
    claim: item.claim ?? '',
    summary: item.summary ?? '',
    submitted_at: item.submitted_at ?? '',
  }));

type Attachment = NonNullable<Attempt['attachments']>[number];

/**
 * The files that agents attached. A text is shown as text, a picture as a picture, and everything else is only saved. The page never
 * gives a file to the browser under a type that could run: the service says what the bytes are.
 */
export function Attachments({ files }: { readonly files: readonly Attachment[] | undefined }) {
  if (!files) return null;
  return (
    <ul class="attachments" aria-label="Attached files">
      {files.map((file) => (
        <AttachmentItem key={file.message_id} file={file} />
      ))}
    </ul>
  );
}

function AttachmentItem({ file }: { readonly file: Attachment }) {
  const { filename, by, bytes, sha256, media_type } = file;
  const action = useAction();
  const content = useSignal<Uint8Array<ArrayBuffer> | null>(null);
  const isShown = media_type === 'text/plain' || media_type.startsWith('image/');
  const save = async (): Promise<void> =>
    saveFile(filename, new Blob([await read(sha256)], { type: 'application/octet-stream' }));
  const show = async (): Promise<void> => {
    content.value = await read(sha256);
  };
  return (
    <li>
      <SafeText text={filename} />{' '}
      <span class="muted">
        {media_type}, {bytes.toLocaleString('en-US')} bytes, of <Role of={by} />, SHA-256 <Hash value={sha256} />
      </span>{' '}
      {isShown && (
        <button type="button" class="link" disabled={action.isBusy} onClick={() => void action.run(show)}>
          Show
        </button>
      )}{' '}
      <button type="button" class="link" disabled={action.isBusy} onClick={() => void action.run(save)}>
        Save
      </button>
      {action.error && <Failure error={action.error} />}
      {content.value && (
        <Dialog title={visible(filename)} isRead onClose={setting(content, null)}>
          {media_type === 'text/plain' ? <Text bytes={content.value} /> : <Picture file={file} bytes={content.value} />}
        </Dialog>
      )}
    </li>
  );
}

/** Maximum number of characters of a text on the page. The saved file has all of them. */
const SHOWN_CHARS = 200_000;

function Text({ bytes }: { readonly bytes: Uint8Array<ArrayBuffer> }) {
  const text = new TextDecoder().decode(bytes);
  const more = text.length - SHOWN_CHARS;
  const note = more > 0 ? `\n… and ${more} more characters in the saved file` : '';
  return <TextBox text={text.slice(0, SHOWN_CHARS) + note} />;
}

function Picture({ file, bytes }: { readonly file: Attachment; readonly bytes: Uint8Array<ArrayBuffer> }) {
  const address = useSignal('');
  useEffect(() => {
    address.value = URL.createObjectURL(new Blob([bytes], { type: file.media_type }));
    return () => URL.revokeObjectURL(address.value);
  }, [bytes]);
  return address.value === '' ? null : <img class="attachment" src={address.value} alt={visible(file.filename)} />;
}

/** Reads the content of an attachment of the open session, in as many pieces as it needs. */
async function read(sha256: string): Promise<Uint8Array<ArrayBuffer>> {
  const sessionId = route.value.page === 'session' ? route.value.sessionId : '';
  for (let text = ''; ; ) {
    const { content, encoding, left_out } = await callOn(sessionId, 'artifact', {
      filename: sha256,
      from: text.length,
    });
    text += content;
    if (left_out && content !== '') continue;
    if (encoding === undefined) return new TextEncoder().encode(text);
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  }
}

interface BothSidesProps {
  readonly evidence: readonly SeenEvidence[];
  readonly verdict: Attempt['verdict'];
  /** Whether the page has all evidence of the attempt. Default: true. */
  readonly isWhole?: boolean;
}

/** The evidence that each agent gave for an attempt, and the verdict. */
export const BothSides = ({ evidence, verdict, isWhole = true }: BothSidesProps) => (
  <>
    <div class="both-sides">
      {BUILDERS.map((by) => (
        <Side key={by} {...{ by, evidence, isWhole }} />
      ))}
    </div>
    {verdict && (
      <p>
        <Role of={verdict.by} /> <Badge tone={verdict.verdict === 'PASS' ? 'good' : 'bad'}>{verdict.verdict}</Badge>{' '}
        {verdict.note !== null && <LinkedText text={verdict.note} />} <When at={verdict.given_at} />
      </p>
    )}
  </>
);

interface SideProps extends Required<Pick<BothSidesProps, 'evidence' | 'isWhole'>> {
  readonly by: Builder;
}

function Side({ by, evidence, isWhole }: SideProps) {
  const own = evidence.filter((item) => item.by === by);
  return (
    <div>
      <Role of={by} />
      {own.length === 0 && <p class="muted">{isWhole ? 'No evidence yet.' : 'Loading…'}</p>}
      {own.map((item) => (
        <EvidenceItem key={`${item.submitted_at} ${item.request_id} ${item.claim}`} item={item} />
      ))}
    </div>
  );
}

function EvidenceItem({ item }: { readonly item: SeenEvidence }) {
  const { kind, claim, summary, request_id, assertions = [], run, submitted_at } = item;
  return (
    <div class="evidence">
      <p>
        <Badge>{kind}</Badge> <Level of={levelOfRun(run)} /> <code>{visible(request_id)}</code>{' '}
        <When at={submitted_at} />
      </p>
      {run && <Parts parts={runParts(run)} words={[]} />}
      <p>
        {run && <span class="muted">The agent says: </span>}
        <LinkedText in="strong" text={claim} />
      </p>
      <LinkedText in="p" text={summary} />
      {assertions.length > 0 && (
        <ul>
          {assertions.map((assertion) => (
            <AssertionItem key={assertion.name} assertion={assertion} />
          ))}
        </ul>
      )}
      {run?.output && (
        <details>
          <summary>End of the output</summary>
          <pre>{visible(run.output)}</pre>
        </details>
      )}
    </div>
  );
}

function AssertionItem({ assertion: { name, expected, actual, passed } }: { readonly assertion: Assertion }) {
  return (
    <li>
      <Badge tone={passed ? 'good' : 'bad'}>{passed ? '✓ holds' : '✗ fails'}</Badge> <SafeText text={name} />
      {expected !== undefined && actual !== undefined && (
        <span class="muted">
          {': '}
          <SafeText text={`expected ${plain(expected)}, was ${plain(actual)}`} />
        </span>
      )}
    </li>
  );
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
