import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENTS, mergeSettings } from '../../src/cli/connect/clients.ts';
import { parseSettings } from '../../src/cli/connect/edit-settings.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { runApp, SESSION } from '../running-app.ts';

const TOKEN = /prt_[\w-]{40,}/;
const DOCUMENTED = 'http://127.0.0.1:4100/api/public/mcp';

/** A running server, and an agent's machine with a repository and an empty home folder. */
async function agentMachine() {
  const app = await runApp();
  const owner = app.parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  const [home, repository] = [await newFolder(), await newFolder()];
  const code = async (role: 'agent_a' | 'moderator' = 'agent_a') => (await owner.invite(id, { role })).code;
  const connect = async (given: string, ...args: readonly string[]) => {
    const terminal = {
      ...fakeTerminal({ HOME: home, PATH: process.env.PATH ?? '' }),
      input: async () => `${given}\n`,
    };
    const url = args.includes('--url') ? [] : ['--url', app.url];
    const exit = await runCli(['connect', ...url, '--folder', repository, ...args], terminal);
    return { exit, out: terminal.output(), err: terminal.errors() };
  };
  const tokenFile = join(home, '.config', 'parley', `${id}.agent_a.env`);
  return { ...app, owner, id, home, repository, code, connect, tokenFile };
}

const readTask = async (url: string, token: string | undefined): Promise<unknown> => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_task' } };
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/api/public/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })).json();
};

describe('an invitation code', () => {
  /** Runs a command that needs a code. At a terminal, a person types `typed`; otherwise it is on stdin. */
  async function enter(command: readonly string[], { typed = '', isTerminal = false }) {
    const { url, code, home, repository, owner, id } = await agentMachine();
    const given = await code();
    const asked: string[] = [];
    const secret = async (question: string): Promise<string> => {
      asked.push(question);
      return typed === '' ? given : typed;
    };
    const terminal = {
      ...fakeTerminal({ HOME: home, PATH: process.env.PATH ?? '', PARLEY_URL: url }),
      input: async () => (typed === '' ? `${given}\n` : typed),
      ...(isTerminal ? { secret } : {}),
    };
    const words = command.map((word) => (word === 'CODE' ? given : word));
    const exit = await runCli([...words, '--folder', repository], terminal);
    const isUsed = (await owner.view(id)).access.some(({ token }) => token !== null);
    return { exit, err: terminal.errors(), asked, isUsed, isShown: terminal.output().includes(given) };
  }

  test.each([
    [['connect', '--for', 'curl']],
    [['connect', '-', '--for', 'curl']],
    [['run', '--code']],
    [['run', '--code', '-']],
    [['run', '--command', 'true', '--max-minutes', '0.001', '--pause', '0.01']],
    [['run', '-', '--command', 'true', '--max-minutes', '0.001', '--pause', '0.01']],
  ])('of %j is read from stdin, and asked for at a terminal, without a word', async (command) => {
    const fromStdin = await enter(command, {});
    expect(fromStdin).toMatchObject({ asked: [], isUsed: true, isShown: false });
    const asked = await enter(command, { isTerminal: true });
    expect(asked).toMatchObject({ asked: ['Invitation code (not shown): '], isUsed: true, isShown: false });
    expect(fromStdin.err + asked.err).not.toContain('other users');
  });

  test.each([
    [['connect', 'CODE', '--for', 'curl']],
    [['run', '--code', 'CODE']],
    [['run', 'CODE', '--command', 'true', '--max-minutes', '0.001', '--pause', '0.01']],
  ])('of %j works, with a warning that others can read it', async (command) => {
    const { err, asked, isUsed } = await enter(command, { isTerminal: true });
    expect({ asked, isUsed }).toEqual({ asked: [], isUsed: true });
    expect(err.split('\n')[0]).toBe(
      'parley: warning: other users of this machine can read the invitation code in the list of processes. Next time, leave the code out: the command asks for it, or reads it from stdin.',
    );
  });

  test.each([
    ['prt_token', 'This is a token, not an invitation code.'],
    ['\n', 'No invitation code was given.'],
    ['pinv_x y', 'This is not an invitation code.'],
  ])('%j is refused', async (typed, message) => {
    const { exit, err } = await enter(['connect', '--for', 'curl'], { typed });
    expect(exit).toBe(EXIT.USAGE);
    expect(err).toContain(`parley: ${message} Invitation codes start with pinv_.`);
  });
});

test('a password in a flag of parley doctor works, with a warning that others can read it', async () => {
  const terminal = fakeTerminal({});
  await runCli(['doctor', '--database-url', 'postgres://parley:secret@127.0.0.1:1/parley'], terminal);
  expect(terminal.errors()).toBe(
    'parley: warning: other users of this machine can read the password in --database-url in the list of processes. Set DATABASE_URL in the environment instead.',
  );
});

describe('parley connect', () => {
  test('prints the token once, the settings, and when the token expires', async () => {
    const { id, url, code, connect, repository, home, owner } = await agentMachine();
    const { exit, out } = await connect(await code(), '--for', 'claude-code');
    expect(exit).toBe(EXIT.OK);
    expect(out.match(/prt_[\w-]{40,}/g)).toHaveLength(1);
    expect(await readTask(url, TOKEN.exec(out)?.[0])).toMatchObject({
      result: { structuredContent: { your_role: 'agent_a' } },
    });
    expect(out).toContain(`Connected as agent_a of session ${id}.`);
    expect(out).toContain(`"url": "${url}/api/public/mcp"`);
    const { access } = await owner.view(id);
    const token = access.find(({ role }) => role === 'agent_a')?.token;
    expect(token?.client_type).toBe('claude-code');
    expect(out).toContain(`The token ends at ${token?.expires_at}, 24 hours from now`);
    expect(out).toContain(`parley invite ${id} --role agent_a`);
    expect([await readdir(repository), await readdir(home)]).toEqual([[], []]);
  });

  test('writes the settings without the token, and the token to a file that only this user can read', async () => {
    const { id, url, code, connect, repository, tokenFile } = await agentMachine();
    const { exit, out, err } = await connect(await code(), '--for', 'cursor', '--write');
    expect({ exit, err }).toEqual({ exit: EXIT.OK, err: '' });
    expect(out).not.toMatch(TOKEN);
    expect(out).toContain(`  . ${tokenFile}`);
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    const kept = await readFile(tokenFile, 'utf8');
    expect(kept).toContain(`export PARLEY_SESSION=${id}\n`);
    expect(await readTask(url, /^export PARLEY_TOKEN=(.+)$/m.exec(kept)?.[1])).toMatchObject({ result: {} });
    expect(JSON.parse(await readFile(join(repository, '.cursor/mcp.json'), 'utf8'))).toEqual({
      mcpServers: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor expands the variable.
        parley: { url: `${url}/api/public/mcp`, headers: { Authorization: 'Bearer ${env:PARLEY_TOKEN}' } },
      },
    });
  });

  test('does not use the code if the settings file cannot be changed', async () => {
    const { code, connect, repository, home } = await agentMachine();
    await writeFile(join(repository, '.mcp.json'), '{ // mine\n "a": }');
    await mkdir(join(repository, '.codex'));
    await writeFile(join(repository, '.codex/config.toml'), 'model = "x\n');
    const given = await code();
    const refused = await connect(given, '--for', 'claude-code', '--write');
    expect(refused).toMatchObject({ exit: EXIT.USAGE, out: '' });
    expect(refused.err).toContain(
      '.mcp.json is not valid JSON: ValueExpected in line 2. Correct the file, or run the command without --write',
    );
    expect(await readFile(join(repository, '.mcp.json'), 'utf8')).toBe('{ // mine\n "a": }');
    const broken = await connect(given, '--for', 'codex', '--write');
    expect(broken).toMatchObject({ exit: EXIT.USAGE, err: expect.stringContaining('config.toml is not valid TOML: ') });
    const nowhere = await connect(given, '--for', 'codex', '--write', '--folder', join(repository, 'none'));
    expect(nowhere).toMatchObject({
      exit: EXIT.USAGE,
      err: expect.stringContaining(
        "none does not exist. Give the agent's repository with --folder. The invitation code was not used.",
      ),
    });
    expect(await readdir(repository)).toEqual(['.codex', '.mcp.json']);
    expect((await connect(given, '--for', 'curl')).exit).toBe(EXIT.OK);
    expect(await connect(given, '--for', 'curl', '--write')).toMatchObject({
      exit: EXIT.REFUSED,
      err: expect.stringContaining('INVITATION_INVALID'),
    });
    expect(await readdir(join(home, '.config', 'parley'))).toEqual([]);
  });

  test('writes through no symbolic link', async () => {
    const { code, connect, repository, home } = await agentMachine();
    await writeFile(join(home, 'settings'), '{}');
    await symlink(join(home, 'settings'), join(repository, '.mcp.json'));
    await symlink(home, join(repository, '.cursor'));
    await symlink(join(home, 'absent'), join(repository, '.codex'));
    const given = await code();
    for (const client of ['claude-code', 'cursor', 'codex']) {
      const refused = await connect(given, '--for', client, '--write');
      expect(refused).toMatchObject({
        exit: EXIT.USAGE,
        err: expect.stringMatching(
          /is a symbolic link\. Remove it, .* Nothing was written\. The invitation code was not used/,
        ),
      });
    }
    expect(await readFile(join(home, 'settings'), 'utf8')).toBe('{}');
    expect(await readdir(home)).toEqual(['settings']);
    expect((await connect(given, '--for', 'vscode', '--write')).exit).toBe(EXIT.OK);
  });

  test('names the entry that it replaces', async () => {
    const { code, connect, repository } = await agentMachine();
    const old = '{"mcpServers":{"parley":{"url":"https://other.example/mcp"}}}';
    await writeFile(join(repository, '.mcp.json'), old);
    const { out } = await connect(await code(), '--for', 'claude-code', '--write');
    expect(out).toContain(
      'Replaced another address of the server parley, which the file contained: "https://other.example/mcp".',
    );
    expect((await connect(await code(), '--for', 'claude-code', '--write')).out).not.toContain('It replaces');
  });

  test('prints control characters in the replaced address as codes', async () => {
    const { code, connect, repository } = await agentMachine();
    const old = '{"mcpServers":{"parley":{"url":"https://other.example/\u009b2J\u202emcp"}}}';
    await writeFile(join(repository, '.mcp.json'), old);
    const { out } = await connect(await code(), '--for', 'claude-code', '--write');
    expect(out).toContain(
      'Replaced another address of the server parley, which the file contained: "https://other.example/\\u{9b}2J\\u{202e}mcp".',
    );
  });

  test('reports whether git tracks or ignores the file', async () => {
    const { code, connect, repository } = await agentMachine();
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', repository, ...args]);
    git('init', '--quiet');
    const write = async () => (await connect(await code(), '--for', 'claude-code', '--write')).out;
    expect(await write()).toContain('Warning: git does not ignore');
    git('add', '.mcp.json');
    expect(await write()).toContain('Warning: git tracks');
    git('rm', '--cached', '--quiet', '.mcp.json');
    await writeFile(join(repository, '.gitignore'), '.mcp.json\n');
    expect(await write()).not.toContain('Warning');
  });

  test('prints working command lines for curl, also as JSON', async () => {
    const { id, url, code, connect } = await agentMachine();
    const { out } = await connect(await code('moderator'), '--for', 'curl', '--url', `${url}/api/public/mcp`);
    expect(out).toContain(`${url}/api/public/agent/sessions/${id}/events`);
    const json = JSON.parse((await connect(await code(), '--for', 'codex', '--json')).out);
    expect(json).toEqual({
      client: 'codex',
      role: 'agent_a',
      session_id: id,
      expires_at: expect.any(String),
      mcp_url: `${url}/api/public/mcp`,
      session_url: `${url}/api/public/agent/sessions/${id}`,
      token: expect.stringMatching(TOKEN),
      settings_file: '.codex/config.toml',
      is_written: false,
      settings: expect.stringContaining('[mcp_servers.parley]'),
    });
  });

  test('reports what is wrong with its arguments', async () => {
    const { code, connect, url } = await agentMachine();
    expect((await connect(await code(), '--for', 'emacs')).exit).toBe(EXIT.USAGE);
    expect((await connect(await code(), '--for', 'curl', '--url', 'http://127.0.0.1:1')).exit).toBe(EXIT.UNREACHABLE);
    expect(await connect(await code(), '--for', 'curl', '--url', `${url}/nowhere`)).toMatchObject({
      exit: EXIT.REFUSED,
    });
    expect((await connect('pinv_x', '--for', 'curl', '--url', 'http://parley.invalid')).err).toContain(
      'does not use https',
    );
  });
});

describe('the settings of a client', () => {
  test('are those of docs/connect.md', async () => {
    const page = await readFile(new URL('../../../../docs/connect.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```(json|toml)\n(.*?)^```/gms)].map(([, language, text = '']) =>
      language === 'json' ? JSON.parse(text) : text,
    );
    const written = (text = '') => (text.startsWith('{') ? JSON.parse(text) : text);
    for (const client of ['claude-code', 'codex', 'cursor', 'vscode'] as const)
      expect(blocks).toContainEqual(written(merged(client, undefined)));
    for (const client of ['claude-code', 'codex'] as const)
      expect(page).toContain(`\n${CLIENTS[client].alone?.(DOCUMENTED)}\n`);
  });

  test('are added to the existing content, with its indentation', () => {
    const before =
      '{\n    "x": 1,\n    "mcpServers": { "other": { "command": "o" }, "parley": { "url": "u", "timeout": 9 } }\n}\n';
    const after = merged('claude-code', before);
    expect(JSON.parse(after)).toEqual({
      x: 1,
      mcpServers: {
        other: { command: 'o' },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code expands the variable.
        parley: { url: DOCUMENTED, type: 'http', headers: { Authorization: 'Bearer ${PARLEY_TOKEN}' } },
      },
    });
    expect(after).toMatch(/^\{\n {4}"x": 1,\n {4}"mcpServers"/);
    expect(merged('claude-code', after)).toBe(after);
  });

  test('have a new input id for VS Code each time, so that VS Code asks for the token again', () => {
    const merge = (text: string) => merged('vscode', text);
    const first = merge('{"inputs":[{"id":"mine"}]}');
    const second = merge(first);
    const ids = [first, second, merge(second)].map((text) => {
      const { inputs, servers } = JSON.parse(text);
      expect(inputs).toMatchObject([{ id: 'mine' }, { id: expect.stringMatching(/^parley-token(?:-[\da-f]{12})?$/) }]);
      expect(servers.parley.headers.Authorization).toBe(`Bearer \${input:${inputs[1].id}}`);
      return inputs[1].id;
    });
    expect(new Set(ids).size).toBe(3);
  });

  test('leave every other line of a TOML file as it is', () => {
    const before =
      '# mine\nmodel = "x"\n\n[mcp_servers.parley]\nurl = "u" # old\ntool_timeout_sec = 90\n\n[mcp_servers.parley.env]\nA = "b"\n[z]\n';
    expect(merged('codex', before)).toBe(
      `# mine\nmodel = "x"\n\n[mcp_servers.parley]\nurl = "${DOCUMENTED}" # old\ntool_timeout_sec = 60\nbearer_token_env_var = "PARLEY_TOKEN"\nstartup_timeout_sec = 20\ndefault_tools_approval_mode = "approve"\n[z]\n`,
    );
    expect(merged('codex', '\ufeffmodel = "x"\r\n')).toBe(
      `\ufeffmodel = "x"\r\n\r\n[mcp_servers.parley]\r\nurl = "${DOCUMENTED}"\r\nbearer_token_env_var = "PARLEY_TOKEN"\r\nstartup_timeout_sec = 20\r\ntool_timeout_sec = 60\r\ndefault_tools_approval_mode = "approve"\r\n`,
    );
  });

  test.each([
    '[mcp_servers."parley"]\nurl = "x"\n',
    'mcp_servers = { other = { command = "o" } }\n',
    'mcp_servers.other.command = "o"\n',
    'text = """\n[mcp_servers.parley]\n"""\nat = 1979-05-27T07:32:00Z\nbig = 9223372036854775807\n',
  ])('are added to the TOML %j', (before) => {
    const after = merged('codex', before);
    expect(parseSettings('toml', after)).toMatchObject({
      ...parseSettings('toml', before),
      mcp_servers: { parley: { url: DOCUMENTED, bearer_token_env_var: 'PARLEY_TOKEN' } },
    });
  });

  test('keep comments, trailing commas, line ends and a byte order mark of a JSON file', () => {
    const before =
      '\ufeff{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "o" }, // theirs\r\n\t},\r\n}\r\n';
    const after = merged('cursor', before);
    expect(after.startsWith('\ufeff{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": {')).toBe(true);
    expect(after).toContain('// theirs');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(parseSettings('json', after.slice(1))).toMatchObject({
      mcpServers: { other: { command: 'o' }, parley: { url: DOCUMENTED } },
    });
  });

  test.each([
    ['claude-code', '[]'],
    ['claude-code', '{"mcpServers":[]}'],
    ['claude-code', '{"mcpServers":{"parley":{"command":"x"}}}'],
    ['vscode', '{"inputs":{}}'],
    ['codex', 'mcp_servers = 1'],
    ['codex', '[mcp_servers.parley]\ncommand = "x"'],
    ['codex', '[mcp_servers\n'],
  ] as const)('of %s are not added to %s', (client, text) => {
    expect(() => merged(client, text)).toThrow(/^(is not valid |has |already has )/);
  });
});

function merged(client: keyof typeof CLIENTS, text: string | undefined): string {
  const { settings } = CLIENTS[client];
  return settings ? mergeSettings(settings, text, DOCUMENTED).text : '';
}
