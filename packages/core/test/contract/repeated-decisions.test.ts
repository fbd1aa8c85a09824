import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { accepted, proposed } from '../past.ts';
import { decided, play, submit } from '../story.ts';
import { changed } from './sample-contract.ts';

/** A text of 151 characters. */
const POSITION =
  'The reservation is booked once per order number; a repeated request with the same number returns the first answer, and no stock is taken a second time.';
const MORE =
  'This holds across restarts of either service, because the order number is stored in the same transaction as the stock that the reservation takes away..';

const withDecision = (position: string): PastEvent[] => [
  ...decided,
  proposed('agent_a', 'd_2', { topic: 'Repeated requests', position }),
  accepted('agent_a', 'd_2'),
  accepted('agent_b', 'd_2'),
];
const contract = (summary: string) => changed({ summary, decisions: ['d_1', 'd_2'] });
const warningsFor = (summary: string, position = POSITION) =>
  given(withDecision(position))
    .when('validate_contract_draft', { contract: contract(summary) }, 'agent_a')
    .reply().warnings;

const WARNING = {
  code: 'DECISION_REPEATED',
  severity: 'warning',
  pointer: '/summary',
  message: 'This text repeats the position of decision d_2 word by word. Name d_2 instead.',
  hint: "Name the decision's id in the text instead of its position: the Markdown of the contract and the handoffs print each decided text once.",
};

describe('a contract text that repeats the position of a decision', () => {
  test('of more than 300 characters causes a warning in a draft, which stays valid', () => {
    const found = given(withDecision(POSITION))
      .when('validate_contract_draft', { contract: contract(`${MORE} ${POSITION}`) }, 'agent_b')
      .reply();
    expect(found).toMatchObject({ valid: true, errors: [], warnings: [WARNING], warning_count: 1 });
  });

  test('causes a warning of the stored revision, and of a later validation', () => {
    const submission = { contract: contract(`${MORE} ${POSITION}`), expected_parent_id: '', reason: 'As decided.' };
    const stored = given(withDecision(POSITION)).when('submit_contract', submission, 'agent_a').reply();
    expect(stored).toMatchObject({ status: 'IN_REVIEW', validation_warnings: [WARNING], warning_count: 1 });
    const past = play(withDecision(POSITION), [submit('', submission.contract)]);
    expect(given(past).when('revalidate_contract', {}, 'agent_b').reply()).toMatchObject({
      valid: true,
      warnings: [WARNING],
      warning_count: 1,
    });
  });

  test.each([
    ['with other white space', `${MORE}\n\n${POSITION.replaceAll(' ', '\n  ')}`, POSITION],
    ['written with line breaks by its proposer', `${MORE} ${POSITION}`, POSITION.replaceAll(' ', '\t\n')],
    ['in quotation marks', `${MORE}"${POSITION}"`, POSITION],
    ['twice, once in the list', `${POSITION} ${POSITION}`, POSITION],
    ['that begins with a bracket', `${MORE} (a) ${POSITION}`, `(a) ${POSITION}`],
  ])('%s causes the same warning', (_what, summary, position) => {
    expect(warningsFor(summary, position)).toEqual([WARNING]);
  });

  test.each([
    ['of 300 characters', `${MORE.slice(0, 148)} ${POSITION}`, POSITION],
    ['that changes a word', `${MORE} ${POSITION.replace('once', 'twice')}`, POSITION],
    ['of fewer than 120 characters', `${MORE} ${POSITION}`, POSITION.slice(0, 119)],
    ['from the middle of a word on', `${MORE}${POSITION}`.replace('..The', '..xThe'), POSITION],
  ])('%s causes no warning', (_what, summary, position) => {
    expect(warningsFor(summary, position)).toEqual([]);
  });

  test('is found in bounded time', () => {
    const same = 'a '.repeat(2_000);
    const past = [
      ...decided,
      ...Array.from({ length: 300 }, (_, index) =>
        proposed('agent_a', `d_${index + 2}`, { topic: `Topic ${index}`, position: `${same.slice(0, 3_990)}${index}` }),
      ),
    ];
    const draft = changed({ summary: 'a '.repeat(2_000), decisions: ['d_1'] });
    const { warnings } = given(past).when('validate_contract_draft', { contract: draft }, 'agent_a').reply();
    expect(warnings.map(({ code }) => code)).toEqual([]);
  });
});
