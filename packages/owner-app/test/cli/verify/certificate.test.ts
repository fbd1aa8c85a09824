import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMission, runMission } from '@parley/missions';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { ask } from '../../ask.ts';
import { commandsAt } from '../../commands.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { KEY, runApp } from '../../running-app.ts';
import { hasCryptography, saidByPython } from './python-check.ts';

/** A certified session, its certificate in a file, and a function that runs commands of its owner. */
async function certified() {
  const { url, parley } = await runApp();
  const { sessionId } = await runMission(await loadMission('payment-capture'), {
    owner: parley.owner('owner'),
    agents: async ({ code }) => parley.agent((await parley.redeem({ code })).token).call,
  });
  const run = commandsAt(url, { columns: 120 });
  const folder = await newFolder();
  const file = join(folder, 'cert.json');
  expect(await run('certificate', sessionId, '--out', file)).toMatchObject({ code: EXIT.OK, out: `Wrote ${file}` });
  const keyFile = join(folder, 'jwks.json');
  const { text, headers } = await ask(url, '/.well-known/parley/jwks.json');
  await writeFile(keyFile, text);
  return { url, run, sessionId, folder, file, keyFile, keySet: JSON.parse(text), headers };
}

describe('parley verify-certificate', () => {
  test('says who signed a certificate and what it claims, with keys of the service, of an address and of a file', async () => {
    const { url, run, sessionId, file, keyFile, keySet, headers } = await certified();
    expect(headers.get('content-type')).toBe('application/jwk-set+json');
    expect((await run('certificate', sessionId)).out).toBe((await readFile(file, 'utf8')).trimEnd());
    const { out, code } = await run('verify-certificate', file, '--key', keyFile);
    expect(code).toBe(EXIT.OK);
    expect(out.split('\n')[0]).toBe(`ok  signed by ${keySet.keys[0].kid}, of the keys in ${keyFile}`);
    expect(out).toMatch(/^level +claimed$/m);
    expect(out).toMatch(/^ +agent_a: \S+ +[0-9a-f]{40}$/m);
    expect(out).toMatch(/^ {2}parley verify-log SESSION.jsonl --head \d+:[0-9a-f]{64}$/m);
    for (const args of [[], ['--key', `${url}/.well-known/parley/jwks.json`]])
      expect((await run('verify-certificate', file, ...args)).out.split('\n').slice(1)).toEqual(
        out.split('\n').slice(1),
      );
    const json = JSON.parse((await run('verify-certificate', file, '--json')).out);
    expect(json).toMatchObject({
      ok: true,
      signers: [keySet.keys[0].kid],
      statement: { predicate: { session_id: sessionId } },
    });
  });

  test('has another exit code for a certificate that does not count, and says why', async () => {
    const { url, run, folder, file, keyFile } = await certified();
    const certificate = JSON.parse(await readFile(file, 'utf8'));
    const changed = join(folder, 'changed.json');
    await writeFile(changed, JSON.stringify({ ...certificate, payload: `AAAA${certificate.payload.slice(4)}` }));
    expect(await run('verify-certificate', changed)).toEqual({
      code: EXIT.MISMATCH,
      out: '',
      err: `parley: ${changed} does not count. Its signature is wrong: it was changed after it was signed.`,
    });
    expect(JSON.parse((await run('verify-certificate', changed, '--json')).out)).toMatchObject({ ok: false });
    expect(await run('verify-certificate', file, '--key', file)).toMatchObject({ code: EXIT.MISMATCH });
    for (const [args, code] of [
      [['no-such-file'], EXIT.USAGE],
      [[file, '--key', 'no-such-file'], EXIT.USAGE],
      [[keyFile], EXIT.MISMATCH],
      [[file, '--key', `${url}/no-such-page`], EXIT.REFUSED],
      [[file, '--key', 'http://127.0.0.1:1/jwks.json'], EXIT.UNREACHABLE],
    ] as const)
      expect([args, (await run('verify-certificate', ...args)).code]).toEqual([args, code]);
  });

  test.runIf(hasCryptography)('counts what verify_certificate.py counts', async () => {
    const { run, folder, file, keySet } = await certified();
    const text = await readFile(file, 'utf8');
    const { payload, payloadType, signatures } = JSON.parse(text);
    const [[own], [key]] = [signatures, keySet.keys];
    const other = { ...key, x: `${key.x.startsWith('B') ? 'C' : 'B'}${key.x.slice(1)}` };
    const signed = (...list: readonly unknown[]) => JSON.stringify({ payload, payloadType, signatures: list });
    const paid = (changed: string) => JSON.stringify({ payload: changed, payloadType, signatures });
    const vectors: readonly (readonly [string, boolean, string, (readonly unknown[])?])[] = [
      ['as it is', true, text],
      ['with a byte order mark', true, `\ufeff${text}`],
      ['with other members', true, text.replace('{', '{"payload":"AAAA","a":[{"__proto__":1}],')],
      ['with a number that is no JSON', false, text.replace('{', '{"a":NaN,')],
      ['of another type', false, text.replace('vnd.in-toto+json', 'json')],
      ['with another payload', false, paid(payload.replace('ey', 'eX'))],
      ['with a payload in lines', false, paid(`${payload.slice(0, 8)}\n${payload.slice(8)}`)],
      ['without a signature', false, signed()],
      ['with 21 signatures', false, signed(...Array.from({ length: 21 }, () => own))],
      ['with a wrong signature too', true, signed({ sig: 'AAAA' }, own)],
      ['with a signature that is no base64', false, signed({ sig: '@' }, own)],
      ['without the id of its key', true, signed({ ...own, keyid: '' })],
      ['with the id of another key', true, signed({ ...own, keyid: 4 })],
      ['with keys of other kinds too', true, text, [{ kty: 'RSA' }, { ...key, x: 5 }, { ...key, kid: 'z', d: 'A' }]],
      ['with another key', false, text, [other]],
      ['with a key in another spelling', false, text, [{ ...key, x: `${key.x}=` }]],
      ['with a key that does not say its kind', false, text, [{ ...key, kty: undefined }]],
      ['with a key that is none', false, text, [null, key]],
      // The neutral point: every signature of these 64 bytes fits it.
      [
        'with a key for which anybody signs',
        false,
        signed({ sig: `AQ${'A'.repeat(84)}==` }),
        [{ ...key, x: `AQ${'A'.repeat(41)}` }],
      ],
      ['with 1001 keys', false, text, Array.from({ length: 1_001 }, () => key)],
    ];
    const files: string[] = [];
    const counted: boolean[] = [];
    for (const [at, [, , certificate, keys = [key]]] of vectors.entries()) {
      const [changed, keyFile] = [join(folder, `changed-${at}.json`), join(folder, `keys-${at}.json`)];
      await Promise.all([writeFile(changed, certificate), writeFile(keyFile, JSON.stringify({ keys }))]);
      counted.push((await run('verify-certificate', changed, '--key', keyFile)).code === EXIT.OK);
      files.push(changed, keyFile);
    }
    const said = saidByPython(files);
    for (const line of said) expect(line).toMatch(/^(?:claimed|WRONG {2}.+)$/);
    const seen = vectors.map(([what], at) => [what, counted[at], said[at] === 'claimed']);
    expect(seen).toEqual(vectors.map(([what, counts]) => [what, counts, counts]));
  });
});

test('parley certificate is refused before the session is certified, and says what is missing', async () => {
  const { url, parley } = await runApp();
  const mission = await loadMission('payment-capture');
  const { session_id } = await parley.owner('owner').createSession(mission.session);
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
  expect(await runCli(['certificate', session_id], terminal)).toBe(EXIT.REFUSED);
  expect(terminal.errors()).toContain(
    'CERTIFICATION_INCOMPLETE: Certification checks that are not met: SCENARIOS_PASSED',
  );
});
