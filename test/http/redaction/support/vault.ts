/** Number of characters of a token or code that may be shown. */
const SHOWN_CHARS = 10;
const PART_CHARS = 16;

/** Finds secrets in texts: whole, in part, and in other encodings. */
export interface Vault {
  readonly count: number;
  /** Adds a secret. `isPublic` is a part of the secret that may be shown, such as the session id in a token. */
  keep(secret: string, isPublic?: string): string;
  /** Returns the names of the secrets that the text contains, whole or in part. */
  findIn(text: string | Buffer): readonly string[];
}

export function createVault(): Vault {
  const forms = new Map<string, string>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    keep(secret, isPublic = '') {
      count += 1;
      const name = `${secret.slice(0, 5)}… number ${count}`;
      for (const form of formsOf(secret, isPublic)) forms.set(form, name);
      return secret;
    },
    findIn: (text) => [...forms].filter(([form]) => text.includes(form)).map(([form, name]) => `${form} of ${name}`),
  };
}

function formsOf(secret: string, isPublic: string): string[] {
  const parts = secret
    .split(isPublic === '' ? '\n' : isPublic)
    .flatMap((piece, index) => windows(index === 0 ? piece.slice(SHOWN_CHARS) : piece));
  const bytes = Buffer.from(secret);
  return [
    secret.slice(0, SHOWN_CHARS + 4),
    ...parts,
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, -4),
    bytes.toString('base64url').slice(0, -4),
    [...secret].reverse().join(''),
  ];
}

function windows(text: string): string[] {
  const starts = Array.from({ length: Math.floor(text.length / PART_CHARS) }, (_, index) => index * PART_CHARS);
  return starts.map((from) => text.slice(from, from + PART_CHARS));
}
