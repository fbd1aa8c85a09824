import { stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sha256Hex } from '@parley/core/hash';
import { absent, readRegularFile } from '../../server/access/owner-key.ts';
import { readAs } from '../../text/read-as.ts';
import { jsonText, visibleLine } from '../../text/visible.ts';
import { fetchedJson, isUrl, keySetOf } from '../client/key-set.ts';
import { CliOutcome, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import {
  CONTRACT_FILE,
  CONTRACT_PAGE,
  type ContractFile,
  connectService,
  readContractFile,
  readPeerFile,
  revisionText,
  type ServiceFlags,
  shown,
} from './contract-file.ts';

interface Case {
  readonly name: string;
  /** What is wrong, in a sentence. */
  readonly fault?: string | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const attribute = (text: string): string => visibleLine(text).replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

/** A report in JUnit XML, as CI systems show it. */
export function junitText(suite: string, cases: readonly Case[]): string {
  const failed = cases.filter(({ fault }) => fault !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${attribute(suite)}" tests="${cases.length}" failures="${failed}">`,
    ...cases.map(({ name, fault }) => {
      const begin = `  <testcase classname="${attribute(suite)}" name="${attribute(name)}"`;
      return fault === undefined ? `${begin}/>` : `${begin}><failure message="${attribute(fault)}"/></testcase>`;
    }),
    '</testsuite>',
    '',
  ].join('\n');
}

/** Where a repository has the certificate of the session, if it has one: `parley certificate SESSION --out` writes it. */
const CERTIFICATE_FILE = '.parley/certificate.json';

export interface CheckFlags extends ServiceFlags {
  readonly folder: string;
  readonly peer?: string | undefined;
  readonly key?: string | undefined;
  readonly online?: boolean | undefined;
  readonly junit?: string | undefined;
  readonly json?: boolean | undefined;
}

/** One thing that was checked. `fault` is a sentence that says what to do. */
interface Checked {
  readonly name: string;
  readonly ok: string;
  readonly fault?: string | undefined;
}

/** Checks the files that `parley contract pull` wrote. Needs no server without `--online` and an address. */
export async function check(terminal: Terminal, flags: CheckFlags): Promise<void> {
  const { file, ...own } = await ownFile(flags.folder);
  const checked: readonly Checked[] = [
    { name: CONTRACT_FILE, ok: file ? `unchanged, ${revisionText(file)}` : '', fault: own.fault },
    ...(file ? await checkedBeside(terminal, flags, file) : []),
  ];
  const faults = checked.filter(({ fault }) => fault !== undefined);
  if (flags.junit !== undefined) await writeReport(flags.junit, checked);
  if (flags.json) {
    const checks = checked.map(({ name, fault }) => ({ name, ok: fault === undefined, fault }));
    terminal.out(jsonText({ ok: faults.length === 0, revision_id: file?.revision_id, checks }));
  } else {
    for (const { name, ok, fault } of checked)
      terminal.out(
        fault === undefined
          ? `${terminal.paint('green', 'ok')}    ${visibleLine(name)}: ${ok}`
          : `${terminal.paint('red', 'FAIL')}  ${visibleLine(name)} ${visibleLine(fault)}`,
      );
  }
  if (faults.length > 0) throw new CliOutcome(EXIT.MISMATCH);
}

async function checkedBeside(terminal: Terminal, flags: CheckFlags, file: ContractFile): Promise<Checked[]> {
  const { folder, key, peer, online } = flags;
  const checked: Checked[] = [{ name: CONTRACT_PAGE, ok: 'unchanged', fault: await pageFault(folder, file) }];
  const text = await readRegularFile(join(folder, CERTIFICATE_FILE));
  if (text !== undefined || key !== undefined) {
    const fault = await certificateFault(text, key, file);
    checked.push({ name: CERTIFICATE_FILE, ok: 'signed, and of this revision', fault });
  }
  if (peer !== undefined) {
    const fault = await peerFault(peer, file);
    checked.push({ name: `--peer ${peer}`, ok: 'the other side has the same revision', fault });
  }
  if (online) {
    const fault = await serviceFault(terminal, flags, file);
    checked.push({ name: '--online', ok: 'the service calls this revision approved', fault });
  }
  return checked;
}

async function ownFile(folder: string): Promise<{ readonly file?: ContractFile; readonly fault?: string }> {
  const text = await readRegularFile(join(folder, CONTRACT_FILE));
  return text === undefined ? { fault: 'does not exist. Run parley contract pull.' } : readContractFile(text);
}

async function pageFault(folder: string, { page_sha256 }: ContractFile): Promise<string | undefined> {
  const text = await readRegularFile(join(folder, CONTRACT_PAGE));
  if (text === undefined) return 'does not exist. Run parley contract pull.';
  return sha256Hex(text.replaceAll('\r\n', '\n')) === page_sha256
    ? undefined
    : 'was changed after the pull. A change of the contract belongs into the session. Run parley contract pull.';
}

/**
 * A certificate counts only with keys that were not in the same commit as the certificate.
 *
 * @param text undefined if there is no certificate
 */
async function certificateFault(
  text: string | undefined,
  key: string | undefined,
  file: ContractFile,
): Promise<string | undefined> {
  if (text === undefined)
    return 'does not exist, so --key checks nothing. Write it with parley certificate SESSION --out .parley/certificate.json.';
  if (key === undefined) return 'is not checked. Name the key set that you trust with --key FILE or --key URL.';
  const { verifyCertificate } = await import('@parley/core');
  const { statement, fault } = verifyCertificate(text, await keySetOf(key));
  if (!statement) return `does not count. ${fault}`;
  const { session_id, contract } = statement.predicate;
  const isSame =
    session_id === file.session_id &&
    contract.revision_id === file.revision_id &&
    contract.content_hash === file.content_hash &&
    contract.manifest_sha256 === file.manifest.manifest_sha256;
  return isSame
    ? undefined
    : `certifies ${revisionText(contract)} of session ${shown(session_id)}, and ${CONTRACT_FILE} has ${revisionText(file)} of session ${shown(file.session_id)}. Run parley contract pull, then write the certificate again.`;
}

/** The file of the other side: its path, the folder of its repository, or an address. */
async function peerFault(peer: string, file: ContractFile): Promise<string | undefined> {
  const text = isUrl(peer) ? JSON.stringify(await fetchedJson(peer, '--peer')) : await fileText(peer);
  if (text === undefined) return `has no ${CONTRACT_FILE}. Let the other side run parley contract pull and commit it.`;
  const { file: other, fault } = readPeerFile(text);
  if (!other) return `${fault} This is for the other side to do.`;
  if (other.session_id !== file.session_id)
    return `is of session ${shown(other.session_id)}, and ${CONTRACT_FILE} of session ${shown(file.session_id)}. Pull both from the session that holds.`;
  if (isSameRevision(other, file)) return undefined;
  const isOlder = numberOf(other) < numberOf(file);
  return `has ${revisionText(other)}, and ${CONTRACT_FILE} has ${revisionText(file)}. ${isOlder ? 'Let the other side run parley contract pull and commit it.' : 'Run parley contract pull and commit it.'}`;
}

type Revision = Pick<ContractFile, 'revision_id' | 'content_hash'>;

const isSameRevision = (one: Revision, other: Revision): boolean =>
  one.revision_id === other.revision_id && one.content_hash === other.content_hash;

const numberOf = ({ revision_id }: ContractFile): number => Number(revision_id.slice(2));

async function fileText(peer: string): Promise<string | undefined> {
  const isFolder = (await stat(peer).catch(absent))?.isDirectory() === true;
  return await readRegularFile(isFolder ? join(peer, CONTRACT_FILE) : peer);
}

async function serviceFault(terminal: Terminal, flags: CheckFlags, file: ContractFile): Promise<string | undefined> {
  const { sessionId, manifest, latest } = await connectService(terminal, flags);
  if (sessionId !== file.session_id)
    return `the service was asked for session ${shown(sessionId)}, and ${CONTRACT_FILE} of session ${shown(file.session_id)}. Ask for the session of the file, or run parley contract pull.`;
  if (manifest === null)
    return `the service calls no revision approved now: ${latest}. Wait for the owner's approval, then run parley contract pull.`;
  const approved = readAs(manifest, { revision_id: 'text', content_hash: 'text' });
  return isSameRevision(approved, file)
    ? undefined
    : `the service calls ${revisionText(approved)} approved, and ${CONTRACT_FILE} has ${revisionText(file)}. Run parley contract pull and commit it.`;
}

async function writeReport(path: string, checked: readonly Checked[]): Promise<void> {
  const cases = checked.map(({ name, fault }) => ({ name, fault: fault && `${name} ${fault}` }));
  await writeFile(resolve(path), junitText('parley contract check', cases));
}
