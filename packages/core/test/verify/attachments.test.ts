import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { attempt, type Call, evidence, play, verdict } from '../story.ts';
import { type Builder, declaredOf } from './builds.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const LOG = 'booked o-1001 once\n';
const sha = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const base64 = (content: string | Buffer): string => Buffer.from(content).toString('base64');
const AT = { scenario_id: 'test-reserve', attempt: 1 };
const attach = (content: string | Buffer, changes: object = {}, by: Builder = 'agent_a'): Call => [
  by,
  'verify_attach',
  { ...AT, filename: 'run.log', content: base64(content), ...changes },
];
const open = play(declaredOf({}), [attempt('agent_a', 'test-reserve')]);
const send = (past: readonly PastEvent[], [by, name, input]: Call) => given(past).when(name, input as never, by);
const read = (past: readonly PastEvent[], filename: string, by: Builder = 'agent_b') =>
  given(past).when('fetch_artifact', { filename }, by);

describe('verify_attach', () => {
  test('keeps a text by its SHA-256, for both agents and the owner, and shows it below the attempt', () => {
    const past = play(open, [attach(LOG)]);
    const file = { filename: 'run.log', sha256: sha(LOG), bytes: LOG.length, media_type: 'text/plain' };
    expect(read(past, sha(LOG)).reply()).toEqual({ ...file, content: LOG });
    expect(read(past, sha(LOG), 'agent_a').reply().content).toBe(LOG);
    expect(
      given(past)
        .when('artifact', { filename: sha(LOG) }, 'owner')
        .reply().content,
    ).toBe(LOG);
    const { scenarios } = given(past).when('verify_board', { scenario_id: 'test-reserve' }, 'moderator').reply();
    expect(scenarios[0]?.attempts[0]?.attachments).toEqual([
      { ...file, by: 'agent_a', message_id: expect.any(Number) },
    ]);
    expect(past.at(-1)).toMatchObject({ kind: 'attachment.added', documents: [LOG] });
  });

  test.each([
    ['a picture', PNG, 'image/png'],
    ['a picture with a name that says HTML', PNG, 'image/png', 'page.html'],
    ['HTML with the name of a picture', Buffer.from('<script>alert(1)</script>'), 'text/plain', 'shot.png'],
    ['a text that is not UTF-8', Buffer.from([0x66, 0xfc, 0x72]), 'application/octet-stream'],
    ['a text with U+0000', Buffer.from('a\0b'), 'application/octet-stream'],
  ])('takes the type of %s from its bytes', (_what, content, media_type, filename = 'run.log') => {
    const past = play(open, [attach(content, { filename })]);
    const shown = read(past, sha(content)).reply();
    expect([shown.media_type, shown.sha256]).toEqual([media_type, sha(content)]);
    expect(Buffer.from(shown.content, shown.encoding ?? 'utf8')).toEqual(content);
  });

  test('keeps the same file once, also if it is sent again under another name', () => {
    const past = play(open, [attach(LOG)]);
    send(past, attach(LOG)).thenEvents();
    expect(send(past, attach(LOG, { filename: 'other.log' })).reply()).toMatchObject({ filename: 'run.log' });
  });

  test('gives the moderator no content', () => {
    const past = play(open, [attach(LOG)]);
    expect(
      given(past)
        .when('fetch_artifact', { filename: sha(LOG) } as never, 'moderator' as never)
        .refusal().error,
    ).toBe('MODERATOR_FORBIDDEN');
  });

  test.each([
    ['a path in the name', { filename: '../../etc/passwd' }, 'INVALID_INPUT'],
    ['a control character in the name', { filename: 'a\u0007b' }, 'INVALID_INPUT'],
    ['an invisible character in the name', { filename: 'a\u202eb' }, 'INVALID_INPUT'],
    ['a name of blank characters', { filename: '\u2800' }, 'INVALID_INPUT'],
    ['a filler in the name', { filename: 'a\u3164b' }, 'INVALID_INPUT'],
    ['a space at the end of the name', { filename: 'run.log ' }, 'INVALID_INPUT'],
    ['a name of 5,000 characters', { filename: 'a'.repeat(5_000) }, 'INVALID_INPUT'],
    ['no content', { content: '' }, 'INVALID_INPUT'],
    ['content that is no base64', { content: 'not base64!' }, 'INVALID_INPUT'],
    ['base64 with something behind it', { content: `${base64(LOG)}\n` }, 'INVALID_INPUT'],
    ['one byte too much', { content: base64(Buffer.alloc(1_000_001, 1)) }, 'INVALID_INPUT'],
    ['no place', { scenario_id: undefined }, 'INVALID_INPUT'],
    ['two places', { gate_id: 'gate-deploy' }, 'INVALID_INPUT'],
    ['an unknown scenario', { scenario_id: 'test-x' }, 'UNKNOWN_RECORD'],
    ['an attempt that does not exist', { attempt: 2 }, 'UNKNOWN_RECORD'],
    [
      'a gate that demands no run',
      { scenario_id: undefined, attempt: undefined, gate_id: 'gate-deploy' },
      'UNKNOWN_RECORD',
    ],
  ])('refuses %s', (_what, changes, error) => {
    expect(send(open, attach(LOG, changes)).refusal().error).toBe(error);
  });

  test.each([
    ['at its beginning', ''],
    ['where two pieces of the search meet', 'x '.repeat(49_990)],
    ['at the end of 900,000 characters', 'word '.repeat(180_000)],
  ])('refuses a text with a credential %s', (_what, before) => {
    const secret = `${before}\npostgres://app:Vq7-tR2x9Lm@db.internal/orders`;
    expect(send(open, attach(secret)).refusal()).toMatchObject({
      error: 'CREDENTIAL_REJECTED',
      issues: [{ path: 'content' }],
    });
  });

  const SECRET = 'für postgres://app:Vq7-tR2x9Lm@db.internal/orders';
  test.each([
    ['in UTF-16', Buffer.from(`\ufeff${SECRET}`, 'utf16le')],
    ['in UTF-16 of the other byte order', Buffer.from(`\ufeff${SECRET}`, 'utf16le').swap16()],
    ['in Latin-1', Buffer.from(SECRET, 'latin1')],
    ['before U+0000', Buffer.from(`${SECRET}\0`)],
    ['in a picture', Buffer.concat([PNG, Buffer.from(SECRET)])],
  ])('refuses a credential %s', (_what, content) => {
    expect(send(open, attach(content)).refusal().error).toBe('CREDENTIAL_REJECTED');
  });

  test('refuses a file for an attempt that is over, and leaves no trace', () => {
    const item = { request_id: 'req-1' };
    const past = play(open, [
      evidence('agent_a', 'test-reserve', 1, item),
      evidence('agent_b', 'test-reserve', 1, item),
      verdict('agent_b', 'test-reserve'),
    ]);
    expect(send(past, attach(LOG)).refusal().error).toBe('ATTEMPT_CLOSED');
  });

  test('gives each agent 5 MB and 100 files, so that no agent uses up what the other needs', () => {
    const files = (count: number, bytes: number): PastEvent[] =>
      Array.from({ length: count }, (_, index) => {
        const file = { filename: 'a', media_type: 'text/plain', bytes, sha256: sha(`${index}`), document: sha('x') };
        return { kind: 'attachment.added', actor: 'agent_a', data: { ...AT, ...file } };
      });
    const filled = [...open, ...files(5, 999_999)];
    expect(send(filled, attach(LOG)).refusal()).toMatchObject({ error: 'LIMIT_EXCEEDED', limit: 5_000_000 });
    send(filled, attach(LOG, {}, 'agent_b')).reply();
    const many = [...open, ...files(100, 1)];
    expect(send(many, attach('one more')).refusal()).toMatchObject({ error: 'LIMIT_EXCEEDED', limit: 100 });
  });

  test('raises no level: a planted picture certifies nothing', () => {
    const past = play(open, [attach(PNG), attach(PNG, {}, 'agent_b')]);
    expect(
      given(past)
        .when('verify_verify', { ...AT, verdict: 'PASS' }, 'agent_b')
        .refusal().error,
    ).toBe('EVIDENCE_POLICY_UNMET');
  });
});
