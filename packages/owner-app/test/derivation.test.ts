import { createMemoryStorage, createParley, type OwnerListing, ownerListings } from '@parley/core';
import { serve } from '@parley/http-host';
import Koa from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { describeCommand } from '../src/cli/flags/reference.ts';
import { createProgram } from '../src/cli/program.ts';
import { createOwnerRouter } from '../src/server/api/router.ts';
import { AS_OWNER, ask, createSession } from './ask.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { runApp } from './running-app.ts';

describe('every owner operation', () => {
  test('has its route, and no other method', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    for (const { name, effect } of ownerListings) {
      const path = `/owner/api/sessions/${id}/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const right = await ask(url, path, { method: effect === 'read' ? 'GET' : 'POST', headers: AS_OWNER });
      expect([200, 409, 422], name).toContain(right.status);
      const wrong = await ask(url, path, { method: effect === 'read' ? 'POST' : 'GET', headers: AS_OWNER });
      expect([name, wrong.status]).toEqual([name, 405]);
    }
  });

  /** For each operation: flags of its command that do not come from its input. */
  const FURTHER: Readonly<Record<string, readonly string[]>> = {
    invite: ['codeOnly', 'promptOnly'],
    approveContract: ['yes'],
    authorize: ['yes'],
    plan: ['section', 'summary', 'md', 'unread'],
    revision: ['section', 'summary', 'md'],
    pause: ['all'],
    resume: ['all', 'pauseId'],
    report: ['out'],
    certificate: ['out'],
  };

  /** For each operation: the flags of a member that has another one, or one for each of its values. */
  const SWITCHES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    report: { format: ['md', 'html'] },
    linkChange: { token: ['token_stdin'] },
  };

  test.each(ownerListings)(
    '$name has its command, with a flag for each member of its input',
    async ({ name, summary, effect, input }) => {
      const program = await createProgram(fakeTerminal(), ownerListings);
      const command = program.commands.find((candidate) => candidate.name().replaceAll('-', '') === name.toLowerCase());
      const members = Object.keys(z.toJSONSchema(input, { io: 'input' }).properties ?? {});
      const further = ['json', ...(effect === 'read' ? ['pager'] : []), ...(FURTHER[name] ?? [])];
      const flags = command?.options.map((option) => option.attributeName()).filter((flag) => !further.includes(flag));
      expect(command?.description()).toBe(summary);
      expect([...new Set(flags)].toSorted()).toEqual(
        members
          .flatMap((member) => SWITCHES[name]?.[member] ?? [member])
          .map((member) => member.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase()))
          .toSorted(),
      );
      expect(command?.helpInformation()).toMatch(/[<[]session_id[>\]]/);
    },
  );
});

describe('an operation that is new', () => {
  const juggle: OwnerListing = {
    name: 'juggleBalls',
    summary: 'Juggle.',
    effect: 'write',
    roleNeeded: 'operator',
    input: z.strictObject({
      ball_count: z.int(),
      colours: z.array(z.enum(['red', 'blue'])).optional(),
      notes: z.array(z.string()).optional(),
      high: z.boolean().optional(),
      stage: z.strictObject({ name: z.string() }).optional(),
    }),
  };

  test('gets its route by being listed', async () => {
    const parley = await createParley({ storage: createMemoryStorage() });
    const calls: unknown[] = [];
    const owner = { ...parley.owner('a'), call: async (...call: unknown[]) => ({ calls: calls.push(call) }) };
    const source = { ...parley, ownerOperations: [juggle], owner: () => owner };
    const app = new Koa().use(createOwnerRouter({ parley: source, authenticate: () => 'a' }));
    const serving = await serve(app.callback(), { host: '127.0.0.1', port: 0 });
    onTestFinished(() => serving.close());
    await ask(serving.url, '/owner/api/sessions/S/juggle-balls', { body: { ball_count: 3 } });
    expect(calls).toEqual([['juggleBalls', 'S', { ball_count: 3 }]]);
  });

  test('gets its command by being listed', async () => {
    const terminal = fakeTerminal();
    const program = await createProgram(terminal, [juggle]);
    const command = program.commands.find((candidate) => candidate.name() === 'juggle-balls');
    expect(command?.helpInformation()).toContain('--ball-count <number>');
    expect(command?.helpInformation()).toContain('(any of red,blue; or none)');
    await expect(program.parseAsync(['juggle-balls', 'S'], { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
    expect(terminal.errors()).toContain("required option '--ball-count <number>' not specified");
  });

  test('accepts only certain words if its schema has an enumeration, independently of its description', async () => {
    const misleading: OwnerListing = {
      ...juggle,
      input: z.strictObject({
        note: z.string().describe('Any text (any of these,those) <on|off>'),
        mood: z.enum(['calm', 'cross']).describe('How it is done.'),
        colours: z.array(z.enum(['red', 'blue'])).describe('Of the balls (any of green,white).'),
      }),
    };
    const command = (await createProgram(fakeTerminal(), [misleading])).commands.find(
      (candidate) => candidate.name() === 'juggle-balls',
    );
    expect(command && describeCommand(command)).toMatchObject({
      flags: [
        { flag: '--json', taken: undefined },
        { flag: '--note', taken: undefined, purpose: 'Any text (any of these,those) <on|off>' },
        { flag: '--mood', taken: { words: ['calm', 'cross'] } },
        {
          flag: '--colours',
          taken: { words: ['red', 'blue'], isList: true },
          purpose: 'Of the balls (any of green,white).',
        },
      ],
      more: 'Example:\n  parley juggle-balls SESSION --note "..." --mood calm --colours red,blue',
    });
  });

  test('converts flags to the members of its schema', async () => {
    const { flagsOf, inputOf } = await import('../src/cli/flags/flags.ts');
    const { Command } = await import('commander');
    const flags = flagsOf(juggle.input);
    const command = new Command();
    for (const option of flags.flatMap(({ options }) => options)) command.addOption(option);
    command.parse(
      [
        '--ball-count',
        '3',
        '--colours',
        'red, blue',
        '--notes',
        'a, b',
        '--notes',
        'c',
        '--no-high',
        '--stage',
        '{"name":"x"}',
      ],
      {
        from: 'user',
      },
    );
    expect(inputOf(flags, command.opts())).toEqual({
      ball_count: 3,
      colours: ['red', 'blue'],
      notes: ['a, b', 'c'],
      high: false,
      stage: { name: 'x' },
    });
  });
});
