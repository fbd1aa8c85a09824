import { type CertificateStatement, KEY_SET_PATH, verifyCertificate } from '@parley/core';
import type { Command } from 'commander';
import type { Json } from '../../text/read-as.ts';
import { outlineLines } from '../../text/table.ts';
import { jsonText, shellWord, visibleLine } from '../../text/visible.ts';
import { contentOf, keySetOf } from '../client/key-set.ts';
import { serverUrl } from '../client/request.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Adds `parley verify-certificate`, which needs no server where the keys are in a file. */
export function addVerifyCertificate(program: Command, terminal: Terminal): void {
  program
    .command('verify-certificate')
    .description('Check a certificate: its signature with the keys that you trust, and what it says.')
    .argument('<file>', 'a certificate that `parley certificate` wrote')
    .option(
      '--key <file_or_url>',
      `the key set that you trust: a file, or its address (default: ${KEY_SET_PATH} of PARLEY_URL)`,
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  parley verify-certificate cert.json\n  parley verify-certificate cert.json --key jwks.json',
    )
    .action(async (file: string, { key, json }: { key?: string; json?: true }) => {
      const text = await contentOf(file);
      const source = key ?? `${serverUrl(terminal.environment.PARLEY_URL)}${KEY_SET_PATH}`;
      const { fault, statement, signers = [] } = verifyCertificate(text, await keySetOf(source));
      if (json) terminal.out(jsonText({ ok: !fault, fault, signers, statement }));
      if (!statement)
        throw new CliError(EXIT.MISMATCH, `${visibleLine(file)} does not count. ${visibleLine(`${fault}`)}`);
      if (json) return;
      terminal.out(
        `${terminal.paint('green', 'ok')}  signed by ${signers.join(' and ')}, of the keys in ${visibleLine(source)}`,
      );
      for (const line of [...statementLines(statement, terminal), '', ...leftToCheck(statement, terminal)])
        terminal.out(line);
    });
}

/** What a certificate says, for a person. */
function statementLines({ subject, predicate }: CertificateStatement, terminal: Terminal): string[] {
  const { scenarios, approvals, log, at, service_version, ...session } = predicate;
  const shown: Json = {
    ...session,
    commits: subject.map(({ name, digest }) => ({ name, commit: digest.gitCommit })),
    scenarios: scenarios.map(({ scenario_id, attempt, reports, carried_by = '', ...pass }) => ({
      scenario: `${scenario_id}/${attempt}`,
      ...pass,
      carried_by,
      reports: reports.agent_a.length + reports.agent_b.length,
    })),
    approvals: approvals.flatMap(({ stage, given }) =>
      given.map(({ person, at: given_at }) => ({
        stage,
        by: person ? `${person.name} (${person.id})` : 'the owner',
        given_at,
      })),
    ),
    made: `${at}, by Parley ${service_version}, at event ${log.seq}`,
  };
  return outlineLines(shown, terminal);
}

/** What the check of a certificate cannot say, and the command for it. */
const leftToCheck = ({ predicate: { log } }: CertificateStatement, { program }: Terminal): string[] => [
  'Checked: the signature and the form. Not checked: that these commits are those that you have, and the log behind it:',
  `  ${program} verify-log SESSION.jsonl --head ${visibleLine(shellWord(`${log.seq}:${log.hash}`))}`,
];
