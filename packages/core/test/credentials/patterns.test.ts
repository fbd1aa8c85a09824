import { describe, expect, test } from 'vitest';
import { CREDENTIAL_PATTERNS } from '../../src/areas/credentials/patterns.ts';
import { credentialIn, withoutCredentials } from '../../src/areas/credentials/rules.ts';
import { createSigns, filledIn } from './made-up.ts';

const named = CREDENTIAL_PATTERNS.map((row, index) => [`${index + 1}: ${row.kind}`, row] as const);

/** Removes escapes and character classes from the source of a pattern. Every remaining `*`, `+` and `{n,}` is a quantifier. */
const bare = (source: string): string => source.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, '_');

describe.each(named)('pattern %s', (_, { starts, at, pattern }) => {
  test('is tried only at places where its beginning is found', () => {
    expect(starts.length).toBeGreaterThan(0);
    for (const start of starts) expect(start).toMatch(at === 'name' ? /^[ -@[-~]{2,}$/ : /^[ -~]{2,}$/);
    expect(pattern.sticky).toBe(true);
    expect(pattern.ignoreCase).toBe(at === 'name');
  });

  test('has only bounded repeats, and no repeat inside an unbounded repeat', () => {
    expect(bare(pattern.source)).not.toMatch(/[*+]|\{\d+,\}/);
    expect(bare(pattern.source)).not.toMatch(/\([^()]*\{\d+,\d+\}[^()]*\)\{\d{2,}/);
  });
});

describe('the patterns', () => {
  test('name the credential in a text', () => {
    const signs = createSigns(11);
    const token = filledIn('ghp|_{a:36}', signs);
    const text = `first ${token}, then ${filledIn('npm|_{a:36}', signs)}`;
    expect(credentialIn(text)).toBe('GitHub token');
    expect(withoutCredentials(text)).toBe('first [secret], then [secret]');
    expect(withoutCredentials('nothing here')).toBe('nothing here');
    expect(credentialIn('nothing here')).toBeNull();
  });

  test('name a token rather than the assignment that contains it', () => {
    const signs = createSigns(12);
    expect(credentialIn(filledIn('GITHUB_TOKEN=ghp|_{a:36}', signs))).toBe('GitHub token');
  });

  test('treat every text in the form of a Parley token as a token', () => {
    for (const text of [`prt_${'a'.repeat(16)}`, 'prt_your_token_here-01', `https://h/mcp/prt_${'A-_9'.repeat(50)}`]) {
      expect(credentialIn(text, 'certain')).toBe('Parley token');
    }
    expect(credentialIn(`prt_${'a1-_'.repeat(3)}abc`, 'likely')).toBeNull();
  });

  test('do not take the value from the line after a name', () => {
    expect(credentialIn('DB_PASSWORD=\nDB_HOST=db1.internal', 'likely')).toBeNull();
    expect(credentialIn('DB_PASSWORD=\r\nDB_USER=app7', 'likely')).toBeNull();
    expect(credentialIn('DB_PASSWORD=\\nDB_USER=app7', 'likely')).toBeNull();
    expect(credentialIn('API_KEY:\n  k8sCluster2Region9', 'likely')).toBeNull();
    expect(credentialIn('DB_PASSWORD= kPz7!rTq2\nDB_USER=app', 'likely')).toBe('password');
  });

  test('treat a token of one repeated character as a sample in the search for certain credentials, but not in the search for likely ones', () => {
    const token = filledIn('ghp|_', createSigns(1)) + 'a'.repeat(36);
    expect(credentialIn(token, 'certain')).toBeNull();
    expect(credentialIn(token, 'likely')).toBe('GitHub token');
  });
});
