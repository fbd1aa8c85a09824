import type { ToolOutput } from '@parley/core/client';
import { sha256Hex } from '@parley/core/hash';
import { z } from 'zod';
import type { CallTool, Json } from './transport.ts';

/** The fetched artifacts that the frozen manifest assigns to one agent. Their contents match their checksums. */
interface Handover {
  readonly manifest: NonNullable<ToolOutput<'list_artifacts'>['manifest']>;
  /** Contents by filename, only of the files of this agent. */
  readonly files: ReadonlyMap<string, string>;
}

/** The contents that each agent has read, by their SHA-256, so that they are not fetched again. */
const read = new WeakMap<CallTool, Map<string, string>>();
/** For each agent: the files that the latest `fetchHandover` has returned. */
const confirmed = new WeakMap<CallTool, Handover>();

function remember(agent: CallTool, content: string): void {
  const contents = read.get(agent) ?? new Map<string, string>();
  read.set(agent, contents);
  contents.set(sha256Hex(content), content);
}

/** For each agent: the SHA-256 of the files in the contract that it has written or read, by filename. */
const inContract = new WeakMap<CallTool, ReadonlyMap<string, string>>();

const File = z.object({ filename: z.string(), content: z.string() });
const Contract = z.object({ artifacts: z.array(File).default([]) });

/** Records that the agent has written or read a contract, and with it the contents of all artifacts in the contract. */
export function rememberContract(agent: CallTool, contract: unknown): void {
  const { artifacts } = Contract.parse(contract);
  for (const { content } of artifacts) remember(agent, content);
  inContract.set(agent, new Map(artifacts.map(({ filename, content }) => [filename, sha256Hex(content)])));
}

/** The checksums of artifacts, by filename. Fetches those that are not in the contract that the agent knows. */
async function checksumsOf(agent: CallTool, filenames: readonly string[]): Promise<Json> {
  const known = inContract.get(agent);
  const pairs: [string, string][] = [];
  for (const filename of filenames)
    pairs.push([filename, known?.get(filename) ?? sha256Hex(await fetchFile(agent, filename))]);
  return Object.fromEntries(pairs);
}

/**
 * Gets the files that `list_artifacts` assigns to the agent. Fetches only contents that the agent has not read yet.
 *
 * @throws Error if a content does not match its checksum in the answer of `list_artifacts`
 */
async function fetchHandover(agent: CallTool): Promise<Handover> {
  const { manifest, artifacts } = await agent('list_artifacts');
  if (!manifest) throw new Error('The session has no manifest yet.');
  const files = new Map<string, string>();
  for (const { filename, sha256: listed } of artifacts) {
    const content = read.get(agent)?.get(listed) ?? (await fetchFile(agent, filename));
    const real = sha256Hex(content);
    if (real !== listed) throw new Error(`${filename} has the checksum ${real}; the manifest says ${listed}.`);
    if (filename === 'shared-contract.json') rememberContract(agent, JSON.parse(content));
    files.set(filename, content);
  }
  const handover = { manifest, files };
  confirmed.set(agent, handover);
  return handover;
}

/** Returns the files that were fetched last for the agent. If none were fetched yet, fetches them. */
const handoverOf = async (agent: CallTool): Promise<Handover> => confirmed.get(agent) ?? (await fetchHandover(agent));

/** @throws Error if the content does not match the checksum in the answer of `fetch_artifact` */
async function fetchFile(agent: CallTool, filename: string): Promise<string> {
  const { content, sha256: said } = await agent('fetch_artifact', { filename });
  const real = sha256Hex(content);
  if (real !== said)
    throw new Error(`${filename} has the checksum ${real}; the answer of fetch_artifact says ${said}.`);
  return content;
}

/**
 * The routine `confirm_receipts`: confirms all artifacts of the agent in one call, with the checksums of the fetched
 * contents.
 */
export async function confirmReceipts(agent: CallTool): Promise<Json> {
  return agent('confirm_receipt', await receiptsOf(agent));
}

/** Makes the input of a call that confirms all artifacts of the agent. */
export async function receiptsOf(agent: CallTool): Promise<Json> {
  const { files } = await fetchHandover(agent);
  const [[filename = '', hash] = [], ...others] = Array.from(
    files,
    ([name, content]) => [name, sha256Hex(content)] as const,
  );
  return { filename, sha256: hash, others: Object.fromEntries(others) };
}

function fileIn({ files }: Handover, filename: string): string {
  const content = files.get(filename);
  if (content === undefined) throw new Error(`The handover has no ${filename}.`);
  return content;
}

const Report = z.object({
  notes: z.array(z.string()),
  receipts: z.boolean().default(false),
  confirms: z.boolean().default(false),
});

/**
 * For each agent: the id of its action to confirm the other agent's answers. The id comes from the response to the
 * agent's own report, and is absent if that response did not contain it.
 */
const toConfirm = new WeakMap<CallTool, string>();

/**
 * The routine `answer_readiness`: reports READY_TO_CODE and answers the questions with the `notes` of the step, in
 * their order. With `receipts`, the report also confirms the artifacts, and with `confirms` the answers of the other agent.
 *
 * @throws Error if a note is missing
 */
export async function answerReadiness(agent: CallTool, input: Json): Promise<Json> {
  const { notes, receipts, confirms } = Report.parse(input);
  if (receipts) return reportAtOnce(agent, notes, confirms);
  const { questions } = await agent('get_readiness_questions');
  const handover = await handoverOf(agent);
  const { revision_id, content_hash, handshake_sha256, fixture_version } = handover.manifest;
  const answer = await agent('submit_readiness', {
    ...{ revision_id, content_hash, handshake_sha256, fixture_version },
    verdict: 'READY_TO_CODE',
    shared_contract_sha256: sha256Hex(fileIn(handover, 'shared-contract.json')),
    answers: answersTo(questions, notes),
  });
  if (answer.to_confirm?.action_id) toConfirm.set(agent, answer.to_confirm.action_id);
  return answer;
}

/** Reports with the receipts, and with the confirmation of the other agent's answers if `confirms` is true. */
async function reportAtOnce(agent: CallTool, notes: readonly string[], confirms: boolean): Promise<Json> {
  const read = await agent('get_readiness_questions', confirms ? { with_answers: true } : {});
  const { questions, receipts_missing, to_confirm } = read;
  const { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = read;
  const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
  const answer = await agent('submit_readiness', {
    ...Named.parse(named),
    verdict: 'READY_TO_CODE',
    answers: answersTo(questions, notes),
    receipts: Receipts.parse(await checksumsOf(agent, receipts_missing)),
    ...(confirms && { confirms: to_confirm?.report }),
  });
  if (answer.to_confirm?.action_id) toConfirm.set(agent, answer.to_confirm.action_id);
  return answer;
}

const Receipts = z.record(z.string(), z.string());
const Named = z.object({
  revision_id: z.string(),
  content_hash: z.string(),
  handshake_sha256: z.string(),
  shared_contract_sha256: z.string(),
  fixture_version: z.string(),
});

type Answers = { question_id: string; answer: string }[];

/** Makes the answers for a readiness report. */
export const readinessAnswers = async (agent: CallTool, notes: readonly string[]): Promise<Answers> =>
  answersTo((await agent('get_readiness_questions')).questions, notes);

/**
 * The routine `confirm_answers`: confirms all answers of the other agent. If the id of the action is unknown, reads the
 * id first.
 *
 * @throws Error if there are no answers to confirm
 */
export async function confirmAnswers(agent: CallTool): Promise<Json> {
  const action_id = toConfirm.get(agent) ?? (await agent('get_readiness_questions')).to_confirm?.action_id;
  if (action_id === undefined) throw new Error('There are no answers to confirm.');
  toConfirm.delete(agent);
  return agent('complete_action', { action_id });
}

function answersTo(questions: ToolOutput<'get_readiness_questions'>['questions'], notes: readonly string[]): Answers {
  return questions.map(({ question_id, text }, index) => {
    const answer = notes[index];
    if (answer === undefined) throw new Error(`The mission has no note for ${question_id}: ${text}`);
    return { question_id, answer };
  });
}
