import { canonicalHash, canonicalJson, sha256Hex } from '@parley/core/hash';
import { isRecord, parseOrNull, readJsonFile } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';
import { visibleJson, visibleLine } from '../../text/visible.ts';
import { type AgentFlags, connectAgent } from '../agent/agent-client.ts';
import { connectOwner } from '../client/owner-client.ts';
import { type CliError, commandFailed } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Where a repository has the approved contract, for programs and for people. */
export const CONTRACT_FILE = '.parley/contract.json';
export const CONTRACT_PAGE = 'CONTRACT.md';

const FORMAT = 'parley-contract-1';

/** The approved contract of a session as a repository has it. */
export interface ContractFile {
  readonly session_id: string;
  readonly revision_id: string;
  /** SHA-256 of the RFC 8785 form of `contract`. */
  readonly content_hash: string;
  readonly approved: Approved;
  /** The frozen manifest, which names the revision and its hash too. */
  readonly manifest: Json;
  readonly contract: Json;
  /** SHA-256 of the file {@link CONTRACT_PAGE}. */
  readonly page_sha256: string;
}

interface Approved {
  readonly at: string;
  /** Agents see no names of people, so a file that was pulled with their token has none. */
  readonly by: 'owner' | readonly { readonly id: string; readonly name: string }[];
}

/** The file, or the fault in a sentence that begins with its name. */
type ContractFileCheck =
  | { readonly file: ContractFile; readonly fault?: never }
  | { readonly fault: string; readonly file?: never };

/**
 * The text of the file: members in the order of RFC 8785, two blanks of indentation, invisible characters as escapes. The same
 * contract gives the same bytes. `sha256` is that of the RFC 8785 form of all other members.
 */
export function contractFileText(file: ContractFile): string {
  const members = { format: FORMAT, ...file };
  return textOf({ ...members, sha256: canonicalHash(members) });
}

const textOf = (value: Json): string => `${visibleJson(JSON.stringify(JSON.parse(canonicalJson(value)), null, 2))}\n`;

const AGAIN = 'Run parley contract pull again.';

/** Reads the text of the file as `pull` has written it, and checks every hash in it. Trusts nothing of it. */
export function readContractFile(text: string): ContractFileCheck {
  const read = parsed(text);
  if (read.fault !== undefined) return { fault: read.fault };
  const checked = checkContractFile(read.value);
  if (checked.fault !== undefined || text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n') === textOf(read.value))
    return checked;
  return {
    fault: `has the same content, but not in the form that parley contract pull writes. Exclude it from formatters. ${AGAIN}`,
  };
}

/** Reads the file of the other side, in any form of JSON. */
export function readPeerFile(text: string): ContractFileCheck {
  const read = parsed(text);
  return read.fault === undefined ? checkContractFile(read.value) : { fault: read.fault };
}

type Parsed = { readonly value: Json; readonly fault?: never } | { readonly fault: string; readonly value?: never };

function parsed(text: string): Parsed {
  const { value, fault } = readJsonFile(text);
  if (fault !== undefined) return { fault: `${visibleLine(fault)}. ${AGAIN}` };
  return isRecord(value) && value.format === FORMAT
    ? { value }
    : { fault: `is not a file of parley contract pull: its format is not ${FORMAT}. ${AGAIN}` };
}

/** Checks the hashes in the value of a file. */
function checkContractFile({ sha256, ...members }: Json): ContractFileCheck {
  const file = fileOf(members);
  const fault = hashFault(file, members, sha256);
  return fault === undefined ? { file } : { fault };
}

function hashFault(file: ContractFile, members: Json, sha256: unknown): string | undefined {
  const { manifest_sha256, ...manifest } = file.manifest;
  if (canonicalHash(file.contract) !== file.content_hash)
    return `was changed after the pull: the contract in it no longer has the content hash ${shown(file.content_hash)}. ${AGAIN}`;
  if (canonicalHash(manifest) !== manifest_sha256)
    return `was changed after the pull: the manifest in it no longer has its hash. ${AGAIN}`;
  if (manifest.revision_id !== file.revision_id || manifest.content_hash !== file.content_hash)
    return `was changed after the pull: its manifest is of another revision. ${AGAIN}`;
  return canonicalHash(members) === sha256
    ? undefined
    : `was changed after the pull: it no longer has the hash in its member sha256. ${AGAIN}`;
}

function fileOf(members: Json): ContractFile {
  const { approved, contract, manifest, ...rest } = readAs(members, {
    session_id: 'text',
    revision_id: 'text',
    content_hash: 'text',
    page_sha256: 'text',
    approved: 'record',
    manifest: 'record',
    contract: 'record',
  });
  const { at, by } = readAs(approved, { at: 'text', by: 'records' });
  const people = by.map((person) => readAs(person, { id: 'text', name: 'text' }));
  return { ...rest, contract, manifest, approved: { at, by: people.length > 0 ? people : 'owner' } };
}

/** The beginning of a hash or an id of a file that somebody else wrote. */
export const shown = (text: string): string => visibleLine(text).slice(0, 64);

/** The revision in words: `r_3 (3f2a4b1c9d0e)`. */
export const revisionText = ({
  revision_id,
  content_hash,
}: Pick<ContractFile, 'revision_id' | 'content_hash'>): string =>
  `${shown(revision_id)} (${shown(content_hash).slice(0, 12)})`;

/** Where the session stands, as the service says. */
export interface Standing {
  readonly status: string;
  readonly phase: string;
  readonly authorizations: Readonly<Record<'build' | 'deployment' | 'activation', boolean>>;
}

/** What the service says of a session: the frozen manifest of the approved revision, or null, and functions that read the rest. */
export interface Service {
  readonly sessionId: string;
  /** The side whose token is used. Undefined with the owner key. */
  readonly role: string | undefined;
  readonly standing: Standing;
  readonly manifest: Json | null;
  readonly approvedBy: ContractFile['approved']['by'];
  /** The latest revision in words, for an error message. */
  readonly latest: string;
  /** Reads an artifact of the manifest, and compares its hash with that of the manifest. */
  artifact(filename: string): Promise<string>;
}

export interface ServiceFlags extends AgentFlags {
  /** With a session the owner key is used. */
  readonly session?: string | undefined;
}

/** Asks the service with the owner key if a session is named, else with the token of the agent, as `parley wait` does. */
export const connectService = (terminal: Terminal, { session, ...flags }: ServiceFlags): Promise<Service> =>
  session === undefined ? asAgent(terminal, flags) : asOwner(terminal, session);

async function asAgent(terminal: Terminal, flags: AgentFlags): Promise<Service> {
  const client = await connectAgent(terminal, flags);
  const { session_id: sessionId, your_role: role } = await client.call('read_task');
  const state = await client.call('read_session_state');
  const { manifest, authorizations } = await client.call('list_artifacts');
  return {
    sessionId,
    role,
    standing: standingOf(state, authorizations),
    manifest,
    approvedBy: 'owner',
    latest: latestText(state.latest_revision),
    artifact: (filename) =>
      whole(manifest, filename, async (from) => await client.call('fetch_artifact', { filename, from })),
  };
}

async function asOwner(terminal: Terminal, given: string): Promise<Service> {
  const client = await connectOwner(terminal);
  const session_id = await client.wholeId(given);
  const { state, manifest, approvals } = await client.call('view', { session_id });
  const by = approvals
    .filter(({ stage }) => stage === 'approval')
    .flatMap(({ given: all }) => all.flatMap(({ person }) => (person ? [{ id: person.id, name: person.name }] : [])));
  return {
    sessionId: session_id,
    role: undefined,
    standing: standingOf(state, state.authorizations),
    manifest,
    approvedBy: by.length > 0 ? by : 'owner',
    latest: latestText(state.latest_revision),
    artifact: (filename) =>
      whole(manifest, filename, async (from) => await client.call('artifact', { session_id, filename, from })),
  };
}

const standingOf = (
  { status, phase }: { readonly status: string; readonly phase: string },
  given: unknown,
): Standing => {
  const { build_authorized, deployment_authorized, activation_authorized } = readAs(given, {
    build_authorized: 'any',
    deployment_authorized: 'any',
    activation_authorized: 'any',
  });
  return {
    status,
    phase,
    authorizations: {
      build: build_authorized === true,
      deployment: deployment_authorized === true,
      activation: activation_authorized === true,
    },
  };
};

function latestText(latest: unknown): string {
  const { revision_id, status } = readAs(latest, { revision_id: 'text', status: 'text' });
  return revision_id === ''
    ? 'it has no revision yet'
    : visibleLine(`its latest revision, ${revision_id}, is ${status}`);
}

/** More characters than a contract or its rendering has, and more answers than it takes to read them. */
const MOST_CHARS = 3_000_000;
const MOST_PIECES = 100;

/** Reads an artifact in pieces. Refuses what is not the frozen content. */
async function whole(
  manifest: Json | null,
  filename: string,
  read: (from: number) => Promise<unknown>,
): Promise<string> {
  const { artifacts } = readAs(manifest, { artifacts: 'records' });
  const listed = artifacts.find((one) => one.filename === filename);
  let text = '';
  for (let piece = 1; ; piece += 1) {
    const { content, left_out } = readAs(await read(text.length), { content: 'text', left_out: 'any' });
    text += content;
    if (left_out === undefined) break;
    if (content === '' || text.length > MOST_CHARS || piece === MOST_PIECES) throw notFrozen(filename);
  }
  if (listed?.sha256 !== sha256Hex(text)) throw notFrozen(filename);
  return text;
}

const notFrozen = (filename: string): CliError =>
  commandFailed(
    `The server gave another ${filename} than the one whose hash is in its manifest. Nothing was written. Check PARLEY_URL.`,
  );

/** The JSON object in the text of an artifact. */
export function objectIn(text: string, filename: string): Json {
  const value = parseOrNull(text);
  if (!isRecord(value)) throw notFrozen(filename);
  return value;
}
