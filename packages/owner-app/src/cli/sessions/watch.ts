import type { SentEvent } from '@parley/core/client';
import type { Command } from 'commander';
import { parseEvents } from '../../text/event-stream.ts';
import { jsonText } from '../../text/visible.ts';
import { messageOf } from '../../transcript/message.ts';
import { checkedAnswer, watchLosses } from '../client/faults.ts';
import { myId } from '../client/lists.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { commandFailed } from '../exit-codes.ts';
import { parseNumber } from '../flags/flag-kinds.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import { agentsByRole } from '../print/names.ts';
import type { Terminal } from '../terminal.ts';

interface Following {
  readonly sessionId: string;
  /** Number of the last event that the caller has. */
  readonly after: number;
  /** Called when a request fails or the stream breaks. Not called again before the next event arrives. */
  readonly onLost: (reason: string) => void;
}

/**
 * Streams the events of a session until the caller stops. If the connection is lost, another connection continues after
 * the last event. If the server refuses permanently, rejects with CliError.
 */
export async function* followEvents(
  client: OwnerClient,
  { sessionId, after, onLost }: Following,
): AsyncGenerator<SentEvent> {
  let last = String(after);
  const losses = watchLosses(onLost);
  for (;;) {
    let failure: unknown;
    try {
      const body = await client.stream('watch', { sessionId, headers: { 'last-event-id': last } });
      for await (const { id, data } of parseEvents(body)) {
        losses.hear();
        yield numbered(client, id, data);
        last = id;
      }
    } catch (error) {
      failure = error;
    }
    await losses.pause(failure);
  }
}

/** Refuses what no service sends. The number of the event becomes a header of the next request. */
function numbered(client: OwnerClient, id: string, data: string): SentEvent {
  const event = /^\d{1,15}$/.test(id) ? client.parse(data) : undefined;
  if (event) return checkedAnswer<unknown>(client.url, 'watch', event) as SentEvent;
  throw commandFailed(
    `The server at ${client.url} is not a Parley server: an event of the session is not a numbered JSON object. Check PARLEY_URL.`,
  );
}

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
