import { createHash } from 'node:crypto';
import type { ToolOutput } from '@parley/core/client';
import { z } from 'zod';
import type { CallTool, Json } from './transport.ts';

/** The fetched artifacts that the frozen manifest assigns to one agent. Their contents match their checksums. */
export interface Handover {
  readonly manifest: NonNullable<ToolOutput<'list_artifacts'>['manifest']>;
  /** Contents by filename, only of the files of this agent. */
  readonly files: ReadonlyMap<string, string>;
}

export const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

/** The contents that each agent has read, by their SHA-256, so that they are not fetched again. */
const read = new WeakMap<CallTool, Map<string, string>>();
/** For each agent: the files that the latest `fetchHandover` has returned. */
const confirmed = new WeakMap<CallTool, Handover>();

function remember(agent: CallTool, content: string): void {
  const contents = read.get(agent) ?? new Map<string, string>();
  read.set(agent, contents);
  contents.set(sha256(content), content);
}

/** For each agent: the SHA-256 of the files in the contract that it has written or read, by filename. */
const inContract = new WeakMap<CallTool, ReadonlyMap<string, string>>();

const File = z.object({ filename: z.string(), content: z.string() });
const Contract = z.object({ artifacts: z.array(File).default([]) });

/** Records that the agent has written or read a contract, and with it the contents of all artifacts in the contract. */
export function rememberContract(agent: CallTool, contract: unknown): void {
  const { artifacts } = Contract.parse(contract);
  for (const { content } of artifacts) remember(agent, content);
  inContract.set(agent, new Map(artifacts.map(({ filename, content }) => [filename, sha256(content)])));
}

/** The checksums of artifacts, by filename. Fetches those that are not in the contract that the agent knows. */
export async function checksumsOf(agent: CallTool, filenames: readonly string[]): Promise<Json> {
  const known = inContract.get(agent);
  const pairs: [string, string][] = [];
  for (const filename of filenames)
    pairs.push([filename, known?.get(filename) ?? sha256(await fetchFile(agent, filename))]);
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
    const real = sha256(content);
    if (real !== listed) throw new Error(`${filename} has the checksum ${real}; the manifest says ${listed}.`);
    if (filename === 'shared-contract.json') rememberContract(agent, JSON.parse(content));
    files.set(filename, content);
  }
  const handover = { manifest, files };
  confirmed.set(agent, handover);
  return handover;
}

/** Returns the files that were fetched last for the agent. If none were fetched yet, fetches them. */
export const handoverOf = async (agent: CallTool): Promise<Handover> =>
  confirmed.get(agent) ?? (await fetchHandover(agent));

/** @throws Error if the content does not match the checksum in the answer of `fetch_artifact` */
async function fetchFile(agent: CallTool, filename: string): Promise<string> {
  const { content, sha256: said } = await agent('fetch_artifact', { filename });
  const real = sha256(content);
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
    ([name, content]) => [name, sha256(content)] as const,
  );
  return { filename, sha256: hash, others: Object.fromEntries(others) };
}

export function fileIn({ files }: Handover, filename: string): string {
  const content = files.get(filename);
  if (content === undefined) throw new Error(`The handover has no ${filename}.`);
  return content;
}
