import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ownerListings } from '@parley/core';
import { loadMission, runMission, withModerator } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwnerClient } from '../../../src/cli/client/owner-client.ts';
import { joinByMcp, ownerApi } from '../../../src/cli/demo/demo.ts';
import { startStandalone } from '../../../src/cli/demo/standalone.ts';
import { runCli } from '../../../src/cli/program.ts';
import { createPaint } from '../../../src/text/page.ts';
import { visible } from '../../../src/text/visible.ts';
import { ask } from '../../ask.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { SESSION } from '../../running-app.ts';
import { lines } from './command-lines.ts';
import { ANSWERING, CHANGING, COMMAND, ENDLESS, FORGED, hostileRelay } from './hostile-relay.ts';

/** Commands that print a document that agents have written, or its source, line by line. */
const DOCUMENTS = ['plan', 'revision', 'report', 'artifact', 'diff'];

/** Further command lines, because the mandatory arguments alone do not reach all that a command prints. */
const MORE: readonly (readonly string[])[] = [
  ['people', 'me'],
  ['people', 'add', 'Ada', '--role', 'viewer'],
  ['people', 'revoke', 'Ada'],
  ['people', 'export'],
  ['people', 'verify'],
  ['accounts', 'list'],
  ['audit', '--jsonl'],
  ['plan', 'S', '--md'],
  ['plan', 'S', '--section', 'tasks'],
  ['records', 'S', '--type', 'decision'],
  ['invite', 'S', '--role', 'agent_a', '--code-only'],
  ['report', 'S', '--format', 'structured'],
  ['transcript', 'S', '--last', '30'],
  ['show', 'S', '3'],
  ['contract', 'pull', '--agents-md'],
  ['contract', 'pull', 'S', '--agents-md', '--role', 'agent_a'],
  ['contract', 'check', 'S', '--online'],
  ['connect', 'CODE', '--for', 'claude-code', '--write', '--hooks'],
  ['connect', 'CODE', '--for', 'codex', '--write'],
  ['connect', 'CODE', '--for', 'vscode', '--write'],
];

let server: Awaited<ReturnType<typeof startStandalone>>;
/** A session at the end of a mission. */
let finished = '';
/** The token of an agent of a session that no command changes. */
let token = '';
let newSession: () => Promise<string>;
/** An invitation code for the other agent of that session. */
let newCode: () => Promise<string>;

beforeAll(async () => {
  server = await startStandalone();
  const { url, key } = server;
  const client = createOwnerClient(url, key);
  const mission = withModerator(await loadMission('payment-capture'));
  const owner = ownerApi({ client, listings: ownerListings });
  const joined = await runMission(mission, { owner, agents: ({ code }) => joinByMcp(url, code) });
  finished = joined.sessionId;
  newSession = async () => (await client.call('createSession', SESSION)).session_id;
  const session_id = await newSession();
  const invite = async (role: 'agent_a' | 'agent_b') => (await client.call('invite', { session_id, role })).code;
  newCode = () => invite('agent_a');
  const redeemed = await ask(url, '/api/public/agent/invitations/redeem', { body: { code: await invite('agent_b') } });
  token = redeemed.json.token;
});

afterAll(() => server.close());

const ESCAPE = '\u001b';
const COLOURS = new RegExp(`${ESCAPE}\\[(?:[1-4]|2[2-4]|3[0-79]|9[0-7])m`, 'g');
/** The colour that a hostile server puts into its texts. */
const FAKE = `${ESCAPE}[32mFAKE`;

/** Where a text contains a colour of the server, or something else that `visible` would change. */
function unsafe(text: string): string[] {
  const plain = text.replaceAll(FAKE, 'FAKE').replace(COLOURS, '');
  return [
    ...(text.includes(FAKE) ? [visible(text.slice(Math.max(0, text.indexOf(FAKE) - 60)).slice(0, 80))] : []),
    ...(visible(plain) === plain ? [] : [firstDifference(plain)]),
  ];
}

function firstDifference(plain: string): string {
  const at = [...visible(plain)].findIndex((letter, index) => letter !== [...plain][index]);
  return visible(plain.slice(Math.max(0, at - 60), at + 20));
}

/** Longer than a command takes on a busy machine for 16 MB, and shorter than for an answer without an end. */
const SLOW_MS = 20_000;
const LAST = ['end', 'delete'];
const all = [...lines, ...MORE].toSorted((one, other) => LAST.indexOf(one[0] ?? '') - LAST.indexOf(other[0] ?? ''));

interface Against {
  readonly url: string;
  readonly sessionId: string;
  readonly home: string;
}

/** Runs one command line with colours. Resolves with everything that it has written to the terminal. */
async function run(line: readonly string[], { url, sessionId, home }: Against) {
  const code = line.includes('CODE') ? await newCode() : '';
  const environment = {
    PARLEY_URL: url,
    PARLEY_OWNER_KEY: server.key,
    PARLEY_TOKEN: token,
    HOME: home,
    PATH: '/usr/bin',
  };
  const words = line.map((word) => (word === 'S' ? sessionId : word === 'CODE' ? code : word));
  const folder = ['connect', 'contract', 'run'].includes(words[0] ?? '') ? ['--folder', home] : [];
  const terminal = {
    // Wide, so that no sentence wraps.
    ...fakeTerminal({ ...environment, PARLEY_PUBLIC_URL: url }, 10_000),
    paint: createPaint(true),
    input: async () => JSON.stringify({ hook_event_name: 'Stop' }),
  };
  const exit = await runCli([...words, ...folder], terminal);
  return { exit, text: `${terminal.output()}\n${terminal.errors()}` };
}

/** Each way of answering with the sessions that a command reads: where the answer is the server's own, one says it all. */
const SERVERS = [
  ...Object.entries(CHANGING).map(([name, answer]) => ({ name, answer, sessions: ['finished', 'new'], given: all })),
  ...Object.entries(ANSWERING).map(([name, answer]) => ({ name, answer, sessions: ['new'], given: all })),
  ...Object.entries(ENDLESS).map(([name, answer]) => ({ name, answer, sessions: ['finished'], given: lines })),
];

describe.each(SERVERS)('a server that $name', ({ answer, sessions, given }) => {
  test('moves no cursor, writes no file beside its own, and gets no more than its share', async () => {
    const relay = await hostileRelay(server.url, answer);
    const wrong: string[] = [];
    for (const session of sessions) {
      const sessionId = session === 'new' ? await newSession() : finished;
      for (const line of given) {
        if (line[0] === 'watch' || (line[0] === 'delete' && sessionId === finished)) continue;
        const home = await newFolder();
        const before = performance.now();
        const { text } = await run(line, { url: relay.url, sessionId, home });
        const tookMs = performance.now() - before;
        if (tookMs > SLOW_MS) wrong.push(`${line.join(' ')}: took ${Math.round(tookMs)} ms`);
        wrong.push(...unsafe(text).map((found) => `${line.join(' ')}: ${found}`));
        if (new RegExp(`parley [^'\\n]*\\${COMMAND}`).test(text))
          wrong.push(`${line.join(' ')}: prints ${new RegExp(`.*${COMMAND.slice(0, 6)}.*`).exec(text)}`);
        if (!DOCUMENTS.includes(line[0] ?? ''))
          wrong.push(
            ...text
              .split('\n')
              .filter((one) => one.startsWith(FORGED))
              .slice(0, 1)
              .map(
                () =>
                  `${line.join(' ')}: has a forged line below ${text.slice(0, text.indexOf(`\n${FORGED}`)).slice(-80)}`,
              ),
          );
        const pulled = ['.parley', 'CONTRACT.md', 'AGENTS.md'];
        const folders = ['.config', '.mcp.json', '.codex', '.vscode', '.claude', ...pulled];
        wrong.push(...(await readdir(home)).filter((name) => !folders.includes(name)).map((name) => `wrote ${name}`));
        const own = await readdir(join(home, '.config', 'parley')).catch(() => []);
        wrong.push(
          ...own.filter((name) => !/^\w{22}\.\w+\.(env|hook\.json)$|^runs$/.test(name)).map((name) => `wrote ${name}`),
        );
      }
    }
    await relay.close();
    expect(wrong).toEqual([]);
  }, 240_000);
});
