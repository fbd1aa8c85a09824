import { FIRST_ACCOUNT, FIRST_PERSON, fail, type People, type SignedInPerson } from '@parley/core';
import type { OwnerKey } from './key-folder.ts';
import { MADE_KEY_FORM, OWNER_KEY_FORM } from './owner-key.ts';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Counts wrong owner keys by client address, in fixed windows of a minute.
 *
 * @param limit number of wrong keys that an address may send in a minute
 * @param now returns the current time in milliseconds since 1970
 */
function createWrongKeyLimit(limit: number, now: () => number) {
  const tries = new Map<string, number>();
  let window = -1;

  const turnWindow = () => {
    const current = Math.floor(now() / WINDOW_MS);
    if (current !== window) tries.clear();
    window = current;
  };

  return {
    /**
     * Counts an attempt. Called before the key is checked, so that simultaneous attempts are all counted.
     *
     * @throws ParleyError RATE_LIMITED if the address has used up its attempts in this minute
     */
    begin(address: string): void {
      turnWindow();
      const count = tries.get(address) ?? (tries.size < MAX_ADDRESSES ? 0 : limit);
      if (count >= limit) refuseTooMany((window + 1) * WINDOW_MS - now());
      tries.set(address, count + 1);
    },
    /** Removes an attempt from the count, because its key was right. */
    forgive(address: string): void {
      const count = tries.get(address) ?? 0;
      if (count > 1) tries.set(address, count - 1);
      else tries.delete(address);
    },
  };
}

function refuseTooMany(remainingMs: number): never {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return fail('RATE_LIMITED', `Too many wrong owner keys; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  });
}

const WRONG_KEYS_PER_MINUTE = 10;

export const FIRST_HOLDER: SignedInPerson = { ...FIRST_PERSON, accountId: FIRST_ACCOUNT.id };

interface KeyCheckParts {
  readonly ownerKey: OwnerKey;
  readonly people?: Pick<People, 'withKey'> | undefined;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Returns a function that finds the person to whom a key belongs, and throws for any other text. Each address may send
 * a limited number of wrong texts in a minute. The limit protects keys that can be guessed: a generated owner key and
 * the keys of people are accepted however many wrong texts the address has sent.
 */
export function createKeyCheck({
  ownerKey: { check },
  people,
  now,
}: KeyCheckParts): (address: string, text: string) => Promise<SignedInPerson> {
  const wrongKeys = createWrongKeyLimit(WRONG_KEYS_PER_MINUTE, now);
  const personWith = async (text: string): Promise<SignedInPerson | undefined> =>
    MADE_KEY_FORM.test(text) ? await people?.withKey(text) : undefined;
  return async (address, text) => {
    if (text.startsWith('prt_')) refuseToken();
    if (!OWNER_KEY_FORM.test(text)) refuseKey();
    if (check.isGenerated && check.matches(text)) return FIRST_HOLDER;
    const person = await personWith(text);
    if (person) return person;
    wrongKeys.begin(address);
    // Without a pause after `begin`, so that simultaneous requests with the right key do not use up the limit.
    if (check.isGenerated || !check.matches(text)) return refuseKey();
    wrongKeys.forgive(address);
    return FIRST_HOLDER;
  };
}

const refuseKey = (): never => refuse('The owner key is wrong.');

const refuseToken = (): never =>
  fail('UNAUTHORIZED', 'The token of an agent (prt_...) was sent in place of the owner key (pok_...).', {
    hint: 'These routes are for the owner. Agents call the API whose address ends in /api/public/agent, or the one that ends in /api/public/mcp.',
  });

export function bearerOf(headers: readonly string[]): string {
  const [, text] = headers.length === 1 ? (/^Bearer (\S+)$/.exec(headers[0] ?? '') ?? []) : [];
  return text ?? refuse('The Authorization header must have the form "Bearer pok_...".');
}

const refuse = (message: string): never => fail('UNAUTHORIZED', message);

/** Matches 32 bytes in base64url. */
const FORM = /^[\w-]{43}$/;

/**
 * Decodes a base64url text to 32 bytes, because `timingSafeEqual` throws if its arguments differ in length. A text of
 * another form, such as two values of a header that was sent twice, is decoded to zeros.
 */
export function decodeDigest(text: string): Uint8Array {
  return FORM.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(32);
}
