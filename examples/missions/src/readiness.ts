import { z } from 'zod';
import type { AgentFace, Json } from './face.ts';
import { fetchHandover, fileIn, type Handover, sha256 } from './handover.ts';
import type { Builder } from './mission.ts';

const Questions = z.object({
  questions: z.array(z.object({ question_id: z.string(), text: z.string(), kind: z.enum(['exact', 'free']) })),
});
const Contract = z.object({
  fixture_version: z.string(),
  interfaces: z.array(z.object({ id: z.string(), provider: z.string(), consumers: z.array(z.string()) })),
  tasks: z.array(z.object({ id: z.string(), assignee: z.string() })),
  tests: z.array(z.object({ id: z.string(), executor: z.string() })),
});

/** What an agent knows when it answers: its role, the contract it was handed, and its own handoff. */
interface Reading {
  readonly role: Builder;
  readonly contract: z.output<typeof Contract>;
  readonly handoff: { readonly filename: string; readonly content: string };
}

type Answer = (reading: Reading) => readonly string[];

/** How an agent finds the answer to a question, by the words in it. */
const ANSWERS: readonly (readonly [RegExp, Answer])[] = [
  [
    /\btasks\b.*\bassigned\b/i,
    ({ role, contract }) => contract.tasks.filter(({ assignee }) => assignee === role).map(idOf),
  ],
  [
    /\binterfaces\b.*\bprovide\b/i,
    ({ role, contract }) => contract.interfaces.filter(({ provider }) => provider === role).map(idOf),
  ],
  [
    /\binterfaces\b.*\bconsume\b/i,
    ({ role, contract }) => contract.interfaces.filter(({ consumers }) => consumers.includes(role)).map(idOf),
  ],
  [
    /\btests\b.*\bexecute\b/i,
    ({ role, contract }) => contract.tests.filter(({ executor }) => executor === role).map(idOf),
  ],
  [/\bfixture_version\b/i, ({ contract }) => [contract.fixture_version]],
  [/\bsha256\b.*\bhandoff\b/i, ({ handoff }) => [sha256(handoff.content)]],
];

const idOf = ({ id }: { readonly id: string }): string => id;

const Notes = z.object({ notes: z.array(z.string()) });

/**
 * The routine `answer_readiness`: reports READY_TO_CODE. Questions with one exact answer are answered from the handed-over
 * contract and handoff, the others with the step's `notes`, in their order.
 *
 * @throws Error when a question is not understood, a note is missing, or the handoff leaves out what the contract says
 */
export async function answerReadiness(agent: AgentFace, role: Builder, input: Json): Promise<Json> {
  const { notes } = Notes.parse(input);
  const handover = await fetchHandover(agent);
  return agent('submit_readiness', reportOn(handover, await answersFrom(handover, { agent, role, notes })));
}

/** The answers alone, for a report that names the rest by itself. */
export const readinessAnswers = async (agent: AgentFace, role: Builder, notes: readonly string[]): Promise<Json[]> =>
  answersFrom(await fetchHandover(agent), { agent, role, notes });

interface Reader {
  readonly agent: AgentFace;
  readonly role: Builder;
  readonly notes: readonly string[];
}

async function answersFrom(handover: Handover, { agent, role, notes }: Reader): Promise<Json[]> {
  const { questions } = Questions.parse(await agent('get_readiness_questions', {}));
  return answersTo(questions, readingOf(handover, role), notes);
}

/** What a report of READY_TO_CODE names, every checksum taken from the bytes that arrived. */
function reportOn(handover: Handover, answers: readonly Json[]): Json {
  const { revision_id, content_hash, fixture_version } = handover.manifest;
  return {
    revision_id,
    content_hash,
    verdict: 'READY_TO_CODE',
    handshake_sha256: sha256(fileIn(handover, 'handshake.json')),
    shared_contract_sha256: sha256(fileIn(handover, 'shared-contract.json')),
    fixture_version,
    answers,
  };
}

type Question = z.output<typeof Questions>['questions'][number];

function answersTo(questions: readonly Question[], reading: Reading, notes: readonly string[]): Json[] {
  const free = questions.filter(({ kind }) => kind === 'free');
  return questions.map((question) => {
    const answer = question.kind === 'exact' ? exactAnswer(question, reading) : notes[free.indexOf(question)];
    if (answer === undefined) throw new Error(`The mission has no note for ${question.question_id}: ${question.text}`);
    return { question_id: question.question_id, answer };
  });
}

function exactAnswer({ question_id, text }: Question, reading: Reading): string {
  const find = ANSWERS.find(([words]) => words.test(text))?.[1];
  if (!find) throw new Error(`Nobody knows where to find the answer to ${question_id}: ${text}`);
  return find(reading).join(', ') || 'none';
}

function readingOf(handover: Handover, role: Builder): Reading {
  const filename = role === 'agent_a' ? 'handoff-agent-a.md' : 'handoff-agent-b.md';
  const content = fileIn(handover, filename);
  const contract = Contract.parse(JSON.parse(fileIn(handover, 'shared-contract.json')));
  const own = contract.tasks.filter(({ assignee }) => assignee === role);
  const missing = own.filter(({ id }) => !content.includes(id)).map(idOf);
  if (missing.length > 0) throw new Error(`${filename} leaves out ${missing.join(', ')}.`);
  return { role, contract, handoff: { filename, content } };
}
