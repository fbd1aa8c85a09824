import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { placeholdersIn, sessionTemplate } from '../../src/text/templates/session-templates.ts';
import { commandsAt } from '../commands.ts';
import { newFolder } from '../new-folder.ts';
import { runApp } from '../running-app.ts';

const NAMES = ['api-change', 'event', 'db-migration', 'frontend-backend', 'library-upgrade'];

/** Starts a server, and returns functions that run command lines against it. */
async function runCommands() {
  const { url } = await runApp();
  const run = commandsAt(url);
  return { run, json: async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).out) };
}

test('a template takes what the flags say', async () => {
  const { json } = await runCommands();
  const { session } = await json('create', '--template', 'api-change', '--profile', 'full', '--title', 'Refunds');
  expect(session).toMatchObject({
    profile: 'full',
    title: 'Refunds',
    round_limit: 6,
  });
  expect(await json('create', '--template', '--title', 'Refunds')).toMatchObject({ title: 'Refunds', round_limit: 10 });
});

describe.each(NAMES)('the template %s', (name) => {
  test('is refused until its words are replaced, and is then a session with an agenda', async () => {
    const { run, json } = await runCommands();
    const file = join(await newFolder(), 'session.json');
    await writeFile(file, (await run('create', '--template', name)).out);
    const text = await readFile(file, 'utf8');
    const { template, session, ...rest } = JSON.parse(text);
    expect([template, rest]).toEqual([name, { for: expect.stringMatching(/^A|^The/) }]);

    const refused = await run('create', '--file', file);
    expect(refused.code).toBe(EXIT.USAGE);
    const [, first] = refused.err.split('\n');
    expect(first).toBe(`  title: ${placeholdersIn(session.title)[0]?.words}`);
    const last = { ...JSON.parse(text.replaceAll(/<[^>]+>/g, 'orders')).session, environment: session.environment };
    await writeFile(file, JSON.stringify(last));
    expect((await run('create', '--file', file)).err.split('\n').slice(1)).toEqual([
      `  environment: ${session.environment}`,
    ]);
    expect(await json('sessions')).toMatchObject({ sessions: [] });

    await writeFile(file, text.replaceAll(/<[^>]+>/g, 'orders'));
    const { session_id } = await json('create', '--file', file);
    const view = await json('view', session_id);
    const { requirements, agenda } = view;
    const size = [requirements, agenda.topics, agenda.scenarios].map(({ length }) => length);
    expect([view.profile ?? 'full', ...size]).toEqual(name === 'db-migration' ? ['full', 5, 7, 5] : ['light', 3, 4, 3]);
    expect(view.agenda_open.scenarios).toEqual(view.agenda.scenarios.map(({ id }: { id: string }) => id));
  });

  test('has no words in angle brackets that a session could keep', async () => {
    const session = (await sessionTemplate(name))?.session;
    const words = placeholdersIn(session).map((one) => one.words);
    const marked = JSON.stringify(session).match(/<[^>]+>/g) ?? [];
    expect(marked.filter((one) => !words.join(', ').includes(one))).toEqual([]);
  });

  test('tests each requirement in a scenario, by both agents, and names the evidence of each', async () => {
    const session = (await sessionTemplate(name))?.session;
    const scenarios = session?.agenda?.scenarios ?? [];
    const tested = scenarios.flatMap(({ requirements }) => requirements);
    expect([...new Set(tested)].toSorted()).toEqual(
      session?.requirements.map(({ requirement_id }) => requirement_id).toSorted(),
    );
    expect([...new Set(scenarios.map(({ executor }) => executor))].toSorted()).toEqual(['agent_a', 'agent_b']);
    for (const { evidence_policy: policy } of scenarios)
      expect(Object.keys(policy?.per_agent_kinds ?? {})).toEqual(['agent_a', 'agent_b']);
  });
});

test('without a name, the option prints the example that it always printed', async () => {
  const { run } = await runCommands();
  expect(JSON.parse((await run('create', '--template')).out)).toMatchObject({
    title: 'Refunds',
    fixture_version: 'fixtures-1',
  });
  expect(await run('create', '--template', 'rewrite')).toMatchObject({ code: EXIT.USAGE });
});

test.each([
  ['Pay <the amount>', '<the amount>'],
  ['<a b> and <the new, larger one>', '<a b>, <the new, larger one>'],
  ['GET /orders/<order_id> of a Map<string, number>', ''],
  ['a < b and c > d, `<button disabled>` in <main>', ''],
])('words in angle brackets of %j are placeholders: %j', (text, words) => {
  expect(placeholdersIn({ list: [{ text }] })).toEqual(words === '' ? [] : [{ path: 'list[0].text', words }]);
});
