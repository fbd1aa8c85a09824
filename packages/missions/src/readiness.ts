import { z } from 'zod';
import { fileIn, type Handover, handoverOf, sha256 } from './handover.ts';
import type { Builder } from './mission.ts';
import type { CallTool, Json } from './transport.ts';

const Questions = z.object({
  questions: z.array(z.object({ question_id: z.string(), text: z.string(), kind: z.enum(['exact', 'free']) })),
});
const Contract = z.object({
  fixture_version: z.string(),
  interfaces: z.array(z.object({ id: z.string(), provider: z.string(), consumers: z.array(z.string()) })),
  tasks: z.array(z.object({ id: z.string(), assignee: z.string() })),
  tests: z.array(z.object({ id: z.string(), executor: z.string() })),
});

/** The texts that an agent reads before it answers the readiness questions. */
interface Reading {
  readonly role: Builder;
  readonly contract: z.output<typeof Contract>;
  readonly handoff: { readonly filename: string; readonly content: string };
}

/**
 * The place where a bot finds the answer to a question. `words` recognizes the question, `label` is the label of the answer in
 * the handoff, and `inContract` reads the answer from the contract.
 */
interface Source {
  readonly words: RegExp;
  readonly label: string;
  readonly inContract: (reading: Reading) => readonly string[];
}

const SOURCES: readonly Source[] = [
  {
    words: /\btasks\b.*\bassigned\b/i,
    label: 'Tasks assigned to you',
    inContract: ({ role, contract }) => idsOf(contract.tasks.filter(({ assignee }) => assignee === role)),
  },
  {
    words: /\binterfaces\b.*\bprovide\b/i,
    label: 'Interfaces you provide',
    inContract: ({ role, contract }) => idsOf(contract.interfaces.filter(({ provider }) => provider === role)),
  },
  {
    words: /\binterfaces\b.*\bconsume\b/i,
    label: 'Interfaces you consume',
    inContract: ({ role, contract }) => idsOf(contract.interfaces.filter(({ consumers }) => consumers.includes(role))),
  },
  {
    words: /\btests\b.*\bexecute\b/i,
    label: 'Tests you execute',
    inContract: ({ role, contract }) => idsOf(contract.tests.filter(({ executor }) => executor === role)),
  },
  {
    words: /\bfixture_version\b/i,
    label: '`fixture_version`',
    inContract: ({ contract }) => [contract.fixture_version],
  },
];

const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

const Notes = z.object({ notes: z.array(z.string()) });

/**
 * The routine `answer_readiness`: reports READY_TO_CODE. Answers exact questions from the handoff. Answers the other questions
 * with the `notes` of the step, in their order.
 *
 * @throws Error if a question is unknown, a note is missing, or handoff and contract differ
 */
export async function answerReadiness(agent: CallTool, role: Builder, input: Json): Promise<Json> {
  const { notes } = Notes.parse(input);
  const handover = await handoverOf(agent);
  return agent('submit_readiness', reportOn(handover, await answersFrom(handover, { agent, role, notes })));
}

/** The answers for a readiness report. The bots add the other members of the report. */
export const readinessAnswers = async (agent: CallTool, role: Builder, notes: readonly string[]): Promise<Json[]> =>
  answersFrom(await handoverOf(agent), { agent, role, notes });

interface Reader {
  readonly agent: CallTool;
  readonly role: Builder;
  readonly notes: readonly string[];
}

async function answersFrom(handover: Handover, { agent, role, notes }: Reader): Promise<Json[]> {
  const { questions } = Questions.parse(await agent('get_readiness_questions', {}));
  return answersTo(questions, readingOf(handover, role), notes);
}

/** The members of a report with the verdict READY_TO_CODE. */
function reportOn(handover: Handover, answers: readonly Json[]): Json {
  const { revision_id, content_hash, fixture_version, handshake_sha256 } = handover.manifest;
  return {
    revision_id,
    content_hash,
    verdict: 'READY_TO_CODE',
    handshake_sha256,
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
  const { content, filename } = reading.handoff;
  if (text.includes('sha256') && text.includes(filename)) return sha256(content);
  const source = SOURCES.find(({ words }) => words.test(text));
  if (!source) throw new Error(`No source is known for the answer to ${question_id}: ${text}`);
  const found = valuesAfter(source.label, content);
  const agreed = source.inContract(reading);
  if (found.toSorted().join() !== agreed.toSorted().join())
    throw new Error(`As ${source.label}, ${filename} says ${found.join(', ')} and the contract ${agreed.join(', ')}.`);
  return found.join(', ') || 'none';
}

/** The texts in backticks after a label. The label begins a line of a list or of a table. */
function valuesAfter(label: string, handoff: string): string[] {
  const line = handoff.split('\n').find((one) => one.startsWith(`- ${label}:`) || one.startsWith(`| ${label} |`)) ?? '';
  const rest = line.slice(line.indexOf(label) + label.length);
  return Array.from(rest.matchAll(/`([^`]+)`/g), ([, value = '']) => value);
}

function readingOf(handover: Handover, role: Builder): Reading {
  const filename = role === 'agent_a' ? 'handoff-agent-a.md' : 'handoff-agent-b.md';
  const contract = Contract.parse(JSON.parse(fileIn(handover, 'shared-contract.json')));
  return { role, contract, handoff: { filename, content: fileIn(handover, filename) } };
}
