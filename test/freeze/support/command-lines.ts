import { ownerListings } from '@parley/core';
import { type CommandReference, describeCommands, type FlagReference, runCli } from '@parley/owner-app';
import { fakeTerminal } from '../../../packages/owner-app/test/fake-terminal.ts';
import type { Known } from './inputs.ts';
import { type Json, parsedLines } from './json-text.ts';
import type { Stage } from './stage.ts';

/** What a command line prints. */
export interface Printed {
  readonly code: number;
  readonly out?: Json;
  readonly err?: Json;
}

/** Commands that only read and are not operations, with the words that some of them take. */
const FURTHER_READS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  sessions: [[]],
  waiting: [[], ['SESSION']],
  find: [['ledger'], ['idempotency', 'key']],
  audit: [[]],
  'export-log': [['SESSION']],
  accounts: [['list']],
  people: [['list'], ['me'], ['verify'], ['export']],
  show: [['SESSION', 'RECORD']],
  'verify-log': [['SESSION']],
};

const READS = new Set(ownerListings.filter(({ effect }) => effect === 'read').map(({ name }) => dashed(name)));
const WRITES = new Set(ownerListings.filter(({ effect }) => effect !== 'read').map(({ name }) => dashed(name)));

/** Flags that write a file, ask for a pager, or wait. */
const NOT_GIVEN = new Set(['--out', '--no-pager', '--wait']);

/** Values where a session has none. */
const CHOSEN: Readonly<Record<string, string>> = {
  '--grep': 'ledger',
  '--kind': 'turn.posted',
  '--section': 'tasks',
  '--person': 'Owner',
  '--from': '2026-01-05T09:00:10Z',
  '--to': '2026-01-05T09:00:20Z',
  '--idle': '1min',
  '--since': 'r_1',
  '--after': '2',
  '--text': 'Frozen words.',
  '--reason': 'Frozen words.',
  '--targets': 'agent_b',
};

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The command lines that read: each command alone, with each of its flags, and with `--json`. */
export async function readingLines(known: Known): Promise<readonly (readonly string[])[]> {
  return (await describeCommands()).flatMap((command) => {
    const { name, flags } = command;
    const bases =
      FURTHER_READS[name]?.flatMap((words) => withRecords(words, known)) ?? (READS.has(name) ? [['SESSION']] : []);
    const needed = flags.filter(({ isRequired }) => isRequired).flatMap((flag) => first(argumentsFor(flag, known)));
    const further = flags.flatMap((flag) =>
      flag.isRequired || NOT_GIVEN.has(flag.flag) ? [] : argumentsFor(flag, known),
    );
    return bases.flatMap((words, index) => {
      const base = [name, ...words, ...needed];
      const json = flags.some(({ flag }) => flag === '--json') ? [[...base, '--json']] : [];
      return [base, ...(index === 0 ? further.map((flag) => [...base, ...flag]) : json)];
    });
  });
}

/** One command line for each write of the owner. */
export const writingLines = async (known: Known): Promise<readonly (readonly string[])[]> =>
  (await describeCommands()).filter(({ name }) => WRITES.has(name)).map((command) => writingLine(command, known));

function writingLine({ name, arguments: words, flags }: CommandReference, known: Known): readonly string[] {
  const record = words.some((one) => one.name === 'record_id') ? recordFor(name, known) : [];
  const given = flags.filter(({ flag, isRequired }) => isRequired || USUAL.has(flag));
  return [name, 'SESSION', ...record, ...given.flatMap((flag) => first(argumentsFor(flag, known)))];
}

/** Flags that most calls have although they are not required. */
const USUAL = new Set(['--yes', '--text', '--reason', '--targets', '--revision-id', '--content-hash', '--stage']);

const RECORDS: Readonly<Record<string, string>> = {
  'withdraw-intervention': 'intervention_id',
  'answer-question': 'question_id',
  'override-finding': 'finding_id',
  'release-hold': 'hold_id',
  'respond-recommendation': 'recommendation_id',
  'reassign-defect': 'defect_id',
  'waive-defect': 'defect_id',
};

const recordFor = (name: string, known: Known): string[] =>
  known
    .get(RECORDS[name] ?? '')
    ?.slice(-1)
    .map(String) ?? [];

const withRecords = (words: readonly string[], known: Known): string[][] =>
  words.includes('RECORD')
    ? (known.get('id') ?? []).map((id) => words.map((word) => (word === 'RECORD' ? String(id) : word)))
    : [[...words]];

const first = (all: readonly (readonly string[])[]): readonly string[] => all[0] ?? [];

/** A flag with each of its words; else with one value. */
function argumentsFor({ flag, takes, taken }: FlagReference, known: Known): string[][] {
  if (takes === undefined) return [[flag]];
  if (taken && 'words' in taken) return (taken.words as readonly string[]).map((word) => [flag, word]);
  const name = flag.slice(2).replaceAll('-', '_');
  const value =
    CHOSEN[flag] ?? (name === 'session' ? 'SESSION' : known.get(name)?.at(-1)) ?? (takes === 'number' ? 2 : undefined);
  return value === undefined ? [] : [[flag, String(value)]];
}

/** Runs a command line in this process. */
export async function printedBy(stage: Stage, args: readonly string[]): Promise<Printed> {
  const terminal = fakeTerminal({ PARLEY_URL: stage.url, PARLEY_OWNER_KEY: stage.keys.owner });
  // Where a stream is cut into chunks is a matter of time.
  const written: Uint8Array[] = [];
  const write = async (chunk: Uint8Array): Promise<void> => void written.push(chunk);
  const code = await runCli(
    args.map((word) => (word === 'SESSION' ? stage.sessionId : word)),
    { ...terminal, write },
  );
  const stream = Buffer.concat(written).toString().trimEnd();
  const plain = (text: string) => text.replaceAll(stage.url, 'http://parley');
  const [out, err] = [plain(terminal.output() + stream), plain(terminal.errors())];
  return { code, ...(out && { out: parsedLines(out) }), ...(err && { err: parsedLines(err) }) };
}
