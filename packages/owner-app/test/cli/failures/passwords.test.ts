import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';

/** Parts of the passwords below that a message could contain. */
const PARTS = /s3cret|hidden|p4rt/;

test.each<[what: string, args: readonly string[], environment: Record<string, string>]>([
  ['an address of the server', ['sessions'], { PARLEY_URL: 'https://ada:s3cret@parley.example' }],
  ['one whose password ends it', ['sessions'], { PARLEY_URL: 'https://ada:s3cret/p4rt"hidden@parley.example' }],
  ['one after --url', ['wait', '--url', 'https://ada:s3cret@parley.example'], { PARLEY_TOKEN: 'prt_1' }],
  ['a public address', ['serve'], { PARLEY_PUBLIC_URL: 'https://ada:s3cret@parley.example' }],
  ['a long public address', ['serve'], { PARLEY_PUBLIC_URL: `https://ada:${'s3cret'.repeat(20)}@parley.example` }],
  ['a store', ['retain', '--check'], { AWS_ENDPOINT_URL_S3: 'https://ada:s3cret@store.example' }],
  ['an issuer', ['serve'], { PARLEY_OIDC_ISSUER: 'https://ada:s3cret@login.example' }],
  ['a webhook', ['serve'], { PARLEY_WEBHOOK_URL: 'https://ada:s3cret@hook.example' }],
  ['a secret of a webhook', ['serve'], { PARLEY_WEBHOOK_SECRET: 'whsec_s3cret' }],
  ['Redis', ['serve'], { REDIS_URL: 'http://ada:s3cret@redis.example' }],
  ['a key', ['serve'], { PARLEY_OWNER_KEY: 's3cret hidden' }],
  ['a database', ['migrate', 'status'], { DATABASE_URL: 'postgres://ada:s3cret@127.0.0.1:9/parley' }],
  [
    'one whose password has a slash',
    ['migrate', 'status'],
    { DATABASE_URL: 'postgres://127.0.0.1:9/s3cret@db/parley' },
  ],
  ['one whose password is its host', ['migrate', 'status'], { DATABASE_URL: 'postgres://ada:1/s3cret#p4rt@db/parley' }],
  ['one with an unknown scheme', ['migrate', 'status'], { DATABASE_URL: 'mysql://ada:s3cret@db/parley' }],
])('an error about %s contains no part of a password', async (_what, args, environment) => {
  const terminal = fakeTerminal({ PARLEY_OWNER_KEY: 'k', ...environment });
  expect(await runCli(args, terminal)).not.toBe(EXIT.OK);
  expect(terminal.errors()).not.toBe('');
  expect(`${terminal.output()}\n${terminal.errors()}`).not.toMatch(PARTS);
});
