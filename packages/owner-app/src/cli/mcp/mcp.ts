import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { linesOf } from '../../text/event-stream.ts';
import { createAgentClient } from '../agent/agent-client.ts';
import { agentFolder, seatFile, takeSeat } from '../agent/seat.ts';
import { isEnded } from '../agent/wait.ts';
import { agentServer } from '../client/request.ts';
import { checkedCode } from '../connect/given-code.ts';
import { CliError, wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { createBridge, type Held, isRefusalOfToken, type Joined } from './bridge.ts';

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
if --url is not given. With --url, the code goes to this address alone. PARLEY_URL is not read, because settings of a repository can set it. The command ends when its stdin ends.`;

/** Adds `parley mcp`, which uses the token of an agent and no owner key. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('Serve MCP on stdio, and pass every message on to the service.')
    .option('--url <url>', 'the only server that `join` sends a code to')
    .option('--folder <folder>', "the agent's repository", '.')
    .addHelpText('after', MORE)
    .action((flags: McpFlags) => {
      // Not by the terminal, which makes control characters visible: the client gets what the service sent.
      const send = (text: string): void => void process.stdout.write(`${text}\n`);
      return serveStdio(terminal, flags, { input: process.stdin, send });
    });
}

/** The bytes that a client writes, and a function that writes one message to it. */
interface Stdio {
  readonly input: AsyncIterable<Uint8Array>;
  readonly send: (text: string) => void;
}

/** Serves until the input ends. */
export async function serveStdio(terminal: Terminal, { url, folder }: McpFlags, { input, send }: Stdio): Promise<void> {
  const pinned = url === undefined ? undefined : agentServer(url, terminal);
  const { read } = seatFile((await agentFolder(terminal.environment, folder)).own);
  const handle = createBridge({
    read,
    isOver,
    hasAddress: url !== undefined,
    send,
    join: (code, named) => join(terminal, { code: checkedCode(code), pinned, named, folder }),
  });
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
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
    return error instanceof CliError && error.status === 401 && isRefusalOfToken(error.body);
  }
}

interface Joining {
  readonly code: string;
  /** The address of --url. */
  readonly pinned: string | undefined;
  /** The address of the call, which a model has written. */
  readonly named: string | undefined;
  readonly folder: string;
}

async function join(terminal: Terminal, { code, pinned, named, folder }: Joining): Promise<Joined> {
  const { own } = await agentFolder(terminal.environment, folder);
  if (named === undefined && pinned === undefined)
    throw wrongUsage(
      'Give the address of the service as url. The invitation has it; ask your user. The invitation code was not used.',
    );
  const url = named === undefined ? pinned : agentServer(named, terminal);
  if (pinned !== undefined && url !== pinned)
    throw wrongUsage(
      `This server \`parley\` was added with --url ${pinned} and sends a code to no other address. Leave url out if the code is for ${pinned}; otherwise ask your user to add the server \`parley\` with the other address. The invitation code was not used.`,
    );
  return takeSeat(seatFile(own), { code, clientType: CLIENT_TYPE, url: agentServer(url, terminal) });
}
