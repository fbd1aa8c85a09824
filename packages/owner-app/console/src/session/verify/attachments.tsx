import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { callOn } from '../../api/client.ts';
import { route } from '../../state/route.ts';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { saveFile } from '../../ui/controls/save-file.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { Hash, Role, SafeText } from '../../ui/text/shown.tsx';
import type { Attempt } from './seen-evidence.ts';

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
        <Dialog
          title={visible(filename)}
          isRead
          onClose={() => {
            content.value = null;
          }}
        >
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <pre class="json" tabIndex={0}>
      <SafeText text={text.slice(0, SHOWN_CHARS)} />
      {text.length > SHOWN_CHARS && `\n… and ${text.length - SHOWN_CHARS} more characters in the saved file`}
    </pre>
  );
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
