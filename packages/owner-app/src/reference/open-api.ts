import { describeNewSession, describeOperations, ERROR_KINDS, type JsonSchema } from '@parley/core';
import { agentPaths } from './agent-paths.ts';
import { ownerPaths } from './owner-paths.ts';
import { errorResponse, jsonBody, type PathItem } from './parts.ts';

/** What the document says of the service it describes. */
export interface ServiceFacts {
  readonly version: string;
}

/** The agents' REST interface and the owner's API as one OpenAPI 3.1 document, made from the registry. */
export function openApiDocument({ version }: ServiceFacts): Readonly<Record<string, unknown>> {
  const { agents, owner } = describeOperations();
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version,
      summary: 'Two coding agents plan, verify and release together, with the owner in charge.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that gave this document.' }],
    tags: [
      { name: 'anyone', description: 'No token.' },
      { name: 'builder', description: 'Agent A and Agent B, with a session token.' },
      { name: 'moderator', description: 'The moderator, with a session token.' },
      { name: 'mcp', description: 'The same operations as tools.' },
      { name: 'owner', description: 'The owner, with the owner key.' },
    ],
    paths: { ...agentPaths(agents), ...MCP_PATHS, ...ownerPaths(owner, describeNewSession()) },
    components: {
      schemas: { Error: ERROR },
      securitySchemes: {
        agentToken: { type: 'http', scheme: 'bearer', description: 'A session token, prt_…, from redeeming a code.' },
        ownerKey: { type: 'http', scheme: 'bearer', description: 'The owner key, pok_….' },
        ownerCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'parley_owner',
          description: 'Set by /owner/api/sign-in. It opens nothing without ownerPageKey.',
        },
        ownerPageKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Parley-Page-Key',
          description: 'The page_key that /owner/api/sign-in answered together with the cookie.',
        },
      },
    },
  };
}

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Some codes add members of their own, such as next_agent, required_scope or retry_after_seconds.',
  properties: {
    ok: { const: false },
    error: { type: 'string', enum: Object.keys(ERROR_KINDS) },
    message: { type: 'string' },
    hint: { type: 'string', description: 'What to do next.' },
  },
  required: ['ok', 'error', 'message', 'hint'],
};

const MCP_OPERATION = {
  tags: ['mcp'],
  summary: 'JSON-RPC 2.0: initialize, ping, tools/list and tools/call, single or in a batch.',
  requestBody: jsonBody({ anyOf: [{ type: 'object' }, { type: 'array' }] }),
  responses: {
    200: { description: 'The answer, or the answers of a batch.', content: { 'application/json': { schema: {} } } },
    202: { description: 'Notifications alone: nothing to answer.' },
    401: errorResponse('The token is missing, malformed, unknown, revoked or expired.'),
    403: errorResponse('The moderator is stopped, or the owner has no moderators.'),
  },
};

const MCP_PATHS: Readonly<Record<string, PathItem>> = {
  '/api/public/mcp': {
    post: { ...MCP_OPERATION, operationId: 'mcp', security: [{ agentToken: [] }] },
  },
  '/api/public/mcp/{token}': {
    parameters: [{ name: 'token', in: 'path', required: true, schema: { type: 'string' } }],
    post: { ...MCP_OPERATION, operationId: 'mcp_by_path_token', security: [] },
  },
};
