import type { Answer } from '@parley/core/client';
import type { Command } from 'commander';
import { messagePath } from '../../text/record-address.ts';
import type { Message } from '../../transcript/message.ts';
import { myId, shownGiven } from '../client/lists.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { commandFailed } from '../exit-codes.ts';
import { printPages, withPager } from '../print/answer.ts';
import { findingOf, formatRecord, placeLine } from '../print/format-record.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import { agentsByRole, namesIn, seenIn } from '../print/names.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Examples:
  parley show SESSION q_7       a question: the turn that asked it and why, advice on it, the answer
  parley show SESSION d_17      a decision: position, acceptances, its turn, what replaced it
  parley show SESSION f_3       a finding: answers, and the place of the contract that it names
  parley show SESSION def_1     a defect: the test of the contract, the evidence, the verdict, what was said about it
  parley show SESSION req-1     a requirement: its tests with their evidence
  parley show SESSION act_24    an action: what opened it and what completed it
  parley show SESSION 12        message #12 of the transcript; in a shell, #12 needs quotes`;

/** Adds `parley show`, which prints one record with its context, or one message. */
export function addShow(program: Command, terminal: Terminal): void {
  const command = withPager(program.command('show').description('Print one record in full, with its context.'))
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .argument(
      '<record_id>',
      'id of a record, such as q_7, d_17, f_3, def_1, act_24 or r_5; id of a requirement, or of a task, interface or test of the contract; or number of a message',
    )
    .addHelpText('after', EXAMPLES);
  command.action(async (given: string, id: string) => {
    const message = messageNumber(id);
    const client = await connectOwner(terminal);
    const sessionId = await client.wholeId(given);
    if (message !== undefined) return showMessage({ client, sessionId, number: message }, terminal, command);
    const answer = await client.call('records', { session_id: sessionId, id });
    const shownId = shownGiven(given, sessionId, terminal);
    const page = command.opts().json ? [] : await recordPage(answer, { client, sessionId, shownId }, terminal);
    await printPages(terminal, command, answer, () => page);
  });
}

/**
 * Formats an answer of the operation `records` that contains one record. For a hold, the finding on which the hold
 * rests follows. Reads the view of the session and this finding from the service.
 */
async function recordPage(
  answer: Answer<'records'>,
  { client, sessionId, shownId }: Omit<Asked, 'number'> & { readonly shownId: string },
  terminal: Terminal,
): Promise<string[]> {
  const view = await client.call('view', { session_id: sessionId });
  const place = {
    nameOf: namesIn(view),
    consoleUrl: client.url,
    sessionId,
    shownId,
    latestRevision: view.state.latest_revision?.revision_id ?? '',
    program: terminal.program,
    seen: seenIn(answer),
    isOver: view.state.status === 'ENDED',
  };
  const finding = findingOf(answer);
  if (finding === undefined) return formatRecord(answer, place, terminal);
  const found = await client.call('records', { session_id: sessionId, id: finding });
  return [...formatRecord(answer, place, terminal), '', ...formatRecord(found, place, terminal)];
}

/** The number of the message that the argument names: `12` or `#12`. Undefined if the argument names a record. */
function messageNumber(id: string): number | undefined {
  const [, number] = /^#?([1-9]\d{0,8})$/.exec(id) ?? [];
  return number === undefined ? undefined : Number(number);
}

interface Asked {
  readonly client: OwnerClient;
  readonly sessionId: string;
  readonly number: number;
}

async function showMessage({ client, sessionId, number }: Asked, terminal: Terminal, command: Command): Promise<void> {
  const read = async (input: { readonly last: number } | { readonly after: number }): Promise<Message | undefined> => {
    const { messages } = await client.call('transcript', { session_id: sessionId, ...input });
    return messages[0];
  };
  const last = await read({ last: 1 });
  const found = last && last.id >= number ? await read({ after: number - 1 }) : undefined;
  if (found?.id !== number) throw commandFailed(missingText(number, found, last));
  const view = command.opts().json ? undefined : await client.call('view', { session_id: sessionId });
  const { learn, lines } = createMessagePrinter(terminal, agentsByRole(view), { me: await myId(client) });
  if (view) learn(view);
  const { id, at, from, person, kind, body } = found;
  await printPages(terminal, command, { id, at, from, person: person?.name, personId: person?.id, kind, body }, () => [
    ...lines(found).filter((line, index) => index > 0 || line !== ''),
    '',
    placeLine(`${client.url}${messagePath(sessionId, number)}`, terminal),
  ]);
}

function missingText(number: number, next: Message | undefined, last: Message | undefined): string {
  if (next) return `Event #${number} is not a message. The next message is #${next.id}.`;
  return last
    ? `There is no message #${number} in this session. The last message is #${last.id}.`
    : 'This session has no messages yet.';
}
