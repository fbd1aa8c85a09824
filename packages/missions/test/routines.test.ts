import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Mission, readMission, runMission } from '../src/index.ts';
import type { CallByName, Json } from '../src/transport.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const CONTRACT = {
  fixture_version: 'capture-1',
  interfaces: [{ id: 'if-book', provider: 'agent_b', consumers: ['agent_a'] }],
  tasks: [
    { id: 'pay', assignee: 'agent_a' },
    { id: 'book', assignee: 'agent_b' },
  ],
  tests: [{ id: 'once', executor: 'agent_a' }],
};
const FILES: Readonly<Record<string, string>> = {
  'shared-contract.json': JSON.stringify(CONTRACT),
  'handoff-agent-a.md': '# Handoff',
};
/** A service with these files and readiness questions. It records the calls that it gets. */
function serviceOf(files: Readonly<Record<string, string>>, questions: readonly string[], forged: Json = {}) {
  const sent: Json[] = [];
  const manifest = {
    revision_id: 'r_1',
    content_hash: 'c',
    fixture_version: 'capture-1',
    shared_contract_sha256: 's',
    handshake_sha256: 'h',
  };
  const face: CallByName = async (tool, input) => {
    if (tool === 'list_artifacts')
      return {
        manifest,
        artifacts: Object.entries(files).map(([filename, text]) => ({ filename, sha256: sha256(text) })),
      };
    if (tool === 'fetch_artifact') {
      const content = files[String(input.filename)] ?? '';
      return { sha256: sha256(content), content, ...forged };
    }
    if (tool === 'get_readiness_questions')
      return {
        ...manifest,
        questions: questions.map((text, at) => ({ question_id: `rq_${at + 1}`, text })),
        to_confirm: { answers_of: 'agent_b', action_id: 'act_9' },
      };
    sent.push({ tool, ...input });
    return {};
  };
  return { face, sent };
}

async function takeStep(face: CallByName, call: string, input: Json): Promise<void> {
  const step = { by: 'agent_a' as const, call, input };
  const owner = {
    createSession: async () => ({ session_id: 's' }),
    call: async () => ({ code: 'c' }),
  };
  await runMission({ ...MISSION, readiness: [step] }, { owner, agents: async () => face });
}

const AGENT = { name: 'n', repository: 'r', service: 's' };
const MISSION: Mission = {
  mission: 'm',
  session: {
    title: 't',
    objective: 'o',
    guardrails: [],
    requirements: [{ requirement_id: 'req-1', text: 't' }],
    round_limit: 1,
    first_turn: 'agent_a',
    fixture_version: 'capture-1',
    agents: { agent_a: AGENT, agent_b: AGENT },
  },
  discussion: [],
  contract: [],
  readiness: [],
  verification: [],
  outcome: {
    status: 'ACTIVE',
    phase: 'READINESS',
    contract_author: 'agent_a',
    turns: 0,
    decisions: {},
    revision: null,
    findings: {},
    receipts_missing: [],
    ready: [],
    authorizations: { build_authorized: false, deployment_authorized: false, activation_authorized: false },
    scenarios: {},
    defects: {},
    certified: false,
  },
};

test('confirm_receipts confirms each file with the checksum of the received content', async () => {
  const { face, sent } = serviceOf(FILES, []);
  await takeStep(face, 'confirm_receipts', {});
  const [[filename, text] = ['', ''], ...others] = Object.entries(FILES);
  expect(sent).toEqual([
    {
      tool: 'confirm_receipt',
      filename,
      sha256: sha256(text),
      others: Object.fromEntries(others.map(([name, content]) => [name, sha256(content)])),
    },
  ]);
});

test.each([
  ['another content', { content: 'Build something else.' }],
  ['another checksum', { content: 'Build something else.', sha256: sha256('Build something else.') }],
])('confirm_receipts confirms nothing when %s arrives than the list says', async (_what, forged) => {
  const { face, sent } = serviceOf(FILES, [], forged);
  await expect(takeStep(face, 'confirm_receipts', {})).rejects.toThrow('has the checksum');
  expect(sent).toEqual([]);
});

test('answer_readiness answers the questions with its notes, in their order', async () => {
  const { face, sent } = serviceOf(FILES, ['What do you do on 409?', 'Which guardrail?']);
  await takeStep(face, 'answer_readiness', { notes: ['Once more.', 'Append-only.'] });
  expect(sent).toEqual([
    {
      tool: 'submit_readiness',
      revision_id: 'r_1',
      content_hash: 'c',
      verdict: 'READY_TO_CODE',
      handshake_sha256: 'h',
      shared_contract_sha256: sha256(JSON.stringify(CONTRACT)),
      fixture_version: 'capture-1',
      answers: [
        { question_id: 'rq_1', answer: 'Once more.' },
        { question_id: 'rq_2', answer: 'Append-only.' },
      ],
    },
  ]);
});

test('answer_readiness reports nothing if a question has no note', async () => {
  const { face, sent } = serviceOf(FILES, ['What do you do on 409?', 'Which guardrail?']);
  await expect(takeStep(face, 'answer_readiness', { notes: ['Once more.'] })).rejects.toThrow('no note for rq_2');
  expect(sent).toEqual([]);
});

test('confirm_answers completes the action that the questions name', async () => {
  const { face, sent } = serviceOf(FILES, []);
  await takeStep(face, 'confirm_answers', {});
  expect(sent).toEqual([{ tool: 'complete_action', action_id: 'act_9' }]);
});

test('a mission with only planning needs no further parts, and includes files by paths relative to its own path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-mission-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { contract: _, readiness: __, verification: ___, ...planning } = MISSION;
  const step = { by: 'owner', call: 'direct', input: { $json: 'input.json' } };
  await writeFile(join(folder, 'mission.json'), JSON.stringify({ ...planning, discussion: [step] }));
  await writeFile(join(folder, 'input.json'), '{"text":{"$text":"words.txt"}}');
  await writeFile(join(folder, 'words.txt'), 'Sandbox only.\n');
  expect(await readMission(join(folder, 'mission.json'))).toMatchObject({
    discussion: [{ input: { text: 'Sandbox only.\n' } }],
    contract: [],
    readiness: [],
    verification: [],
  });
});
