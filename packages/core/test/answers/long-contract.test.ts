import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/areas/document/contract.ts';
import { canonicalHash, sha256Hex } from '../../src/kernel/text/hash.ts';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { changed } from '../contract/sample-contract.ts';
import { decided, play, review, submit } from '../story.ts';

const bytesOverMcp = (answer: unknown): number => {
  const text = JSON.stringify(answer);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
};

const contractWith = (summary: string): Contract => changed({ summary });
const written = (contract: unknown): readonly PastEvent[] => play(decided, [submit('', contract)]);

/** Contracts of the maximum length. The first contains prose, the second only quotation marks. */
const prose = contractWith('A sentence of the contract. '.repeat(6_900));
const quoted = contractWith('"'.repeat(95_000));

const mapped = (contract: Contract): PastEvent[] => {
  const named = { revision_id: 'r_1', content_hash: canonicalHash(contract) };
  const mappings = [
    { requirement_id: 'R1', tests: ['test-reserve'] },
    { requirement_id: 'R2', tests: ['test-expiry'] },
  ];
  return play(written(contract), [
    ['agent_a', 'submit_preflight', { mappings }],
    ['agent_a', 'submit_final_review', { ...named, verdict: 'APPROVE' }],
    ['agent_b', 'submit_final_review', { ...named, verdict: 'APPROVE' }],
    ['owner', 'approveContract', named],
  ]);
};

describe('a contract of 200,000 characters', () => {
  test('is returned in full with its Markdown if both fit', () => {
    const plan = given(written(prose)).when('get_final_plan', {}, 'agent_b').reply();
    expect(plan.bytes).toBeGreaterThan(195_000);
    expect(plan.contract).toEqual(prose);
    expect(plan.markdown?.length).toBeGreaterThan(190_000);
    expect(plan).not.toHaveProperty('left_out');
    expect(bytesOverMcp(plan)).toBeLessThan(1_000_000);
  });

  test('is returned without its Markdown if that does not fit; the Markdown is read in pieces', () => {
    const session = given(written(quoted));
    const plan = session.when('get_final_plan', {}, 'agent_b').reply();
    expect(plan.contract).toEqual(quoted);
    expect(plan.markdown).toBeNull();
    expect(plan.left_out?.how).toBe('Call get_final_plan with part: "markdown" and from: 0 (a number of characters).');
    expect(bytesOverMcp(plan)).toBeLessThan(1_000_000);
    expect(readPart(written(quoted), 'markdown').text).toHaveLength(plan.left_out?.count ?? 0);
  });

  test('is read in pieces that together have its content_hash', () => {
    const { text, pieces } = readPart(written(quoted), 'contract');
    expect(pieces).toBe(2);
    const { content_hash } = given(written(quoted)).when('get_final_plan', {}, 'agent_b').reply();
    expect(sha256Hex(text)).toBe(content_hash);
  });

  test('produces artifacts that are returned in pieces with the checksum of the whole', () => {
    const session = given(mapped(quoted));
    const { artifacts } = session.when('list_artifacts', {}, 'agent_b').reply();
    expect(artifacts).toHaveLength(3);
    for (const { filename, sha256 } of artifacts) {
      let content = '';
      for (let from: number | undefined = 0; from !== undefined; ) {
        const piece = session.when('fetch_artifact', { filename, from }, 'agent_b').reply();
        expect(bytesOverMcp(piece)).toBeLessThan(1_000_000);
        content += piece.content;
        from = piece.left_out && Number(/from: (\d+)/.exec(piece.left_out.how)?.[1]);
      }
      expect(sha256Hex(content)).toBe(sha256);
    }
  });

  test('is compared within one answer with the contract that it replaces', () => {
    const both = play(written(quoted), [submit('r_1', contractWith("'".repeat(95_000)))]);
    const diff = given(both).when('get_revision_diff', { revision_id: 'r_2' }, 'agent_b').reply();
    expect(bytesOverMcp(diff)).toBeLessThan(1_000_000);
    expect(diff.ops).toHaveLength(1);
    const owners = given(both).when('diff', { revision_id: 'r_2', against: 'r_1' }, 'owner').reply();
    expect(owners.ops).toHaveLength(1);
  });

  test('is returned to the owner in full, and in pieces on request', () => {
    const both = given(play(written(quoted), [submit('r_1', prose)]));
    const { contract, markdown, left_out } = both.when('revision', { revision_id: 'r_1' }, 'owner').reply();
    expect([contract, left_out]).toEqual([quoted, undefined]);
    expect(markdown?.length).toBeGreaterThan(95_000);
    const { piece, contract: none } = both
      .when('revision', { revision_id: 'r_1', part: 'contract', from: 4 }, 'owner')
      .reply();
    expect([piece?.part, piece?.from, none]).toEqual(['contract', 4, null]);
  });
});

/** Reads all pages of a part and joins their texts. */
function readPart(past: readonly PastEvent[], part: 'contract' | 'markdown') {
  const session = given(past);
  let [text, pieces] = ['', 0];
  for (let from: number | undefined = 0; from !== undefined; pieces += 1) {
    const plan = session.when('get_final_plan', { part, from }, 'agent_b').reply();
    expect(bytesOverMcp(plan)).toBeLessThan(1_000_000);
    expect([plan.contract, plan.markdown]).toEqual([null, null]);
    text += plan.piece?.text ?? '';
    from = plan.left_out && Number(/from: (\d+)/.exec(plan.left_out.how)?.[1]);
  }
  return { text, pieces };
}

describe('what both builders may add to a contract', () => {
  const caveats = Array.from({ length: 50 }, (_, index) => `${index} ${'"'.repeat(1_900)}`);
  const reviewed = play(play(decided, [submit('')]), [
    ['agent_a', ...review('agent_a').slice(1, 2), { ...Object(review('agent_a')[2]), caveats }] as never,
    ['agent_b', ...review('agent_b').slice(1, 2), { ...Object(review('agent_b')[2]), caveats }] as never,
  ]);

  test('caveats of both reviews are shown as far as they fit', () => {
    const { reviews, left_out } = given(reviewed).when('get_final_plan', {}, 'agent_a').reply();
    expect(reviews.map(({ caveats: shown }) => shown.length)).toEqual([13, 13]);
    expect(left_out).toEqual({
      count: 74,
      how: '37: Read the transcript: it contains all caveats. 37: Read the transcript: it contains all caveats.',
    });
  });
});
