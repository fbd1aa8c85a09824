import { describe, expect, test } from 'vitest';
import { given, type OperationName, type PastEvent } from '../../src/testing/index.ts';
import { found, reviewed } from '../moderation.ts';

/** agent_a is the Contract Author, agent_b the Technical Reviewer. */
const ROLES = ['agent_a', 'agent_b', 'moderator', 'owner'] as const;
type Role = (typeof ROLES)[number];

const ACTS: Readonly<Record<string, readonly [OperationName, Readonly<Record<string, unknown>>]>> = {
  respond: ['respond_finding', { finding_id: 'f_1', decision: 'ACCEPT', response: 'Added.' }],
  resolve: ['resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }],
  withdraw: ['resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }],
  override: ['overrideFinding', { finding_id: 'f_1', reason: 'Known.' }],
};

/** For each call and role: the status of the finding after the call, or the error code. `none`: the role has no such operation. */
const OF_THE_REVIEWER = `
           agent_a      agent_b              moderator            owner
  respond  RESPONDED    NOT_CONTRACT_AUTHOR  MODERATOR_FORBIDDEN  none
  resolve  NOT_RAISER   RESOLVED             NOT_RAISER           none
  withdraw NOT_RAISER   WITHDRAWN            NOT_RAISER           none
  override NOT_FOUND    NOT_FOUND            NOT_FOUND            OVERRIDDEN`;

const OF_THE_MODERATOR = `
           agent_a      agent_b              moderator            owner
  respond  RESPONDED    NOT_CONTRACT_AUTHOR  MODERATOR_FORBIDDEN  none
  resolve  NOT_RAISER   NOT_RAISER           RESOLVED             none
  withdraw NOT_RAISER   NOT_RAISER           WITHDRAWN            none
  override NOT_FOUND    NOT_FOUND            NOT_FOUND            OVERRIDDEN`;

interface Cell {
  readonly act: string;
  readonly role: Role;
  readonly expected: string;
}

function cellsOf(table: string): Cell[] {
  const [, ...rows] = table.trim().split('\n');
  return rows.flatMap((row) => {
    const [act = '', ...cells] = row.trim().split(/\s+/);
    return ROLES.map((role, column) => ({ act, role, expected: cells[column] ?? '' }));
  });
}

const STATUSES = ['RESPONDED', 'RESOLVED', 'WITHDRAWN', 'OVERRIDDEN'];

describe.each([
  ['the Technical Reviewer', reviewed, OF_THE_REVIEWER],
  ['the moderator', found, OF_THE_MODERATOR],
] as const)('a finding of %s', (_raiser, past, table) => {
  const attempt = (act: string, role: Role) => {
    const [name, input] = ACTS[act] ?? ['view', {}];
    return given(past).when(name, input as never, role);
  };
  const cells = cellsOf(table).filter(({ expected }) => expected !== 'none');

  test('has every cell of the table', () => {
    expect(cells).toHaveLength(13);
  });

  test.each(cells.filter(({ expected }) => STATUSES.includes(expected)))('$role may $act: $expected', (cell) => {
    const events: readonly PastEvent[] = attempt(cell.act, cell.role).events();
    const { findings } = given([...past, ...events.filter(({ actor }) => actor !== 'system')])
      .when('list_findings', {}, 'agent_a')
      .reply();
    expect(findings.map(({ status }) => status)).toEqual([cell.expected]);
  });

  test.each(cells.filter(({ expected }) => !STATUSES.includes(expected)))('$role may not $act: $expected', (cell) => {
    expect(attempt(cell.act, cell.role).refusal().error).toBe(cell.expected);
  });
});

describe('a builder that is both author and raiser', () => {
  const swapped: readonly PastEvent[] = [
    ...reviewed,
    {
      kind: 'author.elected',
      actor: 'owner',
      data: { contract_author: 'agent_b', technical_reviewer: 'agent_a' },
    },
  ];

  test.each([
    ['agent_b', 'respond'],
    ['agent_b', 'resolve'],
  ] as const)('%s may %s', (role, act) => {
    const [name, input] = ACTS[act] ?? ['view', {}];
    given(swapped)
      .when(name, input as never, role)
      .reply();
  });

  test.each([
    ['agent_a', 'respond', 'NOT_CONTRACT_AUTHOR'],
    ['agent_a', 'resolve', 'NOT_RAISER'],
  ] as const)('leaves %s out: %s answers %s', (role, act, code) => {
    const [name, input] = ACTS[act] ?? ['view', {}];
    given(swapped)
      .when(name, input as never, role)
      .thenFails(code);
  });
});
