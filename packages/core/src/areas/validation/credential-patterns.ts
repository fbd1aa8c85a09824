interface CredentialPattern {
  /** What it is, as a message names it. */
  readonly kind: string;
  readonly pattern: RegExp;
}

/**
 * Texts that can be nothing but a credential. Each pattern begins with a fixed text, is closed at both ends and repeats
 * only up to a bound, so that one search costs the length of the text.
 */
const CREDENTIAL_PATTERNS: readonly CredentialPattern[] = [
  {
    kind: 'private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){1,4}(?:[A-Za-z0-9+/]{40}|(?:Proc-Type|Version): )/g,
  },
  { kind: 'Parley token', pattern: /(?<![A-Za-z0-9])prt_[A-Za-z0-9]{71}(?![A-Za-z0-9])/g },
  { kind: 'Parley invitation code', pattern: /(?<![A-Za-z0-9])pinv_[A-Za-z0-9]{71}(?![A-Za-z0-9])/g },
  { kind: 'Parley owner key', pattern: /(?<![A-Za-z0-9])pok_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g },
  { kind: 'GitHub token', pattern: /(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'GitHub token', pattern: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9])/g },
  { kind: 'GitLab token', pattern: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}(?![A-Za-z0-9_-])/g },
  // The key of Amazon's own documentation ends with EXAMPLE.
  { kind: 'AWS access key', pattern: /(?<![A-Za-z0-9])A[KS]IA(?![A-Z2-7]{9}EXAMPLE)[A-Z2-7]{16}(?![A-Za-z0-9])/g },
  {
    kind: 'Anthropic key',
    pattern: /(?<![A-Za-z0-9])sk-ant-[a-z]{3,8}\d{2}-[A-Za-z0-9_-]{80,120}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: 'OpenAI key',
    pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: 'Slack token',
    pattern: /(?<![A-Za-z0-9])xox[abprs]-\d{10,13}-\d{10,13}-[A-Za-z0-9-]{24,80}(?![A-Za-z0-9-])/g,
  },
  { kind: 'Stripe key', pattern: /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{24,107}(?![A-Za-z0-9])/g },
  { kind: 'Google API key', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  { kind: 'npm token', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'SendGrid key', pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g },
];

/** Nearly every text holds none of these. */
const BEGINNING =
  /PRIVATE KEY|prt_|pinv_|pok_|gh[oprsu]_|github_pat_|glpat-|A[KS]IA|sk-|xox[abprs]-|k_live_|AIza|npm_|SG\./;

/** The kind of credential that a text holds; null for none. */
export function credentialIn(text: string): string | null {
  if (!BEGINNING.test(text)) return null;
  const found = CREDENTIAL_PATTERNS.find(({ pattern }) => [...text.matchAll(pattern)].some(([match]) => isReal(match)));
  return found?.kind ?? null;
}

/** The text without the credentials in it. */
export const withoutCredentials = (text: string): string =>
  BEGINNING.test(text)
    ? CREDENTIAL_PATTERNS.reduce((rest, { pattern }) => rest.replace(pattern, '[secret]'), text)
    : text;

const END_CHARS = 16;
const LEAST_DIFFERENT_CHARS = 8;

/** Documents write `ghp_xxxx…`; a credential is random to its end. */
const isReal = (match: string): boolean => new Set(match.slice(-END_CHARS)).size >= LEAST_DIFFERENT_CHARS;
