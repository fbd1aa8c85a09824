import { watchSilence } from '../../text/silence.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** The most bytes of an answer in JSON, and of one line of a stream. A whole session as JSON is smaller. */
const MOST_BYTES = 16_000_000;
/** The most bytes of a file that is downloaded, such as an exported log. */
const MOST_FILE_BYTES = 1_000_000_000;

/** The body of an answer, with limits on its length and on the time without a byte. */
export interface AnswerBody {
  readonly url: string;
  readonly response: Response;
  /** Ends the request. */
  readonly abort: AbortController;
}

/** Reads a body to its end. Rejects with CliError if it is too long or breaks off. */
export async function readText(body: AnswerBody): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) refuseLength(body, MOST_BYTES);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Yields a body that consists of lines or of server-sent events. Rejects with CliError if it breaks off, if no byte arrives
 * for 45 seconds, or if a line or an event is too long.
 *
 * @param kind `file` limits the length of the whole body; `events` does not
 */
export async function* streamBody(body: AnswerBody, kind: 'events' | 'file'): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let begunBytes = 0;
  const mark = kind === 'events' ? '\n\n' : '\n';
  const silence = watchSilence(() => body.abort.abort(new Error('no byte for 45 seconds')));
  try {
    for await (const chunk of chunksOf(body)) {
      silence.hear();
      bytes += chunk.length;
      const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(mark);
      begunBytes = end < 0 ? begunBytes + chunk.length : chunk.length - end;
      if (begunBytes > MOST_BYTES) refuseLength(body, MOST_BYTES);
      if (kind === 'file' && bytes > MOST_FILE_BYTES) refuseLength(body, MOST_FILE_BYTES);
      yield chunk;
      silence.hear();
    }
  } finally {
    silence.stop();
    body.abort.abort();
  }
}

async function* chunksOf({ url, response }: AnswerBody): AsyncGenerator<Uint8Array> {
  if (!response.body) return;
  try {
    yield* response.body;
  } catch (error) {
    throw new CliError(EXIT.UNREACHABLE, `The answer of ${url} broke off (${reasonOf(error)}). Try again.`);
  }
}

function refuseLength({ url, abort }: AnswerBody, most: number): never {
  abort.abort();
  throw new CliError(
    EXIT.REFUSED,
    `The answer of ${url} is longer than ${most / 1_000_000} MB, so it does not come from a Parley server. Check PARLEY_URL.`,
  );
}

/** The reason why a `fetch` failed. `fetch` puts the reason in the cause of its error. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : 'unknown reason';
}
