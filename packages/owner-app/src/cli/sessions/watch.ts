import type { Command } from 'commander';
import { jsonText } from '../../text/visible.ts';
import { messageOf } from '../../transcript/message.ts';
import { followEvents } from '../client/event-source.ts';
import { myId } from '../client/my-id.ts';
import { connectOwner } from '../client/owner-client.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { agentsByRole } from '../print/agent-names.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import type { Terminal } from '../terminal.ts';

const ENDED = 'session.ended';
const READINESS = 'readiness.submitted';

interface WatchFlags {
  readonly after: number;
  readonly full?: boolean;
  readonly json?: boolean;
}

export function addWatch(program: Command, terminal: Terminal): void {
  program
    .command('watch')
    .description(
      'Print the events of a session when they happen, each on one line. Ends with the session, or with Ctrl-C.',
    )
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .option('--after <seq>', 'show only events after the event with this number', parseNumber, 0)
    .option('--full', 'print each message in full instead of on one line')
    .option('--json', 'print each event as one line of JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  parley watch SESSION --after 120\n  parley watch SESSION --full\n  parley show SESSION 27          message #27 in full\n  parley show SESSION d_17        one record in full',
    )
    .action(async (sessionId: string, options: WatchFlags) => watch(terminal, sessionId, options));
}

async function watch(terminal: Terminal, given: string, { after, full, json }: WatchFlags): Promise<void> {
  const client = await connectOwner(terminal);
  const sessionId = await client.wholeId(given);
  const view = await client.call('view', { session_id: sessionId });
  const me = await myId(client);
  const printer = createMessagePrinter(terminal, agentsByRole(view), { isNews: !full, me });
  printer.learn(view);
  const onLost = (reason: string) => terminal.err(`parley: connection lost, trying again (${reason})`);
  for await (const event of followEvents(client, { sessionId, after, onLost })) {
    if (json) terminal.out(jsonText(event));
    else {
      // Reads the questions of a readiness report from the view, because the event does not contain the questions.
      if (event.kind === READINESS) printer.learn(await client.call('view', { session_id: sessionId }));
      for (const line of printer.lines(messageOf(event))) terminal.out(line);
    }
    if (event.kind === ENDED) return;
  }
}
