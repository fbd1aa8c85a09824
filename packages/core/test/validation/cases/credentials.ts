const LETTERS = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA2cD4eF6gH8iK1lM3nP5qR7sT9uV0wX2yZ';

/** At run time, `body` and `joined` build texts that look like credentials. This file itself contains no such text. */
const body = (length: number): string => LETTERS.repeat(2).slice(0, length);
const joined = (...parts: readonly string[]): string => parts.join('');

const pem = (kind: string, text: string): string =>
  joined('-----BEGIN ', kind, '-----\n', text, '\n-----END ', kind, '-----');

export const credentials = {
  real: {
    'private key': pem('PRIVATE KEY', body(64)),
    'RSA key': pem('RSA PRIVATE KEY', body(64)),
    'OpenSSH key on one line': pem('OPENSSH PRIVATE KEY', body(70)).replaceAll('\n', '\\n'),
    'encrypted key': pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED'),
    'PGP key': pem('PGP PRIVATE KEY BLOCK', `\n${body(64)}`),
    'session token': joined('prt_', body(71)),
    'invitation code': joined('pinv_', body(71)),
    'owner key': joined('pok_', body(43)),
    github: joined('ghp_', body(36)),
    'fine-grained token': joined('github_pat_', body(22), '_', body(59)),
    gitlab: joined('glpat-', body(20)),
    aws: joined('AKIA', 'Q3XWZ7KLMN2PRS5T'),
    anthropic: joined('sk-ant-', 'api03-', body(95)),
    openai: joined('sk-', 'proj-', body(48), 'T3BlbkFJ', body(48)),
    slack: joined('xoxb-', '123456789012-', '123456789013-', body(24)),
    stripe: joined('sk_live_', body(24)),
    google: joined('AIza', body(35)),
    npm: joined('npm_', body(36)),
    sendgrid: joined('SG.', body(22), '.', body(43)),
    'a token without its last character': joined('prt_', body(70)),
    'a test key': joined('sk_test_', body(24)),
    'a password in an address': joined('postgres://app:', 'Tr0ub4dor', '@db.internal/orders'),
    'an assignment': joined('DB_PASS', 'WORD=', 'Tr0ub4dor&3'),
  },
  harmless: {
    'the head of a key': '-----BEGIN PRIVATE KEY-----',
    'a public key': pem('PUBLIC KEY', body(64)),
    'a certificate': pem('CERTIFICATE', body(64)),
    'a key left out': pem('PRIVATE KEY', '...'),
    'the prefix of a token': 'prt_ and pinv_',
    'a token cut short': joined('prt_', body(10)),
    'a word before it': joined('x', 'ghp_', body(36)),
    'a sample': joined('ghp_', 'x'.repeat(36)),
    'a sample key': joined('sk-ant-', 'api03-', 'x'.repeat(95)),
    'the documented key of a provider': joined('AKIA', 'IOSFODNN7EXAMPLE'),
    'a hash': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'an id': '018f4d1c-7b5a-7c3e-9a51-2f6d1e8b7c90',
  },
} as const;
