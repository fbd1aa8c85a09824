import type { Answer, OwnerInput } from '@parley/core/client';
import { timeText } from '@parley/core/text';
import type { Command } from 'commander';
import { tableLines } from '../../text/table.ts';
import { auditPerson, auditText } from '../../transcript/audit-text.ts';
import { myId, pagesOf } from '../client/lists.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { CliError, wrongUsage } from '../exit-codes.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import type { Terminal } from '../terminal.ts';

const HELP = `
Examples:
  parley audit
  parley audit --person "Ada Lovelace" --from 2026-11-01 --to 2026-12-01
  parley audit --kind contract.approved --json
  parley audit --jsonl > audit.jsonl

A row names the session and the number of the event. parley show SESSION NUMBER prints the event.
Each line of --jsonl has the hash of its event, the same as in the file of parley export-log. parley verify-log checks
that file; it cannot check the lines of the audit.`;

/** Maximum number of events that the service returns on one page. */
const PAGE = 200;

interface Flags {
  readonly person?: string;
  readonly kind?: string;
  readonly session?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly jsonl?: boolean;
  readonly json?: boolean;
}

export function addAudit(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('audit').description('List what people have done in all your sessions, newest first.'),
  )
    .option('--person <name_or_id>', 'only what this person did; the word owner means the holder of the owner key')
    .option('--kind <kind>', 'only events of this kind, such as contract.approved')
    .option('--session <session_id>', 'only events of this session')
    .option('--from <time>', 'only events from this day or time on, in UTC')
    .option('--to <time>', 'only events before this day or time, in UTC')
    .option('--limit <number>', 'maximum number of events', parseNumber, 50)
    .option('--jsonl', 'write all events as JSON lines, oldest first')
    .addHelpText('after', HELP);
  command.action(async (flags: Flags) => {
    if (flags.jsonl && flags.json) throw wrongUsage('Give either --json or --jsonl.');
    const client = await connectOwner(terminal);
    const filter = await filterOf(client, flags);
    if (flags.jsonl) {
      for await (const chunk of await client.stream('exportAudit', { input: filter })) await terminal.write(chunk);
      return;
    }
    const { events, isCut } = await readEvents(client, filter, flags.limit);
    const me = await myId(client);
    printAnswer(terminal, command, { events, more: isCut }, () => [
      ...(events.length === 0 ? ['No event matches.'] : rows(events, me, terminal)),
      ...(isCut ? ['', `There are more events. To see them, add: --limit ${flags.limit * 2}`] : []),
    ]);
  });
}

async function filterOf(client: OwnerClient, { person, kind, session, from, to }: Flags) {
  return {
    person: person && (await idOf(client, person)),
    kind,
    session_id: session && (await client.wholeId(session)),
    from,
    to,
  };
}

/**
 * Returns the id of the person, current or revoked, whose name is `who`. If nobody has this name, returns `who`
 * unchanged, because `who` may be an id.
 */
async function idOf(client: OwnerClient, who: string): Promise<string> {
  const { people, revoked } = await client.call('listPeople').catch((error: unknown) => {
    if (error instanceof CliError && error.body?.error === 'NOT_FOUND') return { people: [], revoked: [] };
    throw error;
  });
  const named = [...people, ...revoked].filter(({ name }) => name === who);
  const ids = [...new Set(named.map(({ person_id }) => person_id))];
  if (ids.length > 1)
    throw wrongUsage(
      `Several people have the name ${JSON.stringify(who)}. Give one of these ids with --person: ${ids.join(', ')}`,
    );
  return ids[0] ?? who;
}

type AuditEvents = Answer<'audit'>['events'];

async function readEvents(client: OwnerClient, filter: OwnerInput<'audit'>, limit: number) {
  const events: AuditEvents = [];
  let isCut = false;
  const read = (from: string) => {
    const most = Math.max(1, Math.min(PAGE, limit - events.length));
    return client.call('audit', { ...filter, limit: most, ...(from && { after: from }) });
  };
  for await (const page of pagesOf(read)) {
    events.push(...page.events);
    isCut = page.next_after !== null;
    if (events.length >= limit) break;
  }
  return { events, isCut };
}

const rows = (events: AuditEvents, me: string, terminal: Terminal): string[] =>
  tableLines(
    {
      heads: ['time', 'person', 'what', 'session', 'event'],
      rows: events.map((event) => [
        timeText(event.at),
        auditPerson(event, me),
        auditText(event).heading,
        event.session_id ?? '-',
        String(event.seq),
      ]),
      flexible: 2,
    },
    terminal,
  );
