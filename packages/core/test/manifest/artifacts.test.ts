import { describe, expect, test } from 'vitest';
import { canonicalHash, sha256Hex } from '../../src/kernel/text/hash.ts';
import { given } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { approved, building, play, receipts } from '../story.ts';

const list = (by: 'agent_a' | 'agent_b', past = approved) => given(past).when('list_artifacts', {}, by).reply();
const fetched = (by: 'agent_a' | 'agent_b', filename: string) =>
  given(approved).when('fetch_artifact', { filename }, by);

describe('list_artifacts', () => {
  test('is empty before the approval', () => {
    given()
      .when('list_artifacts', {}, 'agent_a')
      .thenReply({
        manifest: null,
        artifacts: [],
        authorizations: { build_authorized: false, deployment_authorized: false, activation_authorized: false },
      });
  });

  test('gives each agent its own artifacts, and names all artifacts in the manifest', () => {
    const names = (by: 'agent_a' | 'agent_b') => list(by).artifacts.map(({ filename }) => filename);
    expect(names('agent_a')).toEqual(['shared-contract.json', 'handoff-agent-a.md']);
    expect(names('agent_b')).toEqual(['shared-contract.json', 'handoff-agent-b.md', 'reservation-cases.json']);
    expect(list('agent_a').manifest?.artifacts.map(({ filename }) => filename)).toEqual([
      'shared-contract.json',
      'contract.md',
      'handshake.json',
      'verification-plan.json',
      'handoff-agent-a.md',
      'handoff-agent-b.md',
      'reservation-cases.json',
    ]);
  });

  test('freezes hashes that anybody can recompute', () => {
    const { manifest } = list('agent_a');
    const { manifest_sha256, ...rest } = manifest ?? {};
    expect(manifest).toMatchObject({
      manifest_id: 'm_1',
      revision_id: 'r_1',
      content_hash: SAMPLE_HASH,
      shared_contract_sha256: SAMPLE_HASH,
      fixture_version: '1',
      frozen_at: '2026-01-05T09:01:00.000Z',
    });
    expect(manifest_sha256).toBe(canonicalHash(rest));
  });

  test('is superseded when the owner requests changes', () => {
    const past = play(building, [['owner', 'requestChanges', { reason: 'Another field.' }]]);
    expect(list('agent_a', past)).toEqual({
      manifest: null,
      artifacts: [],
      authorizations: { build_authorized: false, deployment_authorized: false, activation_authorized: false },
    });
  });
});

describe('fetch_artifact', () => {
  test('gives content and checksum', () => {
    for (const { filename, sha256, bytes } of list('agent_b').artifacts) {
      const artifact = fetched('agent_b', filename).reply();
      expect(artifact).toMatchObject({ filename, sha256, bytes });
      expect(sha256Hex(artifact.content)).toBe(sha256);
      expect(Buffer.byteLength(artifact.content)).toBe(bytes);
    }
  });

  test.each(['contract.md', 'handshake.json', 'verification-plan.json'])(
    'gives %s, which is assigned to nobody, to both builders',
    (filename) => {
      const frozen = list('agent_a').manifest?.artifacts.find((artifact) => artifact.filename === filename);
      expect(frozen?.assigned_to).toEqual([]);
      for (const by of ['agent_a', 'agent_b'] as const)
        expect(sha256Hex(fetched(by, filename).reply().content)).toBe(frozen?.sha256);
    },
  );

  test('keeps the handoff of one agent from the other', () => {
    fetched('agent_b', 'handoff-agent-a.md').thenFails('ARTIFACT_NOT_ASSIGNED');
    fetched('agent_a', 'handoff-agent-b.md').thenFails('ARTIFACT_NOT_ASSIGNED');
    fetched('agent_a', 'reservation-cases.json').thenFails('ARTIFACT_NOT_ASSIGNED');
  });

  test.each([
    './handoff-agent-a.md',
    '../handoff-agent-a.md',
    'x/../handoff-agent-a.md',
    'HANDOFF-AGENT-A.MD',
    'handoff-agent-a.md ',
    ' handoff-agent-a.md',
    'handoff-agent-a.md.',
    'handoff%2Dagent%2Da.md',
    'handoff-agent-a%2emd',
    'handoff\u2010agent\u2010a.md',
    'handoff-agent-\u0430.md',
    'handoff-agent-a\u200b.md',
    'handoff-agent-a.md/',
    'file:handoff-agent-a.md',
    'handoff-agent-a.md?',
    '',
    'constructor',
    '__proto__',
  ])('refuses %j like any unknown name', (filename) => {
    fetched('agent_b', filename).thenFails('UNKNOWN_RECORD');
    fetched('agent_a', filename).thenFails('UNKNOWN_RECORD');
  });
});

/** Returns the input of a single call of `confirm_receipt` that confirms all artifacts of a builder. */
function allReceipts(by: 'agent_a' | 'agent_b') {
  const [first, ...others] = receipts(approved, by).map(([, , receipt]) => Object(receipt));
  return { ...first, others: Object.fromEntries(others.map(({ filename, sha256 }) => [filename, sha256])) };
}

describe('confirm_receipt', () => {
  const [, , input] = receipts(approved, 'agent_b')[0] ?? [];

  test('is stored once', () => {
    const past = play(approved, receipts(approved, 'agent_b').slice(0, 1));
    expect(list('agent_b', past).artifacts.filter(({ received }) => received)).toMatchObject([
      { filename: 'shared-contract.json' },
    ]);
    given(past)
      .when('confirm_receipt', input as never, 'agent_b')
      .thenEvents()
      .thenReply({
        filename: 'shared-contract.json',
        received: true,
        receipts_missing: ['handoff-agent-b.md', 'reservation-cases.json'],
      });
  });

  test('stores nothing for a file that is assigned to nobody', () => {
    const { sha256 } = fetched('agent_b', 'contract.md').reply();
    given(approved)
      .when('confirm_receipt', { filename: 'contract.md', sha256 }, 'agent_b')
      .thenEvents()
      .thenReply({
        filename: 'contract.md',
        received: false,
        receipts_missing: ['handoff-agent-b.md', 'reservation-cases.json'],
      });
  });

  test('stores several receipts of one call', () => {
    const all = allReceipts('agent_b');
    given(approved)
      .when('confirm_receipt', all, 'agent_b')
      .thenReply({ filename: 'shared-contract.json', received: true, receipts_missing: [] });
    const stored = play(approved, [['agent_b', 'confirm_receipt', all]]).filter(
      ({ kind }) => kind === 'receipt.confirmed',
    );
    expect(stored.map(({ data }) => Object(data).filename)).toEqual([
      'shared-contract.json',
      'handoff-agent-b.md',
      'reservation-cases.json',
    ]);
  });

  test('stores none of several receipts if one is wrong', () => {
    const { others, ...first } = allReceipts('agent_b');
    const sending = (changed: object) =>
      given(approved).when('confirm_receipt', { ...first, others: { ...others, ...changed } }, 'agent_b');
    sending({ 'handoff-agent-b.md': 'f'.repeat(64) }).thenFails('CHECKSUM_MISMATCH', {
      filename: 'handoff-agent-b.md',
    });
    sending({ 'handoff-agent-a.md': first.sha256 }).thenFails('ARTIFACT_NOT_ASSIGNED');
  });

  test('refuses another checksum', () => {
    given(approved)
      .when('confirm_receipt', { filename: 'contract.md', sha256: 'f'.repeat(64) }, 'agent_b')
      .thenFails('CHECKSUM_MISMATCH', { filename: 'contract.md' });
  });

  test('refuses an artifact of the other agent, whatever the checksum', () => {
    const sha256 = list('agent_a').artifacts.find(({ filename }) => filename === 'handoff-agent-a.md')?.sha256 ?? '';
    given(approved)
      .when('confirm_receipt', { filename: 'handoff-agent-a.md', sha256 }, 'agent_b')
      .thenFails('ARTIFACT_NOT_ASSIGNED');
    given(approved).when('confirm_receipt', { filename: 'nothing.md', sha256 }, 'agent_b').thenFails('UNKNOWN_RECORD');
  });
});
