import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { showAnswer } from '../../src/cli/print/answer-view.ts';
import { formatInbox } from '../../src/cli/print/format-waiting.ts';
import { runCli } from '../../src/cli/program.ts';
import { createPaint } from '../../src/text/page.ts';
import { answerOf } from '../answer-of.ts';
import { commandsAt } from '../commands.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, runApp, SESSION } from '../running-app.ts';

const { name, version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));

async function runCommands() {
  const { url, parley, requests } = await runApp();
  const run = commandsAt(url);
  return { run, owner: parley.owner('owner'), parley, requests, url };
}

describe('parley waiting', () => {
  test('lists the waiting tasks of each session, with their commands', async () => {
    const { run, owner } = await runCommands();
    expect(await run('waiting', '--exit-code')).toEqual({ code: EXIT.OK, out: 'Nothing waits for you.', err: '' });
    const { session_id: paused } = await owner.createSession(SESSION);
    await owner.start(paused);
    await owner.pause(paused, { reason: 'Lunch.' });
    const { code, out } = await run('waiting');
    expect(code).toBe(EXIT.OK);
    expect(out.split('\n')).toEqual([
      'No task waits for you in a running session.',
      '',
      'session  status  phase     tasks  title',
      `${paused.slice(0, 4)}     PAUSED  PLANNING  1      Refunds`,
      'To start a draft: parley start SESSION. To resume a paused session: parley resume SESSION.',
    ]);
    const raw = await run('waiting', '--json', '--exit-code');
    expect(raw.code).toBe(EXIT.OK);
    expect(JSON.parse(raw.out)).toMatchObject({
      waiting: 0,
      blocking: 0,
      absent: 0,
      parked: 1,
      sessions: [{ session_id: paused, waits: [{ kind: 'RESUME', operation: 'resume' }] }],
    });
  });

  test('reads the full words of agents with the same number of requests for three sessions as for one', async () => {
    const { run, owner, parley, requests } = await runCommands();
    const said = `${'x'.repeat(300)}.`;
    const open = async () => {
      const { session_id } = await owner.createSession(SESSION);
      const { code } = await owner.invite(session_id, { role: 'agent_a' });
      await owner.start(session_id);
      const questions = [{ text: said, to: 'owner' as const, blocking: true }];
      await parley.agent((await parley.redeem({ code })).token).call('post_turn', { summary: 'S', questions });
    };
    await open();
    const shown = (await run('waiting')).out;
    expect(shown).toContain(`│ ${said.slice(0, 70)}`);
    expect(shown.split('\n').slice(0, 3)).toEqual([
      '1 task in 1 session: 1 stops its session (marked !), 0 do not (marked -).',
      '',
      'Refunds',
    ]);
    const before = requests.length;
    await run('waiting', '--json');
    const forOne = requests.length - before;
    await open();
    await open();
    const { out } = await run('waiting', '--json');
    expect(requests.length).toBe(before + 2 * forOne);
    for (const { waits } of JSON.parse(out).sessions)
      expect(waits).toContainEqual(expect.objectContaining({ kind: 'QUESTION', said }));
    expect((await run('waiting', '--exit-code')).code).toBe(EXIT.DUE);
    expect(JSON.parse((await run('sessions', '--waiting', '--json')).out).sessions).toHaveLength(3);
  });

  test('--wait ends when a task waits, with one line for each, and goes on after a lost connection', async () => {
    const { owner, parley, url } = await runCommands();
    const { session_id } = await owner.createSession(SESSION);
    const { code } = await owner.invite(session_id, { role: 'agent_a' });
    await owner.start(session_id);
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }));
    onTestFinished(() => void vi.restoreAllMocks());
    const waiting = runCli(['waiting', session_id, '--wait', '--exit-code'], terminal);
    await expect.poll(() => terminal.errors()).toContain('parley: connection lost, trying again (');
    const questions = ['How long?', 'How often?'].map((text) => ({ text, to: 'owner' as const, blocking: true }));
    await parley.agent((await parley.redeem({ code })).token).call('post_turn', { summary: 'S', questions });
    expect(await waiting).toBe(EXIT.DUE);
    expect(terminal.output().replaceAll(/\d+ s/g, '0 s').split('\n')).toEqual([
      `!  ${session_id.slice(0, 4)}  Refunds  Answer q_2  0 s`,
      `!  ${session_id.slice(0, 4)}  Refunds  Answer q_1  0 s`,
    ]);
    expect(terminal.errors().split('\n')).toHaveLength(1);
  });

  test('--wait of a session that has ended ends at once', async () => {
    const { run, owner } = await runCommands();
    const { session_id } = await owner.createSession(SESSION);
    await owner.start(session_id);
    await owner.end(session_id, { end_reason: 'CANCELLED' });
    expect(await run('waiting', session_id, '--wait', '--exit-code')).toEqual({
      code: EXIT.OK,
      out: 'Nothing waits for you.',
      err: '',
    });
  });

  test('shows sessions that nobody has joined on one line, and does not count them', async () => {
    const { run, owner } = await runCommands();
    const { session_id: id } = await owner.createSession(SESSION);
    await owner.start(id);
    const { code, out } = await run('waiting', '--exit-code');
    expect(code).toBe(EXIT.OK);
    expect(out.split('\n')).toEqual([
      '1 session stops until an invited agent joins.',
      '',
      'session  phase     absent agents      title',
      `${id.slice(0, 4)}     PLANNING  both never joined  Refunds`,
      'These sessions stop until an invited agent joins. To give an agent a new code:',
      `  parley invite ${id.slice(0, 4)} --role agent_a`,
      `  parley invite ${id.slice(0, 4)} --role agent_b`,
    ]);
    expect(JSON.parse((await run('waiting', '--json')).out)).toMatchObject({ waiting: 0, blocking: 0, absent: 2 });
    await owner.invite(id, { role: 'agent_b' });
    const invited = (await run('waiting')).out;
    expect(invited).toMatch(/\(agent_b\): never\s+joined, invited: hand over the\s+code \(valid for 6 d/);
    expect(invited.match(/parley invite .*/g)).toEqual([`parley invite ${id.slice(0, 4)} --role agent_a`]);
    expect((await run('view', id)).out).toMatch(/\(agent_b\): never\s+joined,\s+invited: hand over\s+the\s+code/);
    expect((await run('sessions', '--waiting')).out).toBe('No session matches.');
  });

  test('says in its first line that pause --all has paused sessions, and how to undo it', async () => {
    const { run, owner, parley } = await runCommands();
    const open = async () => {
      const { session_id } = await owner.createSession(SESSION);
      const { code } = await owner.invite(session_id, { role: 'agent_a' });
      await owner.start(session_id);
      const questions = [{ text: 'How long?', to: 'owner' as const, blocking: true }];
      await parley.agent((await parley.redeem({ code })).token).call('post_turn', { summary: 'S', questions });
    };
    await open();
    await open();
    const { session_id: draft } = await owner.createSession(SESSION);
    await run('pause', '--all');
    expect((await run('waiting')).out.replace(/\d+ s ago/, '0 s ago').split('\n')).toEqual([
      '2 sessions are paused by "pause --all", 0 s ago. In these sessions, 2 tasks wait',
      'for you. To resume them:',
      '    parley resume --all',
      '',
      'session  status  phase     tasks  title',
      `${draft.slice(0, 4)}     DRAFT   PLANNING  1      Refunds`,
      'To start a draft: parley start SESSION. To resume a paused session: parley resume SESSION.',
    ]);
    await open();
    expect((await run('waiting')).out.split('\n').slice(3, 6)).toEqual([
      '1 task in 1 session: 1 stops its session (marked !), 0 do not (marked -).',
      '',
      'Refunds',
    ]);
  });

  test('of a draft or a paused session prints its tasks, with the commands that invite the agents before start', async () => {
    const { run, owner } = await runCommands();
    const { session_id: id } = await owner.createSession(SESSION);
    await owner.invite(id, { role: 'agent_b' });
    const short = id.slice(0, 4);
    const task = [
      '= START, 0 s ago: Agent A (agent_a) and Agent B (agent_b) have not joined:',
      '  invite Agent A (agent_a), send Agent B (agent_b) its invitation code, then',
      '  start the session.',
      `    parley invite ${short} --role agent_a`,
      `    parley start ${short}`,
      '  If a code is lost, make a new one, which ends the lost code:',
      `    parley invite ${short} --role agent_b`,
    ];
    const linesOf = async (...args: string[]) => (await run(...args)).out.replace(/\d+ s ago/, '0 s ago').split('\n');
    expect(await linesOf('waiting', short)).toEqual(['Refunds', `${short}, DRAFT, PLANNING`, ...task]);
    expect(await linesOf('view', short)).toEqual(expect.arrayContaining(task));
    await owner.start(id);
    await run('pause', '--all');
    expect((await linesOf('waiting', short)).slice(0, 7)).toEqual([
      '1 session is paused by "pause --all", 0 s ago. To resume them:',
      '    parley resume --all',
      '',
      'Refunds',
      `${short}, PAUSED, PLANNING`,
      expect.stringMatching(/^= RESUME, /),
      expect.any(String),
    ]);
  });

  test('refuses the id of a session that does not exist', async () => {
    const { run } = await runCommands();
    const { code, err } = await run('waiting', 'zzzzzzzzzzzzzzzzzzzzzz');
    expect(code).toBe(EXIT.REFUSED);
    expect(err).toContain('parley: UNKNOWN_RECORD: You have no session with this id.');
  });

  test('reads every page', async () => {
    const { run, owner } = await runCommands();
    for (let count = 0; count < 101; count += 1) await owner.createSession(SESSION);
    expect(JSON.parse((await run('waiting', '--json')).out)).toMatchObject({
      waiting: 0,
      parked: 101,
      sessions: { length: 101 },
    });
  });
});

describe('the inbox', () => {
  const nowMs = Date.parse('2026-01-01T12:00:00.000Z');
  const wait = (kind: string, operation: string, payload: object, more: object = {}) => ({
    ...{ kind, operation, payload, text: 'Answer it.', blocking: true, since: '2026-01-01T11:48:00.000Z' },
    ...more,
  });
  const session = {
    session_id: 'S',
    title: 'Refunds',
    status: 'ACTIVE',
    phase: 'CONTRACT',
    updated_at: '2026-01-01T11:00:00.000Z',
    events: 7,
    agents: [{ role: 'agent_a', display_name: 'Shop agent' }],
  };
  const sessionsOf = (...sessions: readonly object[]) => answerOf('inbox', { sessions }).sessions;

  test('shows the question, who asked, since when, and a command for each choice', () => {
    const said = 'How long is a key kept?\nI would say a day.\u001b[2J';
    const waits = [
      wait(
        'QUESTION',
        'answerQuestion',
        { question_id: 'q_4' },
        { from: 'agent_a', said, record: { type: 'question', id: 'q_4' } },
      ),
      wait(
        'RECOMMENDATION',
        'respondRecommendation',
        { recommendation_id: 'rec_1' },
        { from: 'moderator', blocking: false },
      ),
      wait('APPROVAL', 'approveContract', { revision_id: 'r_3', content_hash: 'abc' }),
    ];
    const draft = { ...session, session_id: 'P', status: 'DRAFT', phase: 'PLANNING' };
    const parked = sessionsOf({ ...draft, waits: [wait('START', 'start', {})] });
    expect(
      formatInbox({ open: sessionsOf({ ...session, waits }), absent: [], parked }, { terminal: fakeTerminal(), nowMs }),
    ).toEqual([
      'Refunds',
      'S, ACTIVE, CONTRACT',
      '! QUESTION, from Shop agent (agent_a), 12 min ago: Answer it.',
      '  │ How long is a key kept?',
      '  │ I would say a day.\\u{1b}[2J',
      '    parley show S q_4',
      '    parley answer-question S q_4 --text "..."',
      '! APPROVAL, 12 min ago: Answer it.',
      '    parley brief S',
      '    parley approve-contract S --revision-id r_3 --content-hash abc --seen 7',
      '    parley request-changes S --reason "..." --seen 7',
      '- RECOMMENDATION, from moderator, 12 min ago: Answer it.',
      '    parley respond-recommendation S rec_1 --decision ACCEPT',
      '    parley respond-recommendation S rec_1 --decision REJECT',
      '',
      'session  status  phase     tasks  title',
      'P        DRAFT   PLANNING  1      Refunds',
      'To start a draft: parley start SESSION. To resume a paused session: parley resume SESSION.',
    ]);
  });

  test('shows what both sides of a dispute say, and the commands that end it', () => {
    const waits = [
      wait(
        'DISPUTE',
        'reassignDefect',
        { defect_id: 'def_2', role: 'agent_a' },
        {
          ...{ record: { type: 'defect', id: 'def_2' }, from: 'agent_b', blocking: false },
          said: 'The shop sends it twice.\n\nagent_a rejects: It is sent once.',
        },
      ),
      wait(
        'DISPUTE',
        'overrideFinding',
        { finding_id: 'f_1' },
        { record: { type: 'finding', id: 'f_1' }, from: 'agent_b', blocking: false, said: 'No error is named.' },
      ),
    ];
    expect(
      formatInbox(
        { open: sessionsOf({ ...session, waits }), absent: [], parked: [] },
        { terminal: fakeTerminal(), nowMs },
      ),
    ).toEqual([
      'Refunds',
      'S, ACTIVE, CONTRACT',
      '- DISPUTE, from agent_b, 12 min ago: Answer it.',
      '  │ The shop sends it twice.',
      '  │',
      '  │ agent_a rejects: It is sent once.',
      '    parley show S def_2',
      '    parley reassign-defect S def_2 --role agent_a --reason "..." --seen 7',
      '    parley waive-defect S def_2 --reason "..." --seen 7',
      '- DISPUTE, from agent_b, 12 min ago: Answer it.',
      '  │ No error is named.',
      '    parley show S f_1',
      '    parley override-finding S f_1 --reason "..." --seen 7',
    ]);
  });
});

describe('an answer for a person', () => {
  const shown = (operation: string, answer: Record<string, unknown>, hasColours = false) => {
    const terminal = { ...fakeTerminal(), paint: createPaint(hasColours) };
    return showAnswer(operation, answer, { terminal, url: 'http://127.0.0.1:4100', sessionId: 'S' });
  };

  test("with blockers shows who must act, and the owner's commands", () => {
    const blocker = {
      code: 'QUESTION_UNANSWERED',
      record: { type: 'question', id: 'q_1' },
      responsible: 'owner',
      message: 'Question q_1 is open.',
      resolution: {
        text: 'Answer it.',
        tool: 'answerQuestion',
        payload: { question_id: 'q_1', text: '<your answer>' },
      },
    };
    const missing = {
      ...blocker,
      code: 'REVIEW_MISSING',
      record: { type: 'revision', id: 'r_1' },
      responsible: 'agent_b',
    };
    const latest_revision = { revision_id: 'r_1', content_hash: 'abc', title: 'T', status: 'IN_REVIEW' };
    expect(
      shown('blockers', answerOf('blockers', { certified: false, latest_revision, blockers: [blocker, missing] })),
    ).toEqual([
      'r_1 IN_REVIEW  T',
      '',
      'code                 record  who      what',
      'QUESTION_UNANSWERED  q_1     you      Question q_1 is open.',
      'REVIEW_MISSING       r_1     agent_b  Question q_1 is open.',
      '',
      'You can:',
      '',
      '  parley answer-question S q_1 --text "..."',
    ]);
    expect(
      shown(
        'blockers',
        answerOf('blockers', { certified: true, latest_revision: { ...latest_revision, status: 'CERTIFIED' } }),
      ),
    ).toEqual([
      '✔ nothing blocks r_1: T',
      '',
      "  parley approve-contract S --revision-id r_1 --content-hash abc --seen 0 --seen-hash ''",
    ]);
  });

  test('with blockers of an approved contract shows what the session waits for', () => {
    const latest_revision = { revision_id: 'r_1', content_hash: 'abc', title: 'T', status: 'APPROVED' };
    const view = answerOf('view', {
      agents: [{ role: 'agent_b', display_name: 'Bank agent' }],
      movers: ['agent_b'],
      duties: [{ role: 'agent_b', text: 'answer the readiness questions' }],
      state: { status: 'ACTIVE' },
    });
    const place = { terminal: fakeTerminal(), url: 'http://127.0.0.1:4100', sessionId: 'S', view };
    expect(showAnswer('blockers', answerOf('blockers', { certified: true, latest_revision }), place)).toEqual([
      '✔ r_1 is approved: T',
      'Next: Bank agent (agent_b): answer the readiness questions',
    ]);
  });

  test('with blockers names each agent by its display name with the role beside it', () => {
    const blocker = {
      code: 'REVIEW_MISSING',
      record: { type: 'review', id: 'r_1/agent_b' },
      responsible: 'agent_b',
      message: 'agent_b, the Technical Reviewer, has not given a verdict on r_1.',
      resolution: { text: 'Read it.' },
    };
    const view = answerOf('view', { agents: [{ role: 'agent_b', display_name: 'Bank agent' }] });
    const place = { terminal: fakeTerminal({}, 200), url: 'http://127.0.0.1:4100', sessionId: 'S', view };
    expect(showAnswer('blockers', answerOf('blockers', { certified: false, blockers: [blocker] }), place)[3]).toBe(
      'REVIEW_MISSING  r_1/agent_b  Bank agent (agent_b)  Bank agent (agent_b), the Technical Reviewer, has not given a verdict on r_1.',
    );
  });

  test('that is a plan is the contract as Markdown, also if nothing blocks it', () => {
    const facts = { revision_id: 'r_2', content_hash: 'abc', certified: true };
    const texts = { contract: { title: 'T' }, markdown: '# T\n\nRefunds are final.\u001b[2J' };
    const lines = shown('plan', answerOf('plan', { ...facts, ...texts }));
    expect(lines.slice(-4)).toEqual([
      '',
      'Refunds are final.\\u{1b}[2J',
      '',
      'To mark r_2 as read: parley mark-read S --revision-id r_2 --sections all',
    ]);
    expect(lines.map((line) => line.replace(/ {2,}/, '  '))).toEqual(
      expect.arrayContaining(['revision_id  r_2', 'content_hash  abc', 'certified  true']),
    );
    expect(shown('plan', answerOf('plan'))).toEqual([
      'There is no revision yet. The Contract Author submits the first one.',
    ]);
  });

  test('that is an invitation has a link, a line for each client, and a text to paste', () => {
    const lines = shown('invite', answerOf('invite', { code: 'pinv_x', role: 'agent_a' }));
    expect(lines).toContain('  http://127.0.0.1:4100/join#code=pinv_x&role=agent_a');
    expect(lines).toContain(
      '    claude mcp add parley -- node /opt/parley/bin/parley.js mcp --url http://127.0.0.1:4100',
    );
    expect(lines.filter((line) => / (add|--add-mcp) /.test(line))).toHaveLength(5);
    expect(lines).toContain(
      '  Join first, once. With the tool join of an MCP server named parley: call it with {"code":"pinv_x","url":"http://127.0.0.1:4100"},',
    );
  });

  test('that is an invitation to a service on another machine names the installed command', () => {
    const answer = answerOf('invite', { code: 'pinv_x', role: 'agent_a' });
    const place = { terminal: fakeTerminal(), url: 'https://parley.example.com', sessionId: 'S' };
    const lines = showAnswer('invite', answer, place);
    expect(lines).toContain(`  npm install --global ${name}@${version}`);
    expect(lines).toContain('    codex mcp add parley -- parley mcp --url https://parley.example.com');
  });

  test('without its own format is an outline', () => {
    expect(shown('pause', { status: 'PAUSED', markdown: '# T', certified: true })).toEqual([
      'status     PAUSED',
      'markdown   # T',
      'certified  true',
    ]);
  });

  test('that is a diff is coloured as a patch, and shows no control characters', () => {
    const text = '--- r_1\n+++ r_2\n@@ -1 +1 @@\n-old\n+new\u001b[2J\n same\n';
    const diff = { revision_id: 'r_2', title: 'T', content_hash: 'h2', parent_content_hash: 'h1', reason: 'Why.' };
    const ops = [{ op: 'replace', path: '/tasks/0/title', value: 'new' }];
    expect(shown('diff', answerOf('diff', { ...diff, ops, text })).slice(5)).toEqual([
      'change   at',
      'replace  /tasks/0/title',
      '',
      '--- r_1',
      '+++ r_2',
      '@@ -1 +1 @@',
      '-old',
      '+new\\u{1b}[2J',
      ' same',
    ]);
    expect(shown('diff', answerOf('diff', { ...diff, ops, text }), true).slice(8)).toEqual([
      '\u001b[1m--- r_1\u001b[22m',
      '\u001b[1m+++ r_2\u001b[22m',
      '\u001b[36m@@ -1 +1 @@\u001b[39m',
      '\u001b[31m-old\u001b[39m',
      '\u001b[32m+new\\u{1b}[2J\u001b[39m',
      ' same',
    ]);
    expect(shown('diff', answerOf('diff', { ...diff, ops: [], text: '' })).slice(5)).toEqual([
      'No value changed.',
      '',
      'The text is the same.',
    ]);
  });

  test('that is an artifact contains its metadata and its text', () => {
    const artifact = {
      filename: 'a.md',
      sha256: 'c'.repeat(64),
      bytes: 3,
      media_type: 'text/markdown',
      content: '# A\n',
    };
    expect(shown('artifact', artifact).slice(-3)).toEqual(['media_type  text/markdown', '', '# A']);
  });
});

describe('what is wrong is said whole', () => {
  test('every fault of a file is on a separate line', async () => {
    const { run } = await runCommands();
    const file = join(await newFolder(), 'session.json');
    await writeFile(file, '{"title":"x","colour":1}');
    const { code, err } = await run('create', '--file', file);
    expect(code).toBe(EXIT.REFUSED);
    expect(err.split('\n').slice(0, 3)).toEqual([
      'parley: INVALID_INPUT: objective: Is required.',
      '  requirements: Is required.',
      expect.stringMatching(/^ {2}colour: Unknown member; known are: .*\btitle, /),
    ]);
  });

  test('a create without anything names the template', async () => {
    const { run } = await runCommands();
    const { code, err } = await run('create');
    expect(code).toBe(EXIT.USAGE);
    expect(err).toContain('parley create --template > session.json');
  });

  test('an empty log is not reported as valid', async () => {
    const { run } = await runCommands();
    const file = join(await newFolder(), 'empty.jsonl');
    await writeFile(file, '');
    expect(await run('verify-log', file)).toEqual({
      code: EXIT.MISMATCH,
      out: '',
      err: `parley: ${file} has no events: nothing was verified`,
    });
    expect(JSON.parse((await run('verify-log', file, '--json')).out)).toMatchObject({ ok: false, events: 0 });
  });
});
