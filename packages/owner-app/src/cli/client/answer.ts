import { watchSilence } from '../../text/event-stream.ts';
import type { Json } from '../../text/read-as.ts';
import { CliError, commandFailed, EXIT } from '../exit-codes.ts';

/**
 * The most objects and arrays of an answer, how deep they are nested, the most members of one object, and of all. A Parley server
 * sends fewer.
 */
const MOST = { containers: 500_000, depth: 100, membersOfOne: 10_000, members: 2_000_000 };

/** A shorter secret could be an ordinary word, so it is not replaced. Generated keys, tokens and codes are longer. */
const SHORTEST = 16;
const REDACTED = '***';

/**
 * Parses the JSON object of an answer. Undefined if there is none: then the answer does not come from Parley. So is an answer with
 * very many or very deep objects and arrays, or very many members: it would take a hundred times its length in memory, all of the
 * stack, or many seconds.
 *
 * @param secret the key, the token or the code that was sent. Where the answer contains it, it is replaced by `***`
 */
export function parseAnswer(text: string, secret: string): Json | undefined {
  if (extentOf(text) !== 'whole') return undefined;
  try {
    const value: unknown = JSON.parse(withoutSecret(text, secret));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text contains a secret in any case of letters, such as the name of a host. */
export const containsSecret = (text: string, secret: string): boolean =>
  secret.length >= SHORTEST && text.toLowerCase().includes(secret.toLowerCase());

/** Replaces a secret in JSON, also where it is written with escapes. */
function withoutSecret(text: string, secret: string): string {
  if (secret.length < SHORTEST || !(text.includes(secret) || /\\[u/]/.test(text))) return text;
  return JSON.stringify(JSON.parse(text)).replaceAll(JSON.stringify(secret).slice(1, -1), REDACTED);
}

/** Whether a text is the beginning of a JSON object: the connection was lost, or a proxy has passed on a part of the answer. */
export const isCut = (text: string): boolean => text.trimStart().startsWith('{') && extentOf(text) === 'cut';

/**
 * Counts the objects, arrays and members before the text is parsed.
 *
 * @returns `cut` if the text ends inside of an object, an array or a string; `unbounded` if it has more of them than an answer can have
 */
function extentOf(text: string): 'whole' | 'cut' | 'unbounded' {
  let [containers, members, isString] = [0, 0, false];
  /** The number of members of each object around the place. Empty outside. */
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') isString = !isString;
    else if (isString) at += letter === '\\' ? 1 : 0;
    else if (letter === '[' || letter === '{') {
      containers += 1;
      if (containers > MOST.containers || open.push(0) > MOST.depth) return 'unbounded';
    } else if (letter === ']' || letter === '}') open.pop();
    else if (letter === ':') {
      members += 1;
      const ofOne = (open.pop() ?? 0) + 1;
      if (members > MOST.members || ofOne > MOST.membersOfOne) return 'unbounded';
      open.push(ofOne);
    }
  }
  return open.length > 0 || isString ? 'cut' : 'whole';
}

/**
 * Splits a download at the place of a secret. `next` returns the bytes that can be passed on, or undefined if they would contain the
 * secret; it holds the last bytes back if the secret begins with them. `rest` returns those.
 */
export function secretGuard(secret: string) {
  const wanted = Buffer.from(secret.length < SHORTEST ? '' : secret);
  let held: Buffer = Buffer.alloc(0);
  return {
    next(chunk: Uint8Array): Uint8Array | undefined {
      if (wanted.length === 0) return chunk;
      const bytes = Buffer.concat([held, chunk]);
      if (bytes.includes(wanted)) return undefined;
      const end = bytes.length - begunBytes(bytes, wanted);
      held = bytes.subarray(end);
      return bytes.subarray(0, end);
    },
    rest: (): Uint8Array => held,
  };
}

/** The length of the longest end of `bytes` with which `wanted` begins. */
function begunBytes(bytes: Buffer, wanted: Buffer): number {
  let length = Math.min(bytes.length, wanted.length - 1);
  while (length > 0 && !bytes.subarray(bytes.length - length).equals(wanted.subarray(0, length))) length -= 1;
  return length;
}

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
      throw commandFailed(
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
  throw commandFailed(
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
  throw commandFailed(
    `The answer of ${url} is longer than ${most / 1_000_000} MB, so it does not come from a Parley server. Check PARLEY_URL.`,
  );
}

/** The reason why a `fetch` failed. `fetch` puts the reason in the cause of its error. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : 'unknown reason';
}
