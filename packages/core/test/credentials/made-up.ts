/** Creates a source of pseudo-random characters, which are the same in every run. */
export function createSigns(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const of = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join('');
  const oneOf = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  return { below, of, oneOf };
}

export type Signs = ReturnType<typeof createSigns>;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  x: `${DIGITS}abcdef`,
  l: LOWER,
  u: UPPER,
  n: LOWER + DIGITS,
  U: UPPER + DIGITS,
  w: LOWER + UPPER,
  a: LOWER + UPPER + DIGITS,
  b: `${LOWER}${UPPER}${DIGITS}-_`,
  s: `${LOWER}${UPPER}${DIGITS}+/`,
  p: `${LOWER}${UPPER}${DIGITS}!#^*`,
};

/**
 * Replaces `{a:36}` by 36 random characters of the alphabet `a`, and removes each `|`. A `|` splits a credential, so that no
 * source file contains a text that looks like a token.
 */
export const filledIn = (form: string, signs: Signs): string =>
  form
    .replaceAll('|', '')
    .replaceAll(/\{(\w):(\d+)\}/g, (_, name: string, length: string) =>
      signs.of(ALPHABETS[name] ?? '', Number(length)),
    );
