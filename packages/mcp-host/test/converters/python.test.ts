import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ToolListing } from '../../src/tool-listing.ts';
import { toolsOf } from '../role-tools.ts';
import { ROLES, typesByTool } from './listed-tools.ts';

const PROGRAM = fileURLToPath(new URL('convert.py', import.meta.url));
const CONVERTERS = ['openai-agents, strict', 'google-genai', 'langchain-google-genai', 'anthropic'];
const python = process.env.MCP_PYTHON_CONVERTERS;

describe.skipIf(python === undefined)('with the SDKs for Python', () => {
  let listed: Record<string, readonly ToolListing[]>;
  /** The output of the converters, by role, converter and tool. */
  let converted: unknown;

  beforeAll(async () => {
    listed = Object.fromEntries(await Promise.all(ROLES.map(async ([role]) => [role, await toolsOf(role)] as const)));
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
