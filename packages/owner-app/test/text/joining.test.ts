import { expect, test } from 'vitest';
import {
  INSTALLED,
  installLine,
  invitedBy,
  joinAddress,
  joinLines,
  programWords,
  wordsToJoin,
} from '../../src/text/joining.ts';

const CODE = `pinv_${'c'.repeat(60)}`;
const lines = joinLines({ url: 'https://parley.example.com', program: INSTALLED });
const lineFor = (client: string) => lines.find((one) => one.client === client);

test('each client has one line, which names the service and has no code', () => {
  expect(lines.map(({ client, line }) => [client, line])).toEqual([
    ['Claude Code', 'claude mcp add parley -- parley mcp --url https://parley.example.com'],
    ['Codex CLI', 'codex mcp add parley -- parley mcp --url https://parley.example.com'],
    ['Gemini CLI', 'gemini mcp add --scope user parley parley mcp --url https://parley.example.com'],
    [
      'Cursor',
      `cursor --add-mcp '{"name":"parley","command":"parley","args":["mcp","--url","https://parley.example.com","--folder","\${workspaceFolder}"]}'`,
    ],
    [
      'VS Code',
      `code --add-mcp '{"name":"parley","command":"parley","args":["mcp","--url","https://parley.example.com","--folder","\${workspaceFolder}"]}'`,
    ],
  ]);
});

test('the links of Cursor and VS Code hold the same server', () => {
  const cursor = new URL(lineFor('Cursor')?.link ?? '');
  expect(cursor.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=parley&config=[\w%]+$/);
  const server = {
    command: 'parley',
    args: ['mcp', '--url', 'https://parley.example.com', '--folder', `\${workspaceFolder}`],
  };
  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual(server);
  const [scheme = '', named = ''] = (lineFor('VS Code')?.link ?? '').split('?');
  expect(scheme).toBe('vscode:mcp/install');
  expect(JSON.parse(decodeURIComponent(named))).toEqual({ name: 'parley', ...server });
});

test('a path of the program that a shell would split is one word, and a link holds it as it is', () => {
  const [claude, , , cursor] = joinLines({
    url: 'http://127.0.0.1:4100',
    program: ['node', "/home/an na/it's/parley.js"],
  });
  expect(claude?.line).toContain(`-- node '/home/an na/it'\\''s/parley.js' mcp `);
  const config = new URL(cursor?.link ?? '').searchParams.get('config') ?? '';
  expect(JSON.parse(atob(config)).args[0]).toBe("/home/an na/it's/parley.js");
});

test('the address of the page has code and role in its fragment alone, from which the page reads them', () => {
  const address = new URL(joinAddress({ code: CODE, role: 'moderator', url: 'https://parley.example.com' }));
  expect([address.pathname, address.search]).toEqual(['/join', '']);
  expect(invitedBy(address.hash)).toEqual({ code: CODE, role: 'moderator' });
});

test.each(['', '#', '#code=', `#code=${CODE}`, `#code=${CODE}&role=owner`, '#code=pinv_%22%7D&role=agent_a'])(
  'the fragment %j invites nobody',
  (fragment) => {
    expect(invitedBy(fragment)).toBe(undefined);
  },
);

test('no line for a repository names npx, which runs what the repository has in its node_modules', () => {
  expect(programWords('/home/anna/.npm/_npx/0a1b/node_modules/@parley/cli/bin/parley.js')).toEqual(['parley']);
  expect(programWords('/opt/parley/bin/parley.js')).toEqual(['node', '/opt/parley/bin/parley.js']);
  expect(wordsToJoin('https://parley.example.com', ['node', '/opt/parley/bin/parley.js'])).toEqual(['parley']);
  expect(installLine(['parley'])).toBe('npm install --global @parley/cli@0.1.0');
  expect(installLine(['node', '/opt/parley/bin/parley.js'])).toBe(undefined);
});
