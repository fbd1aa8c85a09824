import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createMemoryStorage, createParley, type ToolListing } from '@parley/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLES, typesByTool } from './listed-tools.ts';

const PROGRAM = fileURLToPath(new URL('convert.py', import.meta.url));
const CONVERTERS = ['openai-agents, strict', 'google-genai', 'langchain-google-genai', 'anthropic'];
const SESSION = {
  title: 'Pages',
  objective: 'By cursor.',
  requirements: [{ requirement_id: 'req-1', text: 'No gaps.' }],
};
const python = process.env.MCP_PYTHON_CONVERTERS;

describe.skipIf(python === undefined)('with the SDKs for Python', () => {
  let listed: Record<string, readonly ToolListing[]>;
  /** By role, converter and tool what became of its schema. */
  let converted: unknown;

  beforeAll(async () => {
    listed = await readLists();
    converted = JSON.parse(
      execFileSync(python ?? '', [PROGRAM], { input: JSON.stringify(listed), encoding: 'utf8', stdio: 'pipe' }),
    );
  });

  describe.each(ROLES)('the tools of %s keep the types of all members', (role, count) => {
    test.each(CONVERTERS)('in %s', (converter) => {
      const schemas = Object.entries(Object(converted)[role][converter]);
      expect(schemas.length).toBe(count);
      const given = (listed[role] ?? []).map(({ name, inputSchema }) => [name, inputSchema] as const);
      expect(typesByTool(schemas)).toEqual(typesByTool(given));
    });
  });
});

async function readLists(): Promise<Record<string, readonly ToolListing[]>> {
  const parley = await createParley({ storage: createMemoryStorage() });
  const owner = parley.owner('team');
  const { session_id } = await owner.createSession(SESSION);
  const lists = ROLES.map(async ([role]) => {
    const { code } = await owner.invite(session_id, { role });
    const { token } = await parley.redeem({ code });
    const admission = await parley.admit({ authorization: [`Bearer ${token}`], address: '127.0.0.1' });
    return [role, admission.listTools()] as const;
  });
  const listed = Object.fromEntries(await Promise.all(lists));
  await parley.close();
  return listed;
}
