import type { OwnerListing } from '@parley/core';
import type { Answer } from '@parley/core/client';
import type { Command } from 'commander';
import type { Json } from '../../text/read-as.ts';
import { myId, pagesOf } from '../client/lists.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { flagsOf, inputOf } from '../flags/flags.ts';
import { printPages, withPager } from '../print/answer.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import { agentsByRole } from '../print/names.ts';
import type { Terminal } from '../terminal.ts';

const FILTERS = ['by', 'kind', 'grep'];

const EXAMPLES = `
Examples:
  parley transcript SESSION --last 20
  parley transcript SESSION --by moderator --kind finding
  parley transcript SESSION --grep "snapshot cursor"

With --by, --kind or --grep the whole transcript is searched, and --last limits what is printed.`;

/** @param listing the operation `transcript`, from which the flags are derived */
export function addTranscript(program: Command, terminal: Terminal, listing: OwnerListing): void {
  const flags = flagsOf(listing.input);
  const command = withPager(program.command(listing.name))
    .description(listing.summary)
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it');
  for (const option of flags.flatMap(({ options }) => options)) command.addOption(option);
  command.addHelpText('after', EXAMPLES).action(async (given: string) => {
    const client = await connectOwner(terminal);
    const sessionId = await client.wholeId(given);
    const answer = await readPages(client, sessionId, inputOf(flags, command.opts()));
    const view = command.opts().json ? undefined : await client.call('view', { session_id: sessionId });
    const printer = createMessagePrinter(terminal, agentsByRole(view), { me: await myId(client) });
    if (view) printer.learn(view);
    const lines = view ? answer.messages.flatMap(printer.lines) : [];
    await printPages(terminal, command, answer, () => withMore(lines, answer));
  });
}

type Page = Answer<'transcript'>;

async function readPages(client: OwnerClient, session_id: string, input: Json): Promise<Page> {
  const read = (asked: Json) => client.call('transcript', { session_id, ...asked });
  const isFiltered = FILTERS.some((name) => input[name] !== undefined);
  if (!isFiltered && input.last === undefined) return read(input);
  const { last, ...rest } = input;
  const messages: Page['messages'] = [];
  const first = isFiltered ? rest : input;
  const nextOf = (page: Page): string => (page.more ? String(page.next_cursor) : '');
  let end: Omit<Page, 'messages'> = { next_cursor: 0, more: false };
  for await (const page of pagesOf((from) => read(from ? { ...rest, after: Number(from) } : first), { nextOf })) {
    messages.push(...page.messages);
    end = page;
  }
  return { ...end, messages: typeof last === 'number' ? messages.slice(-last) : messages };
}

function withMore(lines: readonly string[], { more, next_cursor }: Page): string[] {
  if (lines.length === 0) return ['No message matches these filters.'];
  return more ? [...lines, '', `There are more messages. To see them, add: --after ${next_cursor}`] : [...lines];
}
