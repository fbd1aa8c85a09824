import type { JsonSchema } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { ask } from '../../../../test/support/exchange.ts';
import { createStandingClock, seat } from '../../../http-host/test/seated.ts';
import { toolsOf } from '../role-tools.ts';
import { MCP, start } from '../started.ts';
import { ARGUMENTS } from './arguments.ts';
import { FORMS } from './forms.ts';

interface End {
  readonly name: string;
  readonly isError: boolean;
  readonly error?: string;
  readonly issues?: unknown;
}

/** Calls tools over MCP, one after another, in a session at a standing time. Returns how each call ends. */
async function endsOf(role: 'agent_a' | 'moderator', calls: readonly (readonly [string, unknown])[]): Promise<End[]> {
  const { parley, token } = await seat({ clock: createStandingClock(), limits: { perToken: 1_000 } });
  const { url } = await start(parley);
  const headers = { Authorization: `Bearer ${await token(role)}` };
  const ends: End[] = [];
  for (const [name, given] of calls) {
    const params = { name, arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { isError, structuredContent } = (await ask(url, MCP, { headers, body })).json.result;
    ends.push({ name, isError, error: structuredContent.error, issues: structuredContent.issues });
  }
  return ends;
}

const argumentsOf = (name: string): Readonly<Record<string, unknown>> => ARGUMENTS[name] ?? {};
const hasMembers = ({ properties = {} }: JsonSchema): boolean => Object.keys(properties).length > 0;

const TOOLS = { agent_a: await toolsOf('agent_a'), moderator: await toolsOf('moderator') };

describe.each(['agent_a', 'moderator'] as const)('every tool of %s', (role) => {
  const tools = TOOLS[role];
  let plain: Promise<readonly End[]> | undefined;
  const plainEnds = () =>
    (plain ??= endsOf(
      role,
      tools.map(({ name }) => [name, argumentsOf(name)]),
    ));

  test('is called with arguments of the right form', async () => {
    expect((await plainEnds()).filter(({ error }) => error === 'INVALID_INPUT')).toEqual([]);
  });

  test.each(FORMS)('takes its arguments in the form of $client ($report)', async ({ sends }) => {
    const calls = tools.map(({ name, inputSchema }) => [name, sends(argumentsOf(name), inputSchema)] as const);
    expect(await endsOf(role, calls)).toEqual(await plainEnds());
  });

  test('refuses a member of another name, if it has members', async () => {
    const named = tools.filter(({ inputSchema }) => hasMembers(inputSchema)).map(({ name }) => name);
    const ends = await endsOf(
      role,
      named.map((name) => [name, { ...argumentsOf(name), sumary: 'x' }]),
    );
    const refused = ends.filter(({ issues }) => JSON.stringify(issues ?? []).includes('"sumary"'));
    expect(refused.map(({ name }) => name)).toEqual(named);
  });
});
