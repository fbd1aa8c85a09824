import { sha256Hex } from '@parley/core/hash';
import { isRecord, parseOrNull } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';
import { visibleLine } from '../../text/visible.ts';
import { type AgentFlags, connectAgent } from '../agent/agent-client.ts';
import { connectOwner } from '../client/owner-client.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { ContractFile } from './contract-file.ts';

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
  new CliError(
    EXIT.REFUSED,
    `The server gave another ${filename} than the one whose hash is in its manifest. Nothing was written. Check PARLEY_URL.`,
  );

/** The JSON object in the text of an artifact. */
export function objectIn(text: string, filename: string): Json {
  const value = parseOrNull(text);
  if (!isRecord(value)) throw notFrozen(filename);
  return value;
}
