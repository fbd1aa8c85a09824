import { operations, registry } from './areas/registry.ts';
import type { SessionState } from './areas/state.ts';
import type { AgentClient } from './client/calls.ts';
import type { Engine } from './kernel/engine/engine.ts';
import { admitToken, readToken } from './kernel/entry/authentication.ts';
import { runTool } from './kernel/entry/calls.ts';
import { fail } from './kernel/errors.ts';
import type { Operation } from './kernel/operation/operation.ts';
import type { Agent } from './kernel/roles.ts';
import { plainJson } from './kernel/text/json-reading.ts';
import { quotedName } from './kernel/text/safe-echo.ts';

/**
 * Calls the tools of one token in process, with the checks of a host except for the rate limits. The name of a tool
 * determines the types of its input and its answer.
 */
export function createAgent(engine: Engine<SessionState>, token: string): AgentClient {
  return {
    async call(name, ...[input, sender]) {
      const text = readToken({ authorization: [`Bearer ${token}`], address: '' });
      const known =
        text ??
        fail(
          'UNAUTHORIZED',
          'This text is not a session token. A token begins with prt_ and comes from redeem_invitation.',
        );
      const facts = engine.readToken(known);
      const authenticated = await admitToken(engine, facts);
      const operation = toolFor(authenticated.caller.role, name);
      const given = plainJson(input ?? {});
      const { value } = await runTool(engine, authenticated, { operation, readInput: () => given, sender });
      return value as never;
    },
  };
}

/**
 * Finds a tool by its name.
 *
 * @throws ParleyError NOT_FOUND for an unknown name; MODERATOR_FORBIDDEN or BUILDER_FORBIDDEN for a tool of another role
 */
export function toolFor(role: Agent, name: string): Operation<SessionState> {
  return registry.tool(role, name) ?? refuseTool(role, name);
}

function refuseTool(role: Agent, name: string): never {
  const isTool = operations.some((operation) => operation.name === name);
  return isTool ? forbidden(role) : fail('NOT_FOUND', `There is no tool ${quotedName(name)}.`);
}

function forbidden(role: Agent): never {
  return fail(
    role === 'moderator' ? 'MODERATOR_FORBIDDEN' : 'BUILDER_FORBIDDEN',
    `This tool is not available to a ${role} token.`,
  );
}
