import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type OwnerListing, verifyLog } from '@parley/core';
import type { AgentClient, Answer, OwnerInput } from '@parley/core/client';
import { plural } from '@parley/core/text';
import {
  isModerated,
  type JoinedAgents,
  loadMission,
  MISSION_NAMES,
  type Mission,
  readMission,
  readOutcome,
  runMission,
  type Transport,
  withModerator,
} from '@parley/missions';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { readLogLines } from '../../server/api/log-stream.ts';
import { type Page, ruleOf } from '../../text/page.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { padText, tableLines, wrapText } from '../../text/table.ts';
import { jsonText, visible } from '../../text/visible.ts';
import type { Message } from '../../transcript/message.ts';
import { createAgentClient } from '../agent/agent-client.ts';
import { pagesOf } from '../client/lists.ts';
import { callListed, connectOwner, createOwnerClient, knowsServer, type OwnerClient } from '../client/owner-client.ts';
import { redeemCode } from '../connect/redeem.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import { formatBoard } from '../print/format-board.ts';
import { createMessagePrinter } from '../print/message-printer.ts';
import type { Terminal } from '../terminal.ts';

/** Redeems an invitation code, and calls tools over MCP with its token. */
export async function joinByMcp(url: string, code: string): Promise<AgentClient['call']> {
  const { token } = await redeemCode({ code, clientType: 'parley-demo', url });
  return createAgentClient(url, token).call;
}

/**
 * What a demo has produced: the session at its end, and where it differs from the result that the mission file expects.
 */
interface DemoResult {
  readonly sessionId: string;
  readonly outcome: Json;
  readonly view: Answer<'view'>;
  readonly board: Answer<'board'>;
  /** Number of events in the log. The hash chain of the log was verified. */
  readonly events: number;
  /** A line for each difference between the session and the mission file. */
  readonly differences: readonly string[];
}

interface DemoServer {
  readonly client: OwnerClient;
  readonly listings: readonly OwnerListing[];
}

/**
 * Runs a mission on a server, with one MCP client for each agent.
 *
 * @param show called with each message once, in order, and with each new number of blockers; the mission continues when the
 * promise of `show` resolves
 */
async function runDemo(
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
  const transport: Transport = { owner: ownerApi(server), agents: ({ code }) => joinByMcp(client.url, code) };
  const joined = await runMission(mission, transport, async ({ sessionId, part }) => {
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

function openingLines(mission: Mission, page: Page): string[] {
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

function closingLines(mission: Mission, result: DemoResult, page: Page): string[] {
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

const LINE_MS = 12;
const READ_MS_PER_LINE = 45;
const LEAST_MS = 160;
const MOST_MS = 1_600;

/** Writes lines with pauses between them, so that a person can read along. */
export type Pace = (lines: readonly string[], write: (line: string) => void) => Promise<void>;

/** @param speed 1 for a whole mission in less than a minute, 0.4 for calm reading, 0 for no pauses */
export const createPace =
  (speed: number): Pace =>
  async (lines, write) => {
    for (const line of lines) {
      write(line);
      if (speed > 0) await sleep(LINE_MS / speed);
    }
    if (speed > 0 && lines.length > 0) {
      await sleep(Math.min(MOST_MS, Math.max(LEAST_MS, lines.length * READ_MS_PER_LINE)) / speed);
    }
  };

/** The number of blockers of the contract, and the first blocker. Only the demo prints it, between the messages. */
interface BlockerCount {
  readonly count: number;
  readonly next: string;
}

function createDemoPrinter(page: Page, agents: Mission['session']['agents']) {
  const printer = createMessagePrinter(page, agents);
  return (news: Message | BlockerCount): string[] =>
    'count' in news ? ['', blockersLine(news, page)] : printer.lines(news);
}

function blockersLine({ count, next }: BlockerCount, { paint }: Page): string {
  if (count === 0) return paint(['green', 'bold'], '✔ nothing blocks: the contract is certified');
  const what = count === 1 ? '1 blocker remains:' : `${count} blockers remain, first`;
  return paint('dim', `· ${what} ${visible(next)}`);
}

interface DemoFlags {
  readonly standalone?: boolean;
  readonly moderator?: boolean;
  readonly fast?: boolean;
  readonly speed: number;
  readonly list?: boolean;
  readonly json?: boolean;
}

interface DemoRun {
  readonly terminal: Terminal;
  readonly listings: readonly OwnerListing[];
  readonly flags: DemoFlags;
}

const EXAMPLES = `
Examples:
  parley demo                          on a server of its own; beside the data folder of a server, on that server
  parley demo --moderator              with a third agent that asks questions and can stop the approval
  parley demo signed-webhooks --speed 2
  parley demo my-mission.json --standalone --fast`;

export function addDemo(program: Command, terminal: Terminal, listings: readonly OwnerListing[]): void {
  program
    .command('demo')
    .description('Watch two agents plan, build, verify and activate a real feature over MCP.')
    .argument('[mission]', `${MISSION_NAMES.join(', ')}, or the path of a mission file`, MISSION_NAMES[0])
    .option('--moderator', 'let a moderator take part; the mission must have a part for a moderator')
    .option(
      '--standalone',
      'run on a server of its own, in memory, and leave nothing; this is the default unless the folder .parley here has the files of a server, or PARLEY_URL, PARLEY_OWNER_KEY or PARLEY_DATA is set: then the demo runs on that server, which must be running, and its session stays there',
    )
    .option('--speed <factor>', 'speed of the output: 0.5 is slower, 3 is faster', parseSpeed, 1)
    .option('--fast', 'print without pauses; this is the default if the output is not a terminal')
    .option('--list', 'list the missions and run none')
    .option('--json', 'with --list: as JSON')
    .addHelpText('after', EXAMPLES)
    .action((name: string, flags: DemoFlags) =>
      flags.list ? listMissions(terminal, flags) : demo({ terminal, listings, flags }, name),
    );
}

function parseSpeed(text: string): number {
  const speed = Number(text);
  if (speed > 0 && speed <= 100) return speed;
  throw new InvalidArgumentError('Expected a number above 0, at most 100.');
}

async function listMissions(terminal: Terminal, { json }: DemoFlags): Promise<void> {
  const missions = await Promise.all(
    MISSION_NAMES.map(async (mission) => {
      const { session, moderation } = await loadMission(mission);
      return { mission, title: session.title, moderator: moderation !== undefined };
    }),
  );
  if (json) return terminal.out(jsonText({ missions }));
  for (const { mission, title, moderator } of missions)
    terminal.out(`${terminal.paint('bold', mission)}  ${title}${moderator ? ' (also with --moderator)' : ''}`);
}

async function demo(run: DemoRun, name: string): Promise<void> {
  const { terminal, flags } = run;
  const mission = castOf(await findMission(name), flags);
  if (!flags.standalone && knowsServer(terminal)) return runOn(run, mission, await connectOwner(terminal));
  const { startStandalone } = await import('./standalone.ts');
  const { url, key, close } = await startStandalone();
  try {
    await runOn({ ...run, flags: { ...flags, standalone: true } }, mission, createOwnerClient(url, key));
  } finally {
    await close();
  }
}

function castOf(mission: Mission, { moderator }: DemoFlags): Mission {
  if (!moderator) return mission;
  if (mission.moderation) return withModerator(mission);
  throw wrongUsage(
    `${mission.mission} has no part for a moderator; parley demo --list marks the missions that can run with --moderator.`,
  );
}

async function findMission(name: string): Promise<Mission> {
  const known = MISSION_NAMES.find((mission) => mission === name);
  if (known) return loadMission(known);
  if (!existsSync(name)) throw wrongUsage(`${name} is neither a mission (${MISSION_NAMES.join(', ')}) nor a file.`);
  return readMission(name).catch((error: unknown) => {
    throw wrongUsage(`${name} is not a mission file: ${faultOf(error)}`);
  });
}

function faultOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}

async function runOn({ terminal, listings, flags }: DemoRun, mission: Mission, client: OwnerClient): Promise<void> {
  const pace = createPace(flags.fast || !terminal.isInteractive ? 0 : flags.speed);
  const write = (line: string) => terminal.out(line);
  const linesOf = createDemoPrinter(terminal, mission.session.agents);
  await pace(openingLines(mission, terminal), write);
  const result = await runDemo(mission, { client, listings }, (news) => pace(linesOf(news), write));
  await pace(closingLines(mission, result, terminal), write);
  if (result.differences.length > 0)
    throw new CliError(EXIT.MISMATCH, 'the demo did not end as its mission file expects');
  for (const line of nextLines(result.sessionId, flags, terminal.program)) write(line);
}

const nextLines = (sessionId: string, { standalone }: DemoFlags, program: string): string[] =>
  standalone
    ? ['', `Next: ${program} serve, then ${program} create --template, to open your own session.`]
    : [
        '',
        'Next:',
        `  ${program} view ${sessionId}         the state of the session`,
        `  ${program} verify-log ${sessionId}   verify the chain yourself`,
        `  ${program} create --template > session.json    a session of your own`,
      ];
