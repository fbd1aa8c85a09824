import { tableRow } from '../markdown-table.ts';
import { COST_ROLES, type Costs, readRecordedCosts } from '../measure/agent-costs.ts';
import { bytesOf, type ClientCosts, readWaitingCosts, WAYS, type Way } from '../measure/waiting-costs.ts';

const BUILDERS = ['agent_a', 'agent_b'] as const;

export const file = 'docs/agent-costs.md';

export function render(): string {
  const { first, recorded, light } = readRecordedCosts();
  return `${[
    '# What a session costs an agent\n',
    'Calls and bytes of results in one whole mission: payment-capture with a moderator, as `parley demo --moderator` runs',
    'it, from the first invitation to the activation. Each result counts once, as UTF-8 JSON without its transport.\n',
    tableRow(['Agent', 'Calls, 0.1.0', 'Calls, now', 'Bytes, 0.1.0', 'Bytes, now']),
    tableRow(['---', '---:', '---:', '---:', '---:']),
    ...COST_ROLES.map((role) => rowOf(role, first[role], recorded[role])),
    '\n`pnpm measure:agents` measures again, and `--tools` lists each tool; it fails when a figure is more than 5 % above the',
    'recorded one, and so does `npm test`. `pnpm measure:agents --write` records the new figures, and `pnpm docs:agent-costs`',
    'writes this page from them.\n',
    'A builder over MCP that waits whenever the others work, each time after the cursor of the answer before, gets 60 answers of at most',
    '50,000 bytes in this mission, of which a quarter lists the calls that are due (59,000 without that list before). `test/scenarios/waiting-builder.test.ts`',
    'holds that.\n',
    'The same for a session of the profile light: a small change, minor-units, as `parley demo minor-units` runs it. `agent_b` writes the',
    'contract. The owner decides twice: it approves the contract together with the build, and it releases.\n',
    tableRow(['Agent', 'Calls', 'Bytes']),
    tableRow(['---', '---:', '---:']),
    ...BUILDERS.map((role) => tableRow([`\`${role}\``, shown(light[role].calls), shown(light[role].bytes)])),
    '',
    ...waitingLines(),
  ].join('\n')}\n`;
}

const WAY_NAMES: Readonly<Record<Way, string>> = {
  tool: '`wait_for_my_turn`, again and again',
  wait: '`parley wait` in the shell',
  hook: '`parley hook` at Stop',
  run: '`parley run`',
};

/**
 * The lines of docs/agent-costs.md about waiting: the number of requests that a client sends to its model in an hour,
 * and the bytes of these requests.
 */
function waitingLines(): string[] {
  const { measured, machine, clients } = readWaitingCosts();
  return [
    '## What an hour of waiting costs\n',
    'Requests of the client to its model, and the bytes of their bodies, in an hour in which nothing happens. Each request holds the',
    'whole conversation; this one has just begun, and a longer one adds its length to every request.\n',
    tableRow(['Way to wait', ...clients.flatMap(({ client }) => [`${client}: requests`, 'MB'])]),
    tableRow(['---', ...clients.flatMap(() => ['---:', '---:'])]),
    ...WAYS.map((way) => tableRow([WAY_NAMES[way], ...clients.flatMap((client) => cellsOf(client, way))])),
    '',
    `Measured on ${measured} with a scripted model on loopback (${machine}). \`pnpm measure:waiting\`, with the programs that`,
    '`PARLEY_CLAUDE` and `PARLEY_CODEX` name, measures again and records; `pnpm docs:agent-costs` writes this page. It makes ten calls of',
    'the tool with `wait` 1 and scales them to the 144 calls of 25 seconds in an hour, and three calls of `parley wait` with a short',
    '`--timeout`, scaled to 540 seconds each. Codex hands a command back after 30 seconds and waits for it in calls of at most 300',
    'seconds, which makes three requests of each `parley wait`. For the hook and for `run` it counts the requests of 60 seconds, none;',
    'the hook of Claude Code was also seen to wait 20 minutes without one.',
  ];
}

function cellsOf({ ways }: ClientCosts, way: Way): readonly string[] {
  const cost = ways[way];
  return cost ? [String(cost.requests), (bytesOf(cost) / 1e6).toFixed(1)] : ['–', '–'];
}

const rowOf = (role: string, before: Costs['agent_a'], now: Costs['agent_a']): string =>
  tableRow([`\`${role}\``, ...[before.calls, now.calls, before.bytes, now.bytes].map(shown)]);

const shown = (figure: number): string => figure.toLocaleString('en');
