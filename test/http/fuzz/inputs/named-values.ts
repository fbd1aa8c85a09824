import fc from 'fast-check';
import { FULL_CONTRACT } from '../../../../packages/core/test/full-contract/full-contract.ts';
import { contractOf, MAPPINGS } from '../../../reliability/processes/support/contracts.ts';

/** Placeholders. `toWire` replaces them by values of the run. */
export const LATEST_HASH = 'the-latest-content-hash';
export const LATEST_REVISION = 'the-latest-revision';

const GOOD = contractOf('Levels', { fixture_version: '1' });

const contract: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(GOOD) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }).map((title) => ({ ...GOOD, title })) },
  { weight: 2, arbitrary: fc.constant(FULL_CONTRACT) },
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(GOOD)), fc.jsonValue()) },
);

const path = fc.oneof(
  fc.constantFrom('/title', '/tasks/0', '/tasks/-', '/tasks/1/title', '/risks', '/new', '', '/tasks/01', '/a~1b', 'x'),
  fc.string({ maxLength: 20 }).map((text) => `/${text}`),
);

const idsOr = (...ids: readonly string[]): fc.Arbitrary<unknown> =>
  fc.array(fc.constantFrom(...ids, 'nothing'), { maxLength: 3 });

/** Generators of valid values, by the name of the member. */
export const NAMED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  contract,
  path,
  value: fc.jsonValue(),
  mappings: fc.oneof(fc.constant(MAPPINGS), fc.array(fc.constantFrom(...MAPPINGS), { maxLength: 3 })),
  expected_parent_id: fc.oneof(
    { weight: 6, arbitrary: fc.constant(LATEST_REVISION) },
    { weight: 1, arbitrary: fc.constantFrom('', 'r_1', 'r_2', null) },
  ),
  revision_id: fc.oneof(
    { weight: 3, arbitrary: fc.constant(LATEST_REVISION) },
    { weight: 1, arbitrary: fc.constantFrom('r_1', 'r_2', 'r_9') },
  ),
  content_hash: fc.oneof(
    { weight: 4, arbitrary: fc.constant(LATEST_HASH) },
    { weight: 1, arbitrary: fc.constantFrom('0'.repeat(64), '') },
  ),
  shared_contract_sha256: fc.constantFrom(LATEST_HASH, 'another'),
  fixture_version: fc.constantFrom('1', '2'),
  requirement_id: fc.constantFrom('req-1', 'req-2'),
  filename: fc.constantFrom(
    'contract.md',
    'handoff-agent-a.md',
    'handoff-agent-b.md',
    '../contract.md',
    'x'.repeat(300),
  ),
  scenario_id: fc.constantFrom('test-level', 'test-none'),
  decisions: idsOr('d_1', 'd_2'),
  tasks: idsOr('task-shop', 'task-warehouse'),
  tests: idsOr('test-level'),
  gates: idsOr('gate-build', 'gate-activation'),
};
