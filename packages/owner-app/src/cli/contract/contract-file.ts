import { canonicalHash, canonicalJson } from '@parley/core/hash';
import { isRecord, readJsonFile } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';
import { visibleJson, visibleLine } from '../../text/visible.ts';

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
export type ContractFileCheck =
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
