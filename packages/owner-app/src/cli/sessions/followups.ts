import type { Answer, OwnerInput } from '@parley/core/client';
import { inline, prose } from '@parley/core/markdown';
import { type Command, Option } from 'commander';
import { firstParagraph, shortened, visibleLine } from '../../text/visible.ts';
import { connectOwner, type OwnerClient } from '../client/owner-client.ts';
import { printAnswer, withJson } from '../print/answer.ts';
import { type NameOf, namesIn } from '../print/names.ts';
import type { Terminal } from '../terminal.ts';

export type Followup = Answer<'noteFollowup'>['followup'];

const EXAMPLES = `
Examples:
  parley followups SESSION --side agent_a
  parley followups SESSION --side agent_a --format issues |
    while read -r issue; do
      gh issue create --title "$(jq -r .title <<<"$issue")" --body "$(jq -r .body <<<"$issue")"
    done
  parley create --file next.json --followups-of SESSION     as requirements of the next session

The deviations of the passes that stand are among them, so nobody notes these twice. parley note-followup adds your own.`;

interface Flags {
  readonly side?: 'agent_a' | 'agent_b';
  readonly format: 'markdown' | 'issues';
}

/** Adds `parley followups`, which lists what agents and owner noted for later. */
export function addFollowups(program: Command, terminal: Terminal): void {
  const command = withJson(
    program.command('followups').description('List what was noted for later: faults, accepted deviations, questions.'),
  )
    .helpGroup('Commands on one session:')
    .argument('<session_id>', 'the session, as `parley sessions` lists it')
    .addOption(
      new Option('--side <agent>', 'only what has to be done in the repository of this agent').choices([
        'agent_a',
        'agent_b',
      ]),
    )
    .addOption(
      new Option('--format <form>', 'issues: a JSON object with title and body on each line')
        .choices(['markdown', 'issues'])
        .default('markdown'),
    )
    .addHelpText('after', EXAMPLES);
  command.action(async (given: string, { side, format }: Flags) => {
    const client = await connectOwner(terminal);
    const session_id = await client.wholeId(given);
    const followups = await readFollowups(client, { session_id, ...(side && { side }) });
    const view = command.opts().json ? undefined : await client.call('view', { session_id });
    printAnswer(terminal, command, { followups }, () =>
      followups.map((one) => LINES[format](one, { nameOf: namesIn(view), title: view?.title ?? '', session_id })),
    );
  });
}

/** Reads all follow-ups, page by page. */
export async function readFollowups(
  client: OwnerClient,
  asked: Pick<OwnerInput<'records'>, 'session_id' | 'side'>,
): Promise<Followup[]> {
  const all: Followup[] = [];
  for (;;) {
    const after = Number(all.at(-1)?.followup_id.slice('fu_'.length) ?? 0);
    const { records, left_out } = await client.call('records', { ...asked, type: 'followup', after });
    all.push(...(records as readonly unknown[] as readonly Followup[]));
    if (!left_out || records.length === 0) return all;
  }
}

interface Place {
  readonly nameOf: NameOf;
  readonly title: string;
  readonly session_id: string;
}

/** The line of a follow-up in each format. Texts of agents are escaped. */
const LINES: Readonly<Record<Flags['format'], (followup: Followup, place: Place) => string>> = {
  markdown: (followup, { nameOf }) =>
    `- ${followup.kind}, for ${inline(nameOf(followup.side))}: ${inline(followup.text)} (${noted(followup, nameOf)})`,
  issues: (followup, { nameOf, title, session_id }) =>
    JSON.stringify({
      title: visibleLine(shortened(firstParagraph(followup.text), TITLE_CHARS)),
      body: `${prose(followup.text)}\n\nA ${followup.kind} for ${inline(nameOf(followup.side))}, ${noted(followup, nameOf)} in the session ${inline(title)} (${session_id}).`,
    }),
};

/** GitHub takes at most 256 characters. */
const TITLE_CHARS = 120;

const noted = ({ followup_id, by, origin }: Followup, nameOf: NameOf): string =>
  `${followup_id}, noted by ${by === 'agent_a' || by === 'agent_b' ? inline(nameOf(by)) : `the ${by}`}${origin ? `, ${placeOf(origin)}` : ''}`;

/** The turns of a transcript count from 1. */
const placeOf = ({ type, id }: NonNullable<Followup['origin']>): string =>
  `${type} ${type === 'turn' ? Number(id) + 1 : inline(id)}`;

/** The requirements and the topics of the next session. Ids of requirements that it already has are not used again. */
export function forNextSession(followups: readonly Followup[], taken: readonly unknown[]) {
  const free = followups.map((_, index) => `followup-${index + 1}`);
  const ids = [...free, ...taken.map((_, index) => `followup-${free.length + index + 1}`)].filter(
    (id) => !taken.includes(id),
  );
  const requirements = followups
    .filter(({ kind }) => kind !== 'question')
    .map(({ text }, index) => ({ requirement_id: ids[index] ?? '', text }));
  const topics = followups
    .filter(({ kind }) => kind === 'question')
    .map(({ followup_id, text }) => ({
      topic: `${followup_id} ${shortened(firstParagraph(text), TITLE_CHARS)}`,
      question: text,
    }));
  return { requirements, topics };
}
