import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { createAgentClient } from '../agent/agent-client.ts';
import { agentFolder, seatIn } from '../agent/agent-folder.ts';
import { seatFile } from '../agent/seat-file.ts';
import { takeSeat } from '../agent/take-seat.ts';
import { isEnded } from '../agent/wait-for-state.ts';
import { agentServer } from '../client/agent-server.ts';
import { checkedCode } from '../connect/given-code.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { createBridge, type Held, type Joined } from './bridge.ts';
import { linesOf } from './lines-of.ts';

/** Milliseconds after the end of stdin for which answers to earlier messages are still sent. */
const LAST_ANSWERS_MS = 1_000;
const CLIENT_TYPE = 'parley-mcp';

interface McpFlags {
  readonly url?: string;
  readonly folder: string;
}

const MORE = `
Examples:
  claude mcp add parley -- parley mcp --url https://parley.example.com
  codex mcp add parley -- parley mcp

The command is for a client that starts its MCP servers itself. The token is stored for the folder in which the client works, as
\`parley run\` stores it, and never in the folder. Without a token, the client sees one tool, \`join\`, which takes the code, and the address
if --url is not given. PARLEY_URL is not read, because settings of a repository can set it. The command ends when its stdin ends.`;

/** Adds `parley mcp`, which uses the token of an agent and no owner key. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('Serve MCP on stdio, and pass every message on to the service.')
    .option('--url <url>', 'the server for `join`, if the call names none')
    .option('--folder <folder>', "the agent's repository", '.')
    .addHelpText('after', MORE)
    .action((flags: McpFlags) => serveStdio(terminal, flags));
}

async function serveStdio(terminal: Terminal, { url, folder }: McpFlags): Promise<void> {
  const handle = createBridge({
    held: await seatIn(terminal.environment, folder),
    isOver,
    hasAddress: url !== undefined,
    // Not by the terminal, which makes control characters visible: the client gets what the service sent.
    send: (text) => void process.stdout.write(`${text}\n`),
    join: (code, named) => join(terminal, { code: checkedCode(code), url: named ?? url, folder }),
  });
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(process.stdin)) {
    const handled = handle(line)
      .catch((error: unknown) => terminal.err(`parley: ${error instanceof Error ? error.message : String(error)}`))
      .finally(() => running.delete(handled));
    running.add(handled);
  }
  await Promise.race([Promise.all(running), sleep(LAST_ANSWERS_MS)]);
}

/** False if the service gives no answer: a token is given up only for a reason. */
async function isOver({ url, token }: Held, signal: AbortSignal): Promise<boolean> {
  try {
    return isEnded(await createAgentClient(url, token).call('read_session_state', {}, { signal }));
  } catch (error) {
    return error instanceof CliError && error.exitCode === EXIT.NO_KEY;
  }
}

interface Joining {
  readonly code: string;
  readonly url: string | undefined;
  readonly folder: string;
}

async function join(terminal: Terminal, { code, url, folder }: Joining): Promise<Joined> {
  const { own } = await agentFolder(terminal.environment, folder);
  if (url === undefined)
    throw new CliError(
      EXIT.USAGE,
      'Give the address of the service as url. The invitation has it; ask your user. The invitation code was not used.',
    );
  return takeSeat(seatFile(own), { code, clientType: CLIENT_TYPE, url: agentServer(url, terminal) });
}
