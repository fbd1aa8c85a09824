import type { Json } from '../../text/read-as.ts';

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
