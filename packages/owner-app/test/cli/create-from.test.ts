import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { ownerAt, seatAgent } from '../ask.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { listen } from '../listen.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, runApp } from '../running-app.ts';

const SPEC = '# Lockers\n\n## Summary\n\nFetch parcels.\n\n## Requirements\n\n- FR-001: One door at a time.\n';
const ISSUE = JSON.stringify({
  title: 'Doors',
  body: '## Why\nThey jam.\n\n- [ ] Oil them',
  url: 'https://example.com/i/7',
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Typed {
  readonly input?: string;
  readonly answer?: string;
  readonly url?: string;
}

async function run(args: readonly string[], { input = '', answer, url = 'http://127.0.0.1:9' }: Typed = {}) {
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
  const asking = answer === undefined ? {} : { question: async () => answer };
  const code = await runCli(['create', ...args], { ...terminal, input: async () => input, ...asking });
  return { code, out: terminal.output(), err: terminal.errors() };
}

/** Makes a folder with files, and returns its path. */
async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await newFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe('parley create --from', () => {
  test('keeps the source in the session, for the owner, the agents and the report', async () => {
    const { url } = await runApp();
    const file = join(await folderWith({ 'lockers.md': SPEC }), 'lockers.md');
    const flags = [
      '--requirement',
      'FR-001: Two doors.',
      '--requirement',
      'No noise.',
      '--guardrail',
      'No glass.',
      '--agent-a',
      'Shop',
    ];
    const created = await run(['--from', file, '--json', ...flags], { url });
    const { session_id } = JSON.parse(created.out);
    const source = { kind: 'markdown', location: file, sha256: sha256(SPEC) };
    const owner = ownerAt(url);
    expect(await owner.call('view', { session_id })).toMatchObject({
      title: 'Lockers',
      objective: 'Fetch parcels.',
      guardrails: ['No glass.'],
      requirements: [
        { requirement_id: 'FR-001', text: 'Two doors.' },
        { requirement_id: 'req-3', text: 'No noise.' },
      ],
      agents: [{ name: 'Shop' }, {}],
      source,
    });
    expect((await owner.call('report', { session_id, format: 'md' })).text).toContain(
      `(markdown), SHA-256 \`${source.sha256}\``,
    );
    const token = await seatAgent(url, session_id, 'agent_a');
    const task = await fetch(`${url}/api/public/agent/sessions/${session_id}/task`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await task.json()).toMatchObject({ source });
  });

  test.each([
    ['https://me:secret@example.com/i/7?token=secret', 'https://example.com/i/7'],
    ['javascript:alert(1)', '-'],
    ['no address', '-'],
  ])('keeps of the address %s of an issue: %s', async (url, location) => {
    const issue = JSON.stringify({ title: 'Doors', body: '- [ ] Oil them', url });
    const { out } = await run(['--from', '-', '--dry-run'], { input: issue });
    expect(JSON.parse(out)).toMatchObject({ source: { kind: 'issue', location } });
  });

  test('shows what was taken and what was not, and creates the session after a yes', async () => {
    const { url } = await runApp();
    const options = { url, input: ISSUE };
    const refused = await run(['--from', '-'], { ...options, answer: 'n' });
    expect(refused).toMatchObject({ code: EXIT.REFUSED, err: expect.stringContaining('Nothing was created.') });
    expect(refused.out).toContain(
      'Doors\n1 requirement, 0 acceptance criteria, 0 guardrails, from https://example.com/i/7\n(an issue), SHA-256',
    );
    expect(refused.out).toContain('  req-1  Oil them');
    expect(await run(['--from', '-'], options)).toMatchObject({
      code: EXIT.USAGE,
      err: expect.stringContaining('Add --yes'),
    });
    expect((await ownerAt(url).call('listSessions', {})).sessions).toEqual([]);
    expect((await run(['--from', '-'], { ...options, answer: 'Y' })).out).toContain('is a draft. Next:');
    expect((await run(['--from', '-', '--yes'], options)).code).toBe(EXIT.OK);
  });

  test('prints with --dry-run a file that --file takes, and calls no server', async () => {
    const folder = await folderWith({
      'proposal.md': '\uFEFF---\na: b\n---\r\n# Change: Print\r\n\r\n## Why\r\n\r\nIt\u202e stops.\r\n',
      'specs/print/spec.md':
        '## ADDED Requirements\n\n### Requirement: Retry\nIt SHALL retry.\n\n#### Scenario: Off\n- **THEN** wait\n',
      'notes/other.md': '# Other\n',
    });
    const { code, out, err } = await run(['--from', folder, '--dry-run']);
    expect(code).toBe(EXIT.OK);
    expect(err).toBe('Not taken: proposal.md: 1 invisible characters\nNot taken: proposal.md: the front matter');
    const session = JSON.parse(out);
    expect(session).toMatchObject({
      title: 'Print',
      objective: 'It stops.',
      requirements: [
        { requirement_id: 'req-1', text: 'Retry\nIt SHALL retry.', acceptance_criteria: ['Off\n- THEN wait'] },
      ],
      source: { kind: 'openspec', location: folder },
    });
    const { url } = await runApp();
    const file = join(folder, 'session.json');
    await writeFile(file, out);
    const { session_id } = JSON.parse((await run(['--file', file, '--json'], { url })).out);
    expect(await ownerAt(url).call('view', { session_id })).toMatchObject({ source: session.source });
  });

  test('refuses what is no specification, and names the file and what to give instead', async () => {
    const folder = await folderWith({
      'binary.md': new Uint8Array([0x23, 0x20, 0xff, 0xfe]),
      'long.md': `# Long\n${'x'.repeat(1_000_000)}`,
      'deep.md': `${'>'.repeat(500)} deep`,
      'prose.md': '# Prose\n\nOnly words.\n',
      'session.json': '{"title":"x","requirements":[]}',
      'issues.json': '[{"title":"x"}]',
      'broken.json': '{"title":',
      'one/spec.md': SPEC,
      'z-linked/requirements.md': '# R\n',
    });
    await symlink('/etc/hostname', join(folder, 'z-linked/design.md'));
    const faults: readonly (readonly [path: string, fault: string])[] = [
      ['binary.md', 'binary.md is not a text in UTF-8'],
      ['long.md', 'long.md is longer than 1 MB'],
      ['deep.md', 'deep.md has too many lines or Markdown marks'],
      ['prose.md', 'lacks what a session needs: a requirement (--requirement)'],
      ['session.json', 'session.json is a session, not a specification: give it to --file'],
      ['issues.json', 'issues.json is JSON, but no issue with a title'],
      ['broken.json', 'broken.json is not valid JSON'],
      ['none.md', 'none.md does not exist'],
      ['', `give the folder of one specification, such as ${join(folder, 'one')}`],
      ['z-linked', 'design.md is a link that leads out of the folder'],
    ];
    for (const [path, fault] of faults)
      expect(await run(['--from', join(folder, path), '--yes'])).toMatchObject({
        code: EXIT.USAGE,
        err: expect.stringContaining(fault),
      });
    expect((await run(['--from', '-', '--file', 'x'])).err).toContain("cannot be used with option '--file <json>'");
  });

  test('reads an address over https, or of this machine, and follows few redirects, none to a private host', async () => {
    const server = createServer((request, response) => {
      const [, to] = /^\/to\?(.+)$/.exec(request.url ?? '') ?? [];
      if (to) return void response.writeHead(302, { location: decodeURIComponent(to) }).end();
      if (request.url === '/page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
      if (request.url === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
      if (request.url?.startsWith('/lockers.md'))
        return void response.writeHead(200, { 'content-type': 'text/plain' }).end(SPEC);
      response.writeHead(404).end();
    });
    const base = await listen(server);
    const taken = await run(['--from', `${base}/to?${encodeURIComponent('/lockers.md?token=secret')}`, '--dry-run']);
    expect(JSON.parse(taken.out)).toMatchObject({
      title: 'Lockers',
      source: { kind: 'markdown', location: `${base}/to`, sha256: sha256(SPEC) },
    });
    const faults: readonly (readonly [address: string, fault: string])[] = [
      [`${base}/page`, 'is no Markdown and no JSON, but text/html'],
      [`${base}/loop`, 'leads through more than 5 redirects'],
      [`${base}/none`, 'answered 404'],
      [`${base}/to?${encodeURIComponent('https://10.0.0.1/x')}`, 'leads to a host that is not public'],
      [`${base}/to?${encodeURIComponent('http://example.com/x')}`, 'is not an address that begins with https'],
      ['http://example.com/a.md', 'is not an address that begins with https'],
      ['ftp://example.com/a.md', 'is not an address that begins with https'],
      ['https://me:secret@example.com/a.md', 'https://…@example.com/a.md contains a user name or a password'],
      [
        'https://github.com/a/b/pull/3',
        'gh pr view https://github.com/a/b/pull/3 --json title,body,url | parley create --from -',
      ],
      ['https://gitlab.com/a/b/-/issues/3', 'glab issue view 3 -F json | parley create --from -'],
    ];
    for (const [given, fault] of faults)
      expect(await run(['--from', given, '--yes'])).toMatchObject({
        code: EXIT.USAGE,
        err: expect.stringContaining(fault),
      });
  });
});
