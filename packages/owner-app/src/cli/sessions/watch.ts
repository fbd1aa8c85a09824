import type { Command } from 'commander';
import { OWNER_ROUTES } from '../../server/api/owner-routes.ts';
import { readMessage } from '../../transcript/message.ts';
import { followEvents } from '../client/event-source.ts';
import { connectOwner } from '../client/owner-client.ts';
import type { Json } from '../client/request.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import type { Terminal } from '../terminal.ts';

const ENDED = 'session.ended';

interface WatchFlags {
  readonly after: number;
  readonly json?: boolean;
}

/** Adds `parley watch SESSION`, which prints events as they happen. It begins with the first event, or after a given `seq`. */
export function addWatch(program: Command, terminal: Terminal): void {
  program
    .command('watch')
    .description('Follow a session as it happens; ends with the session, or with Ctrl-C.')
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--after <seq>', 'show only events after this one', parseNumber, 0)
    .option('--json', 'print each event as one line of JSON')
    .addHelpText('after', '\nExample:\n  parley watch SESSION --after 120')
    .action(async (sessionId: string, options: WatchFlags) => watch(terminal, sessionId, options));
}

async function watch(terminal: Terminal, sessionId: string, { after, json }: WatchFlags): Promise<void> {
  const client = await connectOwner(terminal);
  const { agents } = await client.call(OWNER_ROUTES.viewSession, { sessionId });
  const printer = createMessagePrinter(terminal, agentsByRole(agents));
  const onLost = (reason: string) => terminal.err(`parley: connection lost, trying again (${reason})`);
  for await (const event of followEvents(client, { sessionId, after, onLost })) {
    if (json) terminal.out(JSON.stringify(event));
    else for (const line of printer.lines(readMessage(event))) terminal.out(line);
    if (event.kind === ENDED) return;
  }
}

const agentsByRole = (agents: unknown): Json =>
  Object.fromEntries((Array.isArray(agents) ? agents : []).map((agent: Json) => [String(agent.role), agent]));
