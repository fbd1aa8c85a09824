import { watchSilence } from '../../text/silence.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { secretGuard } from './parse-answer.ts';

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
 * Yields a body that consists of server-sent events. Rejects with CliError if it has another type, if it breaks off, if no byte
 * arrives for 45 seconds, or if an event is too long.
 */
export async function* streamEvents(body: AnswerBody): AsyncGenerator<Uint8Array> {
  requireType(body, 'text/event-stream');
  yield* partsOf(body, '\n\n');
}

/**
 * Yields a body that consists of lines, like {@link streamEvents}. Rejects with CliError too if the body is too long, or if it
 * contains the secret of the request: a file is passed on as it is, or not at all.
 */
export async function* streamFile(body: AnswerBody, secret: string): AsyncGenerator<Uint8Array> {
  requireType(body, 'application/x-ndjson');
  const guard = secretGuard(secret);
  let bytes = 0;
  for await (const chunk of partsOf(body, '\n')) {
    bytes += chunk.length;
    if (bytes > MOST_FILE_BYTES) refuseLength(body, MOST_FILE_BYTES);
    const safe = guard.next(chunk);
    if (!safe)
      throw new CliError(
        EXIT.REFUSED,
        `The answer of ${body.url} contains the key that was sent, so it ends here. Check PARLEY_URL, then make a new key.`,
      );
    yield safe;
  }
  const rest = guard.rest();
  if (rest.length > 0) yield rest;
}

/** A page, such as that of a proxy or of a network to which one signs in, is no file and has no events. */
function requireType({ url, response, abort }: AnswerBody, type: string): void {
  const [given = ''] = (response.headers.get('content-type') ?? '').split(';');
  if (given.trim().toLowerCase() === type) return;
  abort.abort();
  throw new CliError(
    EXIT.REFUSED,
    `The server at ${url} is not a Parley server: its answer is not of the type ${type}. Check PARLEY_URL.`,
  );
}

/** @param mark ends each part, whose length is limited */
async function* partsOf(body: AnswerBody, mark: '\n' | '\n\n'): AsyncGenerator<Uint8Array> {
  let begunBytes = 0;
  const silence = watchSilence(() => body.abort.abort(new Error('no byte for 45 seconds')));
  try {
    for await (const chunk of chunksOf(body)) {
      silence.hear();
      const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(mark);
      begunBytes = end < 0 ? begunBytes + chunk.length : chunk.length - end;
      if (begunBytes > MOST_BYTES) refuseLength(body, MOST_BYTES);
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
    throw brokenOff(url, reasonOf(error));
  }
}

/** The error about an answer of which only a part has arrived: the connection is lost. */
export const brokenOff = (url: string, reason: string): CliError =>
  new CliError(EXIT.UNREACHABLE, `The answer of ${url} broke off (${reason}). Try again.`);

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
