import type { rightReport } from './reports.ts';

type Report = Awaited<ReturnType<typeof rightReport>>;
type Case = readonly [what: string, change: (right: Report) => object, error: object];

const WRONG = '5'.repeat(64);

const FIELDS = ['content_hash', 'handshake_sha256', 'shared_contract_sha256'] as const;

const mismatch = (...fields: readonly string[]): object => ({ error: 'MANIFEST_MISMATCH', fields });

const hashes: readonly Case[] = FIELDS.flatMap((field): Case[] => [
  [`another ${field}`, () => ({ [field]: WRONG }), mismatch(field)],
  [`${field} in upper case`, (right) => ({ [field]: right[field].toUpperCase() }), mismatch(field)],
  [`${field} cut short`, (right) => ({ [field]: right[field].slice(0, 63) }), mismatch(field)],
  [`${field} and a space`, (right) => ({ [field]: `${right[field]} ` }), mismatch(field)],
  [`${field} and its kind`, (right) => ({ [field]: `sha256:${right[field]}` }), mismatch(field)],
  [`no ${field}`, () => ({ [field]: null }), invalid(field)],
  [`an empty ${field}`, () => ({ [field]: '' }), invalid(field)],
]);

function invalid(path: string): object {
  return { error: 'INVALID_INPUT', issues: [{ path }] };
}

const named: readonly Case[] = [
  ['another revision', () => ({ revision_id: 'r_2' }), mismatch('revision_id')],
  ['another fixture_version', () => ({ fixture_version: '2' }), mismatch('fixture_version')],
  ['the fixture_version as 1.0', () => ({ fixture_version: '1.0' }), mismatch('fixture_version')],
  [
    'the two hashes in each other’s place',
    (right) => ({
      handshake_sha256: right.shared_contract_sha256,
      shared_contract_sha256: right.handshake_sha256,
    }),
    mismatch('handshake_sha256', 'shared_contract_sha256'),
  ],
  [
    'everything wrong that it names',
    () => ({
      ...{ revision_id: 'r_3', content_hash: WRONG, handshake_sha256: WRONG, shared_contract_sha256: WRONG },
      ...{ fixture_version: '2', answers: [] },
    }),
    mismatch('revision_id', 'content_hash', 'handshake_sha256', 'shared_contract_sha256', 'fixture_version'),
  ],
];

const withAnswer = (right: Report, id: string, answer: string): object => ({
  answers: right.answers.map((given) => (given.question_id === id ? { question_id: id, answer } : given)),
});

const leftOut: readonly Case[] = [1, 2].map((number) => [
  `rq_${number} left out`,
  (right) => ({ answers: right.answers.filter(({ question_id }) => question_id !== `rq_${number}`) }),
  { error: 'INVALID_INPUT', issues: [{ path: 'answers', message: `No answer to question rq_${number}.` }] },
]);

const others: readonly Case[] = [
  [
    'a question answered twice',
    (right) => ({ answers: [...right.answers, { question_id: 'rq_1', answer: 'Once.' }] }),
    invalid('answers'),
  ],
  [
    'an answer to no question of ours',
    (right) => ({ answers: [...right.answers, { question_id: 'rq_9', answer: 'Once.' }] }),
    { error: 'INVALID_INPUT', issues: [{ path: 'answers[2].question_id' }] },
  ],
  [
    'an empty answer',
    (right) => withAnswer(right, 'rq_2', ' \n'),
    { error: 'INVALID_INPUT', issues: [{ path: 'answers[1].answer' }] },
  ],
  ['no answers', () => ({ answers: null }), invalid('answers')],
  ['READY_TO_CODE and a blocker', () => ({ blockers: ['No index yet.'] }), invalid('blockers')],
  ['BLOCKED and no blocker', () => ({ verdict: 'BLOCKED' }), invalid('blockers')],
  ['BLOCKED and a list of none', () => ({ verdict: 'BLOCKED', blockers: [] }), invalid('blockers')],
  ['another verdict', () => ({ verdict: 'ready_to_code' }), invalid('verdict')],
];

/** Changes to agent_a's correct report, and the error that each change must cause. */
export const REPORTS: readonly Case[] = [...hashes, ...named, ...leftOut, ...others];

/** Inputs of `confirm_receipt`, and the errors that agent_a must get. */
export const receiptsAsked: readonly (readonly [
  what: string,
  input: object | ((right: Report) => object),
  error: object,
])[] = [
  [
    'another checksum',
    { filename: 'contract.md', sha256: WRONG },
    { error: 'CHECKSUM_MISMATCH', filename: 'contract.md' },
  ],
  [
    'the checksum of another artifact',
    (right) => ({ filename: 'contract.md', sha256: right.handshake_sha256 }),
    { error: 'CHECKSUM_MISMATCH', filename: 'contract.md' },
  ],
  [
    'the checksum in upper case',
    (right) => ({ filename: 'handshake.json', sha256: right.handshake_sha256.toUpperCase() }),
    { error: 'CHECKSUM_MISMATCH', filename: 'handshake.json' },
  ],
  ['an artifact of agent B', { filename: 'handoff-agent-b.md', sha256: WRONG }, { error: 'ARTIFACT_NOT_ASSIGNED' }],
  [
    'a name that is not listed',
    { filename: 'Contract.md', sha256: WRONG },
    { error: 'UNKNOWN_RECORD', record: { type: 'artifact', id: 'Contract.md' } },
  ],
  ['no checksum', { filename: 'contract.md' }, invalid('sha256')],
  ['no name', { sha256: WRONG }, invalid('filename')],
];
