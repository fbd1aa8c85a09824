import { plural } from '@parley/core/text';
import { isParsable } from '../../text/markdown-work.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { wrapText } from '../../text/table.ts';
import { jsonText, visibleLine } from '../../text/visible.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { type ReadSource, readSource, sourceFault } from '../import/read-source.ts';
import { type SourceKind, takeFrom } from '../import/specification.ts';
import { listBlock, quotedLines } from '../print/answer.ts';
import { requirementLines } from '../print/contract/format-contract.ts';
import type { Terminal } from '../terminal.ts';
import { withinTime } from '../within-time.ts';
import { createInput, type SessionFlags } from './create-input.ts';

export interface FromFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * The input of `createSession` out of a specification and the flags, shown before it is returned. Undefined after
 * `--dry-run`, which prints it as a file for `--file`.
 *
 * @throws CliError with the exit code USAGE if there is no specification, or if it lacks what a session needs
 * @throws CliError with the exit code REFUSED if the person at the terminal does not confirm
 */
export async function inputFrom(
  given: string,
  { yes, dryRun, json, ...flags }: FromFlags & SessionFlags,
  terminal: Terminal,
): Promise<Json | undefined> {
  const read = await readSource(given, () => terminal.input());
  const refuse = (name: string): never => {
    throw sourceFault(name, 'has too many lines or Markdown marks: give one specification, or a part of it');
  };
  for (const { path, text } of read.files) if (!isParsable(text)) refuse(path);
  const taken = withinTime(
    () => takeFrom(read),
    () => refuse(given),
  );
  const input = createInput({ ...taken.draft, source: read.source }, flags);
  const left = [...read.left, ...taken.left].map((part) => `Not taken: ${part}`);
  const missing = missingIn(input);
  if (dryRun) {
    terminal.out(jsonText(input, 2));
    for (const line of [...left, ...missing.map((what) => `Missing: ${what}`)]) terminal.err(visibleLine(line));
    return undefined;
  }
  if (missing.length > 0)
    throw sourceFault(
      given,
      `lacks what a session needs: ${missing.join('; ')}. Add the flags, or edit what --dry-run prints and give it to --file`,
    );
  if (json) return input;
  for (const line of previewLines(input, read, left, terminal)) terminal.out(line);
  if (!yes) await requireYes(terminal);
  return input;
}

/** What a session needs and the input lacks, each with the flag that gives it. */
const missingIn = ({ title, objective, requirements }: Json): string[] => [
  ...(title ? [] : ['a title (--title)']),
  ...(objective ? [] : ['an objective (--objective)']),
  ...(Array.isArray(requirements) && requirements.length > 0 ? [] : ['a requirement (--requirement)']),
];

async function requireYes({ question }: Terminal): Promise<void> {
  if (!question)
    throw wrongUsage('Add --yes to create this session, or --dry-run to edit it first. Nothing was created.');
  const answer = (await question('Create this session? [y/N] ')).trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes')
    throw commandFailed('Nothing was created. To edit the session first, use --dry-run.');
}

const KINDS: Readonly<Record<SourceKind, string>> = {
  'spec-kit': 'Spec Kit',
  openspec: 'OpenSpec',
  kiro: 'Kiro',
  issue: 'an issue',
  markdown: 'Markdown',
};

/** What was taken, and what was not, for the person who confirms. */
function previewLines(input: Json, { source }: ReadSource, left: readonly string[], terminal: Terminal): string[] {
  const { columns, paint } = terminal;
  const lines = (text: string): string[] => wrapText(visibleLine(text), columns);
  const { guardrails, ...given } = readAs(input, { guardrails: 'texts', requirements: 'records' });
  const requirements = given.requirements.map((one) =>
    readAs(one, { requirement_id: 'text', text: 'text', acceptance_criteria: 'texts' }),
  );
  const criteria = requirements.reduce((count, { acceptance_criteria: own }) => count + own.length, 0);
  const counts = [
    plural(requirements.length, 'requirement'),
    criteria === 1 ? '1 acceptance criterion' : `${criteria} acceptance criteria`,
    plural(guardrails.length, 'guardrail'),
  ];
  return [
    ...lines(`${input.title}`).map((line) => paint('bold', line)),
    ...lines(`${counts.join(', ')}, from ${source.location} (${KINDS[source.kind]}), SHA-256 ${source.sha256}`),
    ...quotedLines(`${input.objective}`, terminal),
    ...requirementLines({ requirements }, terminal),
    ...listBlock('guardrails', guardrails, terminal),
    ...(left.length > 0 ? ['', ...left.flatMap(lines)] : []),
    '',
  ];
}
