import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { commandsAt } from '../commands.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, OTHER_KEY, runApp } from '../running-app.ts';

const CREATE = ['create', '--title', 'Refunds', '--objective', 'Money back.', '--requirement', 'req-1: Once only.'];

/** Starts a server, and returns functions that run command lines against it. */
async function runCommands(publicUrl?: string) {
  const { url, close } = await runApp(publicUrl === undefined ? {} : { publicUrl });
  const run = commandsAt(url);
  const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).out);
  const create = async (): Promise<string> => (await json(...CREATE)).session_id;
  return { url, close, run, json, create };
}

describe('parley create', () => {
  test('creates a session from flags and prints the next commands', async () => {
    const { run, json } = await runCommands();
    const { code, out } = await run(
      ...CREATE,
      '--guardrail',
      'No downtime.',
      '--guardrail',
      'No migration.',
      '--agent-a',
      'Shop agent',
    );
    expect(code).toBe(EXIT.OK);
    const id = /Session (\S{22}) is a draft/.exec(out)?.[1] ?? '';
    expect(out).toContain(`parley invite ${id} --role agent_a`);
    expect(await json('view', id)).toMatchObject({
      title: 'Refunds',
      guardrails: ['No downtime.', 'No migration.'],
      requirements: [{ requirement_id: 'req-1', text: 'Once only.' }],
      agents: [{ role: 'agent_a', name: 'Shop agent' }, { role: 'agent_b' }],
    });
  });

  test('accepts acceptance criteria and an environment, and prints the command that invites a moderator', async () => {
    const { run, json } = await runCommands();
    const { out } = await run(...CREATE, '--acceptance', 'req-1: Twice is once.', '--environment', 'staging');
    const id = /Session (\S{22}) is a draft/.exec(out)?.[1] ?? '';
    expect(out).toContain(`parley invite ${id} --role moderator`);
    expect(await json('view', id)).toMatchObject({
      requirements: [{ requirement_id: 'req-1', text: 'Once only.', acceptance_criteria: ['Twice is once.'] }],
      environment: 'staging',
    });
    expect(await run(...CREATE, '--acceptance', 'req-2: Twice is once.')).toMatchObject({
      code: EXIT.USAGE,
      err: 'parley: --acceptance "Twice is once." does not name a requirement. Begin the text with the id of a requirement, such as "req-1: ".',
    });
    expect((await run('invite', id, '--role', 'agent_a', '--code-only')).out).toMatch(/^pinv_[0-9A-Za-z]{71}$/);
  });

  test('accepts its own template and a mission; flags take precedence over both', async () => {
    const { run, json } = await runCommands();
    const folder = await newFolder();
    const file = join(folder, 'session.json');
    await writeFile(file, (await run('create', '--template')).out);
    const { session_id } = await json('create', '--file', file, '--title', 'Mine', '--agent-b-service', 'bank-2');
    expect(await json('view', session_id)).toMatchObject({
      title: 'Mine',
      fixture_version: 'fixtures-1',
      agents: [{ service: 'shop' }, { service: 'bank-2', name: 'Bank agent' }],
    });
    await writeFile(
      file,
      JSON.stringify({
        mission: 'm',
        session: { title: 'M', objective: 'O', requirements: [{ requirement_id: 'r', text: 'T' }] },
      }),
    );
    expect(await json('view', (await json('create', '--file', file)).session_id)).toMatchObject({ title: 'M' });
  });

  test('changes the text of a requirement of a file in its place, and its criteria only if a flag gives some', async () => {
    const { json } = await runCommands();
    const file = join(await newFolder(), 'session.json');
    const kept = { requirement_id: 'b', text: 'B', acceptance_criteria: ['B holds.'] };
    const requirements = [{ requirement_id: 'a', text: 'A', acceptance_criteria: ['A holds.'] }, kept];
    await writeFile(file, JSON.stringify({ title: 'M', objective: 'O', requirements }));
    const changed = async (...flags: string[]) =>
      (await json('view', (await json('create', '--file', file, ...flags)).session_id)).requirements;
    const first = { requirement_id: 'a', text: 'New', acceptance_criteria: ['A holds.'] };
    expect(await changed('--requirement', 'a: New')).toEqual([first, kept]);
    expect(await changed('--requirement', 'a: New', '--acceptance', 'a: It is new.')).toEqual([
      { ...first, acceptance_criteria: ['It is new.'] },
      kept,
    ]);
  });

  test('lists the faults of a file, and the number of faults that the answer leaves out', async () => {
    const { run } = await runCommands();
    const file = join(await newFolder(), 'session.json');
    const names = Array.from({ length: 25 }, (_, index) => `unknown_${index}`);
    const session = { title: 'M', objective: 'O', requirements: [{ requirement_id: 'r', text: 'T' }] };
    await writeFile(file, JSON.stringify({ ...session, ...Object.fromEntries(names.map((name) => [name, 1])) }));
    const { code, err } = await run('create', '--file', file);
    expect(code).toBe(EXIT.REFUSED);
    expect(err.split('\n').filter((line) => line.includes('unknown_'))).toHaveLength(20);
    expect(err).toContain('\n  and 5 more invalid fields\n');
  });

  test('lists the missing members of a file', async () => {
    const { run } = await runCommands();
    const file = join(await newFolder(), 'session.json');
    expect(await run('create', '--file', file)).toMatchObject({
      code: EXIT.USAGE,
      err: `parley: ${file} cannot be read.`,
    });
    await writeFile(file, '[]');
    expect(await run('create', '--file', file)).toMatchObject({
      code: EXIT.USAGE,
      err: `parley: ${file} does not contain a JSON object.`,
    });
    for (const [text, fault] of [
      ['{\n  "title": "x",\n}', 'is not valid JSON: the character at line 3, column 1 is not expected.'],
      ['{"title":"x","title":"y"}', 'is refused: title is named twice; name it once.'],
      [
        '\ufeff{"round_limit":12345678901234567890}',
        'is refused: round_limit is a number that cannot be kept exactly; send it as a string.',
      ],
    ] as const) {
      await writeFile(file, text);
      expect(await run('create', '--file', file)).toMatchObject({ code: EXIT.USAGE, err: `parley: ${file} ${fault}` });
    }
    await writeFile(file, '{"title":"x"}');
    const refused = await run('create', '--file', file);
    expect(refused.code).toBe(EXIT.REFUSED);
    expect(refused.err).toContain('parley: INVALID_INPUT: objective');
  });
});

describe('the operations', () => {
  test('hand over the public address, at whichever address this program reaches the server', async () => {
    const { run, json, create } = await runCommands('https://parley.example.com');
    const invited = await run('invite', await create(), '--role', 'agent_a');
    expect(invited.out).toContain('POST https://parley.example.com/api/public/agent/invitations/redeem');
    expect(invited.out).toContain('connects to https://parley.example.com/api/public/mcp');
    expect(invited.out).toContain('--url https://parley.example.com');
    expect(invited.out).not.toContain('127.0.0.1');
    expect(await json('invite', await create(), '--role', 'agent_b')).toMatchObject({
      base_url: 'https://parley.example.com/api/public/agent',
      mcp_url: 'https://parley.example.com/api/public/mcp',
    });
  });

  test('say of a second invitation of a moderator that the earlier code no longer works', async () => {
    const { run, create } = await runCommands();
    await run('moderator-entitlement', 'on');
    const id = await create();
    for (const hasEarlier of [false, true])
      expect((await run('invite', id, '--role', 'moderator')).out.includes('earlier')).toBe(hasEarlier);
  });

  test('run by their names, with flags from their inputs', async () => {
    const { run, json, create } = await runCommands();
    const id = await create();
    const invited = await run('invite', id, '--role', 'agent_a', '--scopes', 'read_task,post_turn');
    expect(invited.out).toMatch(/^code for Agent A \(agent_a\): pinv_[0-9A-Za-z]{71}\n/);
    expect(invited.out).not.toMatch(/scopes|token that/);
    expect(invited.out).toContain(
      '  You are a builder in a Parley session. Another agent builds the other side of the same feature in its own repository.\n',
    );
    expect(invited.out).toMatch(
      /Without that tool: POST http:\/\/127.0.0.1:\d+\/api\/public\/agent\/invitations\/redeem with the body \{"code":"pinv_\w{71}"\}\./,
    );
    expect(invited.out).toMatch(/connects to http:\/\/127.0.0.1:\d+\/api\/public\/mcp with the same header/);
    expect(invited.out).toContain('GET state?wait=25');
    expect(invited.out).toMatch(/^The code works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n\n/m);
    const again = (await run('invite', id, '--role', 'agent_a')).out;
    expect(again).toMatch(/UTC\.\s+The\s+earlier\s+code\s+no\s+longer\s+works\.\n\n/);
    const { out: prompt } = await run('invite', id, '--role', 'agent_a', '--prompt-only');
    const codeless = (text: string) => text.replaceAll(/pinv_\w{71}/g, '<code>');
    expect(prompt).toMatch(/^You are a builder in a Parley session\./);
    expect(codeless(again)).toContain(codeless(prompt).replaceAll(/^/gm, '  '));
    expect((await run('start', id)).out).toContain('The session is started.\nNext: Agent A (agent_a): post its turn');
    expect(
      await json('ask', id, '--targets', 'agent_a,agent_b', '--text', 'Why?', '--blocking', '--priority', 'HIGH'),
    ).toMatchObject({
      intervention: { intervention_id: 'i_1', blocking: true, targets: ['agent_a', 'agent_b'], priority: 'HIGH' },
    });
    expect(await json('extend-rounds', id, '--rounds', '3')).toMatchObject({ round_limit: 13 });
    const { messages } = await json('transcript', id, '--after', '5');
    expect(messages.map(({ kind }: { kind: string }) => kind)).toEqual(['intervention.opened', 'rounds.extended']);
    expect((await run('transcript', id)).out).toContain(
      'asks Agent A (agent_a) and Agent B (agent_b) (i_1, HIGH, blocking)',
    );
    const card = (await run('view', id)).out;
    expect(card).toMatch(
      /^ACTIVE, PLANNING, round 1 of 13\nnext, since \d+ s:\n {2}Agent A \(agent_a\): answer i_1\n {2}Agent B \(agent_b\): answer i_1\n/m,
    );
    expect(card).toMatch(/^Agent A \(agent_a\) {2}pinv_\w{5} {5}not redeemed yet, until /m);
    expect((await run('sessions')).out).toMatch(
      new RegExp(`^${id.slice(0, 4)}\\w* +PLANNING {2}agent_a: answer i_1`, 'm'),
    );
  });

  test('print the code and the hint of a refusal, and its body with --json', async () => {
    const { run, create } = await runCommands();
    const id = await create();
    const refused = await run('pause', id, '--reason', 'x');
    expect(refused).toMatchObject({ code: EXIT.REFUSED, out: '' });
    expect(refused.err).toMatch(
      /^parley: INVALID_TRANSITION: pause works in sessions that are ACTIVE; this session is DRAFT\.\nRun `parley view SESSION`, which shows the status and the phase\. .*\.$/,
    );
    const raw = await run('pause', id, '--reason', 'x', '--json');
    expect(raw.code).toBe(EXIT.REFUSED);
    expect(JSON.parse(raw.out)).toMatchObject({ ok: false, error: 'INVALID_TRANSITION', status: 'DRAFT' });
    expect((await run('view', 'nosuchsession')).code).toBe(EXIT.REFUSED);
    expect((await run('view', '../../healthz')).code).toBe(EXIT.REFUSED);
  });

  test.each([
    [['pause', 'S'], 'Give a reason with --reason <text>.'],
    [['pauze', 'S'], "unknown command 'pauze'"],
    [['start'], "missing required argument 'session_id'"],
    [['start', 'S', '--reson', 'x'], "unknown option '--reson'"],
    [['extend-rounds', 'S', '--rounds', 'many'], 'Expected a number.'],
    [['ask', 'S', '--targets', 'agent_c', '--text', 'x'], '"agent_c" is not one of agent_a, agent_b.'],
    [['end', 'S', '--end-reason', 'BORED'], 'Allowed choices are COMPLETED, CANCELLED.'],
    [['delete', 'S'], 'add --yes to confirm'],
    [['verify-log', 'no-such-file'], 'neither a readable file nor a session id'],
  ])('%j is wrong usage', async (args, message) => {
    const terminal = fakeTerminal({ PARLEY_OWNER_KEY: KEY });
    expect(await runCli(args, terminal)).toBe(EXIT.USAGE);
    expect(terminal.errors()).toContain(message);
  });
});

describe('the log', () => {
  test('is exported and verified on this machine; a broken log is reported', async () => {
    const { run, create } = await runCommands();
    const id = await create();
    await run('start', id);
    const file = join(await newFolder(), 'log.jsonl');
    expect((await run('export-log', id, '--out', file)).code).toBe(EXIT.OK);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await run('export-log', id, '--out', file)).code).toBe(EXIT.REFUSED);
    const text = await readFile(file, 'utf8');
    expect((await run('export-log', id)).out).toBe(text.trimEnd());
    const checked = await run('verify-log', file);
    expect(checked.out).toMatch(/^ok {2}2 events are valid; head 2:[0-9a-f]{64}$/);
    expect((await run('verify-log', id)).out).toBe(checked.out);

    const head = /head (\S+)/.exec(checked.out)?.[1] ?? '';
    await writeFile(file, `${text.split('\n')[0]}\n`);
    expect((await run('verify-log', file)).code).toBe(EXIT.OK);
    expect(await run('verify-log', file, '--head', head)).toMatchObject({
      code: EXIT.MISMATCH,
      out: expect.stringContaining('TAIL_MISSING'),
    });
    await writeFile(file, text.replace('Refunds', 'Refunde'));
    expect(await run('verify-log', file)).toMatchObject({
      code: EXIT.MISMATCH,
      out: expect.stringContaining('broken  event 1, HASH_MISMATCH'),
    });
    await writeFile(file, text.replace('\n', '\nnonsense\n'));
    const raw = await run('verify-log', file, '--json');
    expect(JSON.parse(raw.out)).toMatchObject({ ok: false, events: 1, fault: { seq: 2 } });
  });

  test('is erased with its session', async () => {
    const { run, create } = await runCommands();
    const id = await create();
    expect((await run('delete', id, '--yes')).out).toBe(`Session ${id} is erased.`);
    expect((await run('export-log', id)).code).toBe(EXIT.REFUSED);
    expect((await run('sessions')).out).toBe('No sessions yet. Open one with: parley create');
  });
});

describe('parley watch', () => {
  test('prints stored events and new events until the session ends', async () => {
    const { run, create } = await runCommands();
    const id = await create();
    const watching = run('watch', id);
    await run('start', id);
    await run('direct', id, '--targets', 'agent_b', '--text', 'Sandbox only.');
    await run('end', id, '--end-reason', 'CANCELLED', '--note', 'Enough.');
    const { code, out } = await watching;
    expect(code).toBe(EXIT.OK);
    expect(out.match(/^● .*?(?= {2,}\d|$)/gm)).toEqual([
      '● owner  #1 opens "Refunds": Money back.; required req-1 Once only.',
      '● owner  #2 starts the session',
      '● owner  #3 directs Agent B (agent_b) (i_1, blocking): Sandbox only.',
      '● owner  #5 ends the session: CANCELLED: Enough.',
    ]);
    expect(
      (await run('watch', id, '--after', '2', '--json')).out.split('\n').map((line) => JSON.parse(line).kind),
    ).toEqual(['intervention.opened', 'action.opened', 'session.ended']);
  });
});

describe('the way to the server', () => {
  test('is PARLEY_URL; an unreachable server has its own exit code', async () => {
    const terminal = fakeTerminal({ PARLEY_URL: 'http://127.0.0.1:1', PARLEY_OWNER_KEY: KEY });
    expect(await runCli(['sessions'], terminal)).toBe(EXIT.UNREACHABLE);
    expect(terminal.errors()).toMatch(/^parley: No server answers at http:\/\/127.0.0.1:1 \(/);
    expect(await runCli(['sessions'], fakeTerminal({ PARLEY_URL: 'ftp://x', PARLEY_OWNER_KEY: KEY }))).toBe(EXIT.USAGE);
  });

  test('uses the key of the environment or of the data folder', async () => {
    const { url } = await runApp();
    const folder = await newFolder();
    const withKey = (environment: Record<string, string>) =>
      runCli(['sessions'], fakeTerminal({ PARLEY_URL: url, PARLEY_DATA: folder, ...environment }));
    expect(await withKey({})).toBe(EXIT.NO_KEY);
    expect(await withKey({ PARLEY_OWNER_KEY: OTHER_KEY })).toBe(EXIT.NO_KEY);
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: OTHER_KEY });
    expect(await runCli(['sessions'], terminal)).toBe(EXIT.NO_KEY);
    expect(terminal.errors().split('\n')).toEqual([
      'parley: UNAUTHORIZED: The owner key is wrong.',
      'Set PARLEY_OWNER_KEY, or set PARLEY_DATA to the data folder of the server (default .parley).',
    ]);
    await writeFile(join(folder, 'owner-key'), `${KEY}\n`);
    expect(await withKey({})).toBe(EXIT.OK);
  });
});

describe('help', () => {
  test('after a wrong command line names the help of the command', async () => {
    const errorsOf = async (...args: string[]) => {
      const terminal = fakeTerminal();
      expect(await runCli(args, terminal)).toBe(EXIT.USAGE);
      return terminal.errors();
    };
    expect(await errorsOf('show', 'zzzz')).toContain('(parley show --help describes the command)');
    expect(await errorsOf('no-such-command')).toContain('(parley --help lists the commands)');
  });

  test('contains examples and the exit codes, and exits with 0', async () => {
    const terminal = fakeTerminal();
    expect(await runCli(['--help'], terminal)).toBe(EXIT.OK);
    expect(terminal.output()).toContain('4 owner key missing or wrong');
    expect(await runCli(['invite', '--help'], terminal)).toBe(EXIT.OK);
    expect(terminal.output()).toContain('Example:\n  parley invite SESSION --role agent_a');
    expect(await runCli(['--version'], terminal)).toBe(EXIT.OK);
    expect(await runCli([], fakeTerminal())).toBe(EXIT.USAGE);
  });
});
