import { existsSync } from 'node:fs';
import type { OwnerListing } from '@parley/core';
import { loadMission, MISSION_NAMES, type Mission, readMission, withModerator } from '@parley/missions';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { jsonText } from '../../text/visible.ts';
import { connectOwner, createOwnerClient, knowsServer, type OwnerClient } from '../client/owner-client.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { createDemoPrinter, createPace } from './demo-printer.ts';
import { closingLines, openingLines, runDemo } from './run-demo.ts';

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
  throw new CliError(
    EXIT.USAGE,
    `${mission.mission} has no part for a moderator; parley demo --list marks the missions that can run with --moderator.`,
  );
}

async function findMission(name: string): Promise<Mission> {
  const known = MISSION_NAMES.find((mission) => mission === name);
  if (known) return loadMission(known);
  if (!existsSync(name))
    throw new CliError(EXIT.USAGE, `${name} is neither a mission (${MISSION_NAMES.join(', ')}) nor a file.`);
  return readMission(name).catch((error: unknown) => {
    throw new CliError(EXIT.USAGE, `${name} is not a mission file: ${faultOf(error)}`);
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
