import { isDeepStrictEqual } from 'node:util';
import { type OwnerListing, verifyLog } from '@parley/core';
import type { Answer, OwnerInput } from '@parley/core/client';
import { plural } from '@parley/core/text';
import {
  isModerated,
  type JoinedAgents,
  type Mission,
  readOutcome,
  runMission,
  type Transport,
} from '@parley/missions';
import { readLogLines } from '../../server/api/log-export.ts';
import { type Page, ruleOf } from '../../text/page.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { tableLines } from '../../text/table.ts';
import { padText, wrapText } from '../../text/width.ts';
import type { Message } from '../../transcript/message.ts';
import { callListed, type OwnerClient } from '../client/owner-client.ts';
import { pagesOf } from '../client/pages.ts';
import { formatBoard } from '../print/format-board.ts';
import type { BlockerCount } from './demo-printer.ts';
import { joinByMcp } from './mcp-agent.ts';

/**
 * What a demo has produced: the session at its end, and where it differs from the result that the mission file expects.
 */
export interface DemoResult {
  readonly sessionId: string;
  readonly outcome: Json;
  readonly view: Answer<'view'>;
  readonly board: Answer<'board'>;
  /** Number of events in the log. The hash chain of the log was verified. */
  readonly events: number;
  /** A line for each difference between the session and the mission file. */
  readonly differences: readonly string[];
}

export interface DemoServer {
  readonly client: OwnerClient;
  readonly listings: readonly OwnerListing[];
}

/**
 * Runs a mission on a server, with one MCP client for each agent.
 *
 * @param show called with each message once, in order, and with each new number of blockers; the mission continues when the
 * promise of `show` resolves
 */
export async function runDemo(
  mission: Mission,
  server: DemoServer,
  show: (news: Message | BlockerCount) => Promise<void>,
): Promise<DemoResult> {
  const { client } = server;
  const seen: Message[] = [];
  const showNews = async (sessionId: string): Promise<void> => {
    for await (const message of messagesAfter(client, sessionId, seen.at(-1)?.id ?? 0)) {
      seen.push(message);
      await show(message);
    }
  };
  const showBlockers = createBlockerCount(client, show);
  const joined = await runMission(mission, transportTo(server), async ({ sessionId, part }) => {
    await showNews(sessionId);
    if (part === 'contract') await showBlockers(sessionId);
  });
  return review(mission, client, joined, seen);
}

/**
 * Creates a function that shows how many blockers the contract has, if the number has changed. Outside the phase
 * CONTRACT, the function shows nothing.
 */
function createBlockerCount(client: OwnerClient, show: (count: BlockerCount) => Promise<void>) {
  let shown: number | undefined;
  return async (sessionId: string): Promise<void> => {
    const { state } = await client.call('view', { session_id: sessionId });
    const { count, first: [first] = [] } = state.blockers;
    if (state.phase !== 'CONTRACT' || count === shown) return;
    shown = count;
    await show({ count, next: first?.code ?? '' });
  };
}

const transportTo = (server: DemoServer): Transport => ({
  owner: ownerApi(server),
  agents: ({ code }) => joinByMcp(server.client.url, code),
});

export const ownerApi = ({ client, listings }: DemoServer): Transport['owner'] => ({
  createSession: (input) => client.call('createSession', input as OwnerInput<'createSession'>),
  call: (operation, sessionId, input) =>
    callListed(client, { name: listingOf(listings, operation).name, sessionId, input }),
});

function listingOf(listings: readonly OwnerListing[], operation: string): OwnerListing {
  const listing = listings.find(({ name }) => name === operation);
  if (listing) return listing;
  throw new Error(`The mission names an owner operation ${operation} that does not exist.`);
}

async function* messagesAfter(client: OwnerClient, sessionId: string, after: number): AsyncGenerator<Message> {
  const read = (from: string) => client.call('transcript', { session_id: sessionId, after: Number(from) });
  const nextOf = ({ messages, next_cursor }: Answer<'transcript'>): string =>
    messages.length > 0 ? String(next_cursor) : '';
  for await (const { messages } of pagesOf(read, { from: String(after), nextOf })) yield* messages;
}

async function review(
  mission: Mission,
  client: OwnerClient,
  joined: JoinedAgents,
  seen: readonly Message[],
): Promise<DemoResult> {
  const outcome = await readOutcome(joined.agents.agent_a);
  const { sessionId } = joined;
  const view = await client.call('view', { session_id: sessionId });
  const board = await client.call('board', { session_id: sessionId });
  const report = await verifyLog(readLogLines(await client.stream('exportLog', { sessionId })), undefined, sessionId);
  const differences = [
    ...outcomeDifferences({ ...mission.outcome }, outcome),
    ...turnDifferences(mission, seen),
    ...(report.ok ? [] : [`the log breaks at event ${report.fault?.seq}: ${report.fault?.message}`]),
  ];
  return {
    sessionId: joined.sessionId,
    outcome,
    view,
    board,
    events: report.events,
    differences,
  };
}

const outcomeDifferences = (written: Json, real: Json): string[] =>
  Object.keys(written)
    .filter((member) => !isDeepStrictEqual(written[member], real[member]))
    .map(
      (member) =>
        `${member} is ${JSON.stringify(real[member])}; the mission file says ${JSON.stringify(written[member])}`,
    );

/** Compares the turns of the transcript with the turns of the mission file. */
function turnDifferences({ discussion }: Mission, seen: readonly Message[]): string[] {
  const written = discussion
    .filter(({ call }) => call === 'post_turn')
    .map(({ by, input }) => [by, readAs(input, { summary: 'text' }).summary]);
  const real = seen.flatMap(({ kind, from, body }) => (kind === 'turn.posted' ? [[from, body.summary]] : []));
  return isDeepStrictEqual(written, real) ? [] : ['the turns in the transcript differ from those of the mission'];
}

type View = Answer<'view'>;

const LABEL_COLUMNS = 14;

export function openingLines(mission: Mission, page: Page): string[] {
  const { session } = mission;
  const { paint, columns } = page;
  const hasModerator = isModerated(mission);
  const { agent_a, agent_b } = session.agents;
  return [
    '',
    paint('bold', session.title),
    paint('dim', ruleOf(page)),
    ...wrapText(session.objective, columns),
    '',
    ...session.guardrails.flatMap((text) => labelled('guardrail', text, page)),
    ...session.requirements.flatMap(({ requirement_id, text }) => labelled(requirement_id, text, page)),
    '',
    `${paint('cyan', '●')} ${padText(agent_a.name, 24)}${paint('dim', agent_a.repository)}`,
    `${paint('yellow', '●')} ${padText(agent_b.name, 24)}${paint('dim', agent_b.repository)}`,
    ...(hasModerator
      ? [
          `${paint('blue', '●')} ${padText('moderator', 24)}${paint('dim', 'may ask and stop approvals; never writes the contract')}`,
        ]
      : []),
    '',
    ...wrapText(
      `Mission ${mission.mission}: the owner invites ${hasModerator ? 'the agents' : 'both agents'}. Each agent redeems its code and connects over MCP.`,
      columns,
    ).map((line) => paint('dim', line)),
  ];
}

const labelled = (label: string, text: string, { columns, paint }: Page): string[] =>
  wrapText(text, columns - LABEL_COLUMNS).map(
    (line, index) => `${paint('dim', padText(index === 0 ? label : '', LABEL_COLUMNS))}${line}`,
  );

export function closingLines(mission: Mission, result: DemoResult, page: Page): string[] {
  const { outcome, view, board, events, differences } = result;
  const { paint } = page;
  const { session } = mission;
  const author = outcome.contract_author === 'agent_b' ? session.agents.agent_b : session.agents.agent_a;
  const rows = view.decisions.map(({ decision_id, status, topic }) => [decision_id, status, topic]);
  return [
    '',
    paint('dim', ruleOf(page)),
    ...labelled('author', `${author.name}, elected after ${String(outcome.turns)} turns`, page),
    ...contractLines(view, page),
    ...(isModerated(mission) ? moderatorLines(view, page) : []),
    ...labelled('session', `${String(outcome.status)} in ${String(outcome.phase)}${authorizedStages(view)}`, page),
    '',
    ...tableLines({ heads: ['decision', 'status', 'topic'], rows }, page),
    ...(board.scenarios.length > 0 ? formatBoard(board, page) : []),
    '',
    `${events} events. This command has checked their chain of hashes.`,
    ...(differences.length === 0
      ? [paint('green', 'The session ended as the mission file describes.')]
      : differenceLines(differences, page)),
  ];
}

function authorizedStages({ state: { authorizations } }: View): string {
  const stages = (['build', 'deployment', 'activation'] as const).filter(
    (stage) => authorizations[`${stage}_authorized`],
  );
  return stages.length > 0 ? `; authorized: ${stages.join(', ')}` : '';
}

/** The revision and the hash of the contract. Empty if no revision was submitted. */
const contractLines = ({ state: { latest_revision: latest } }: View, page: Page): string[] =>
  latest
    ? [
        ...labelled('contract', `${latest.revision_id}, ${latest.status}`, page),
        ...labelled('content_hash', latest.content_hash, page),
      ]
    : [];

function moderatorLines({ moderator, findings, holds, moderator_reviews }: View, page: Page): string[] {
  const raised = findings.filter(({ raised_by }) => raised_by === 'moderator');
  const counts = [
    plural(raised.length, 'finding'),
    plural(holds.length, 'hold'),
    plural(moderator_reviews.length, 'review'),
  ];
  return labelled('moderator', `${counts.join(', ')}; has acknowledged events up to ${moderator.acked_cursor}`, page);
}

const differenceLines = (differences: readonly string[], { paint }: Page): string[] => [
  paint(['red', 'bold'], 'The session differs from the mission file:'),
  ...differences.map((difference) => `  - ${difference}`),
];
