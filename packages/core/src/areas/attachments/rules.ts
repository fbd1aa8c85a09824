import { createHash } from 'node:crypto';
import { fail } from '../../kernel/errors.ts';
import type { Builder } from '../../kernel/roles.ts';
import { isStorableText } from '../../kernel/storage/storable.ts';
import { sha256Hex } from '../../kernel/text/hash.ts';
import { pickOf } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { type Attachment, AttachmentView } from './state.ts';

/**
 * Files that builders attach to attempts and gates: logs, captures, pictures, scripts. A text is stored as it is, other content in
 * base64. The service never names the type that a client claims: it looks at the bytes.
 */

export const MAX_ATTACHMENT_BYTES = 1_000_000;
/** Half of the 10 MB of a session: neither side can use up what the other needs. */
const MAX_SIDE_BYTES = 5_000_000;
const MAX_SIDE_FILES = 100;

export const viewAttachment = pickOf(AttachmentView);

/** The attachment of the session with this content. Undefined if there is none. */
export const attachmentOf = ({ attachments }: Pick<SessionState, 'attachments'>, sha256: string) =>
  attachments.find((one) => one.sha256 === sha256);

export interface Content {
  readonly media_type: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What is stored: the text, or base64. */
  readonly body: string;
  readonly document: string;
}

/** The beginnings of the pictures that browsers show, in hex. */
const PICTURES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
];

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as a text. Undefined for what is not UTF-8, or has a character that no storage takes. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = UTF_8.decode(bytes);
    return isStorableText(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** What the bytes are, whatever their name says. */
export function contentOf(bytes: Buffer, base64: string): Content {
  const start = bytes.toString('hex', 0, 12);
  const picture = PICTURES.find(([, pattern]) => pattern.test(start))?.[0];
  const text = picture === undefined ? textOf(bytes) : undefined;
  const body = text ?? base64;
  return {
    media_type: picture ?? (text === undefined ? 'application/octet-stream' : 'text/plain'),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    body,
    document: sha256Hex(body),
  };
}

/** The encoding of the stored content. Empty for a text. */
export const encodingOf = ({ media_type }: Pick<Attachment, 'media_type'>): { readonly encoding?: 'base64' } =>
  media_type === 'text/plain' ? {} : { encoding: 'base64' };

/** Refuses an attachment for which its side has no room. The same content counts once. */
export function requireRoom({ attachments }: SessionState, by: Builder, { sha256, bytes }: Content): void {
  const own = attachments.filter((one) => one.by === by);
  const sizes = new Map(own.map((one) => [one.sha256, one.bytes]));
  const used = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const hint = 'Attach nothing more; name the file and its SHA-256 in the summary of your evidence.';
  if (own.length >= MAX_SIDE_FILES)
    fail('LIMIT_EXCEEDED', `Each agent can attach at most ${MAX_SIDE_FILES} files in a session.`, {
      limit: MAX_SIDE_FILES,
      hint,
    });
  if (!sizes.has(sha256) && used + bytes > MAX_SIDE_BYTES)
    fail('LIMIT_EXCEEDED', `Each agent can attach at most ${MAX_SIDE_BYTES} bytes in a session; you have ${used}.`, {
      limit: MAX_SIDE_BYTES,
      hint,
    });
}
