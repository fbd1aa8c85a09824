import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/index.ts';
import { openCertificateKeys, sealed } from '../../../src/kernel/token/certificate-keys.ts';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import { ended } from '../../past.ts';
import { attempt, building, declared, deployed, evidence, handshake, play, releasable, verdict } from '../../story.ts';
import { A_COMMIT, declaredOf, NEW_COMMIT, runOf } from '../../verify/builds.ts';
import { GATES, gateRun } from '../../verify/gated.ts';

/** The keys of `given`, and those of another installation. */
const KEYS = openCertificateKeys('key of the tests');
const OTHERS = openCertificateKeys('key of another installation');
const keySet = (...keys: (typeof KEYS)[]) => ({ keys: keys.flatMap(({ published }) => published) });

const certify = (past: readonly PastEvent[]) => given(past).when('certificate', {}, 'owner');
const textOf = (past: readonly PastEvent[]): string => certify(past).reply().text;
const predicateOf = (past: readonly PastEvent[]) => verifyCertificate(textOf(past), keySet(KEYS)).statement?.predicate;
const TEXT = textOf(releasable);
const [KID] = KEYS.published.map(({ kid }) => kid);
const [OTHER_KID] = OTHERS.published.map(({ kid }) => kid);

const REPORTED = {
  ...{ argv: ['npm', 'test'], exit_code: 0, duration_ms: 9, commit: A_COMMIT, dirty: false },
  report: {
    format: 'junit',
    sha256: 'd'.repeat(64),
    size: 9,
    passed: 1,
    failed: 0,
    skipped: 0,
    tests: [{ name: 'books', status: 'passed' }],
  },
};

describe('certificate', () => {
  describeOwner('certificate', { past: releasable, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('says which commits and contract are certified, on which passes, and who approved', () => {
    const { statement, signers } = verifyCertificate(TEXT, keySet(KEYS));
    const { head, manifest } = given(releasable).when('view', {}, 'owner').reply();
    const at = '2026-01-05T09:00:00.000Z';
    const pass = { attempt: 1, verdict: 'PASS', level: 'claimed', reports: { agent_a: [], agent_b: [] } };
    expect(signers).toEqual([KID]);
    expect(statement).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'agent_a: orders', digest: { gitCommit: 'a'.repeat(40) } },
        { name: 'agent_b: stock', digest: { gitCommit: 'b'.repeat(40) } },
      ],
      predicateType: 'https://github.com/parley-dev/parley/certification/v1',
      predicate: {
        ...{ session_id: 'SessionOfTheGivenTests', status: 'ACTIVE', phase: 'VERIFY', level: 'claimed', at },
        contract: { revision_id: 'r_1', content_hash: SAMPLE_HASH, manifest_sha256: manifest?.manifest_sha256 },
        scenarios: [
          { scenario_id: 'test-reserve', judged_by: 'agent_b', ...pass },
          { scenario_id: 'test-expiry', judged_by: 'agent_a', ...pass },
        ],
        approvals: ['approval', 'build'].map((stage) => ({ stage, given: [{ person: null, at }] })),
        log: head,
        service_version: '0.0.0',
      },
    });
  });

  test('is the same for the same head, and says later what was authorized and that the session has ended', () => {
    expect(textOf([...releasable])).toBe(TEXT);
    const [released, over] = [deployed, [...deployed, ended]].map(predicateOf);
    expect(released).toMatchObject({ phase: 'RELEASE', status: 'ACTIVE' });
    expect(released?.approvals.map(({ stage }) => stage)).toEqual(['approval', 'build', 'deployment']);
    expect(over).toMatchObject({ phase: 'RELEASE', status: 'ENDED' });
  });

  test('names the reports of the runs that count as recorded, and no others', () => {
    const items = [
      { run: REPORTED },
      { run: { ...REPORTED, dirty: true, report: { ...REPORTED.report, sha256: 'e'.repeat(64) } } },
    ];
    const runs = items.map((item) => evidence('agent_a', 'test-reserve', 2, item));
    const calls = [...runs, evidence('agent_b', 'test-reserve', 2), verdict('agent_b', 'test-reserve', 2)];
    const past = play(releasable, [attempt('agent_a', 'test-reserve'), ...calls]);
    expect(predicateOf(past)?.scenarios).toMatchObject([
      { attempt: 2, reports: { agent_a: ['d'.repeat(64)], agent_b: [] } },
      { attempt: 1, reports: { agent_a: [], agent_b: [] } },
    ]);
  });

  test.each<[string, readonly PastEvent[]]>([
    ['before a scenario has passed', declared],
    ['after another commit was declared', play(deployed, [handshake('agent_a', { commit: NEW_COMMIT })])],
  ])('is refused %s', (_when, past) => {
    certify(past).thenFails('CERTIFICATION_INCOMPLETE');
  });

  test('is refused for the beginning of a commit, which another commit can have too', () => {
    const short = play(building, [handshake('agent_a', { commit: 'a'.repeat(39) }), handshake('agent_b')]);
    certify([...short, ...releasable.slice(declared.length)]).thenFails('CERTIFICATION_INCOMPLETE', {
      hint: 'Ask agent_a to declare the same commit again with all its digits. The passes stay.',
    });
  });
});

test('names what was attached to the passed attempts, and the run that met each gate', () => {
  const file = { filename: 'run.log', content: Buffer.from('ok').toString('base64') };
  const past = play(declaredOf({ gates: GATES }), [
    ['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve' }],
    ['agent_a', 'verify_attach', { scenario_id: 'test-reserve', attempt: 1, ...file }],
    ...runOf('test-reserve', 'agent_a').slice(1),
    ...runOf('test-expiry', 'agent_b'),
    gateRun(),
  ]);
  const attached = {
    by: 'agent_a',
    filename: 'run.log',
    sha256: '2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df',
  };
  const { scenarios = [], gates } = predicateOf(past) ?? {};
  expect(scenarios.map(({ attachments }) => attachments)).toEqual([[attached], undefined]);
  expect(gates).toEqual([
    { gate_id: 'gate-deploy', stage: 'deployment', level: 'recorded', message_id: expect.any(Number), attachments: [] },
  ]);
});

describe('verifyCertificate', () => {
  const { payload, signatures, payloadType } = JSON.parse(TEXT);
  const json = (changes: object) => JSON.stringify({ payloadType, payload, signatures, ...changes });
  const [own] = signatures;
  const tampered = Buffer.from(Buffer.from(payload, 'base64').toString().replace('r_1', 'r_2')).toString('base64');
  const of = (type: string, text: string, keys = KEYS) => JSON.stringify(sealed(type, text, keys));

  test.each<[string, string, unknown, string]>([
    [
      'no JSON',
      '{',
      keySet(KEYS),
      'It is no certificate: it is not a JSON object with payloadType, payload, 1 to 20 signatures.',
    ],
    [
      'no signature',
      json({ signatures: [] }),
      keySet(KEYS),
      'It is no certificate: it is not a JSON object with payloadType, payload, 1 to 20 signatures.',
    ],
    [
      'a changed payload',
      json({ payload: tampered }),
      keySet(KEYS),
      'Its signature is wrong: it was changed after it was signed.',
    ],
    [
      'a changed signature',
      json({ signatures: [{ ...own, sig: 'AAAA' }] }),
      keySet(KEYS),
      'Its signature is wrong: it was changed after it was signed.',
    ],
    [
      'keys of others',
      TEXT,
      keySet(OTHERS),
      `No key of the set has signed it: it names "${KID}"; the set has ${OTHER_KID}.`,
    ],
    [
      'a name of a key that would change a terminal',
      json({ signatures: [{ keyid: '\u009b2J\n\u202e', sig: 'AAAA' }] }),
      keySet(OTHERS),
      `No key of the set has signed it: it names "\\u{9b}2J\\u{a}\\u{202e}"; the set has ${OTHER_KID}.`,
    ],
    ['a key set without keys', TEXT, { keys: [{ kty: 'oct', k: 'AAAA' }] }, 'The key set has no Ed25519 key.'],
    [
      'no key set',
      TEXT,
      [],
      'The keys are no key set: a JSON object with at most 1000 keys, as a service publishes it.',
    ],
    [
      'another type of payload',
      json({ payloadType: 'text/plain' }),
      keySet(KEYS),
      'Its payloadType is not application/vnd.in-toto+json.',
    ],
    [
      'a signed text that certifies nothing',
      of(payloadType, '{"_type":"https://in-toto.io/Statement/v1"}'),
      keySet(KEYS),
      'It is signed, but what is signed is no certification of Parley.',
    ],
  ])('refuses %s', (_what, text, keys, fault) => {
    expect(verifyCertificate(text, keys)).toEqual({ fault });
  });

  test('takes one right signature of two, and names only its key', () => {
    const [other] = JSON.parse(of(payloadType, Buffer.from(payload, 'base64').toString(), OTHERS)).signatures;
    const both = json({ signatures: [other, own] });
    expect(verifyCertificate(both, keySet(KEYS)).signers).toEqual([KID]);
    expect(verifyCertificate(both, keySet(KEYS, OTHERS)).signers).toEqual([OTHER_KID, KID]);
  });
});
