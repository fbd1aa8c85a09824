import { describeInterface, ERROR_KINDS, type InterfaceReference, MAX_BODY_CHARS } from '@parley/core';
import { type Components, OWNER_PARAMETERS, referredIn, SESSION_PARAMETER, schemaPath } from './parts.ts';
import { agentPaths, MCP_PATHS, MCP_RESPONSES, MCP_SCHEMAS, ownerPaths, type Paths, SIGN_IN_SCHEMAS } from './paths.ts';

/** Facts about the service for an OpenAPI document. */
export interface ServiceFacts {
  readonly version: string;
}

/** An OpenAPI 3.1 document. */
export type OpenApi = Readonly<Record<string, unknown>>;

let described: InterfaceReference | undefined;
/** The interface, described at its first use: that takes a tenth of a second. */
const interfaceReference = (): InterfaceReference => {
  described ??= describeInterface(schemaPath);
  return described;
};

/** The calls of agents that have a route of their own. */
const routed = (): InterfaceReference['agents'] =>
  interfaceReference().agents.filter(({ routes }) => routes.length > 0);

/** The names that `tool` takes. */
export const toolNames = (): string[] => routed().map(({ name }) => name);

/**
 * The OpenAPI document of the routes for session tokens, over REST and MCP.
 *
 * @param tool the only operation to describe, over REST; undefined describes all
 * @returns undefined if no operation `tool` has a route
 */
export function openApiDocument(facts: ServiceFacts): OpenApi;
export function openApiDocument(facts: ServiceFacts, tool: string | undefined): OpenApi | undefined;
export function openApiDocument(facts: ServiceFacts, tool?: string): OpenApi | undefined {
  const agents = routed().filter(({ name }) => tool === undefined || name === tool);
  if (agents.length === 0) return undefined;
  const { components } = interfaceReference();
  const { paths, responses } = agentPaths({ ...interfaceReference(), agents });
  const mcp = tool === undefined ? { paths: MCP_PATHS, responses: MCP_RESPONSES } : { paths: {}, responses: {} };
  return documentOf(facts, {
    title: 'Parley',
    description: DESCRIPTION,
    tags: [
      { name: 'anyone', description: 'No token.' },
      { name: 'builder', description: 'Agent A and Agent B, with a session token.' },
      { name: 'moderator', description: 'The moderator, with a session token.' },
      { name: 'mcp', description: 'The operations as MCP tools.' },
    ],
    security: [{ agentToken: [] }],
    paths: { ...paths, ...mcp.paths },
    responses: { ...responses, ...mcp.responses },
    schemas: { ...components, ...MCP_SCHEMAS },
    parameters: SESSION_PARAMETER,
    securitySchemes: {
      agentToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'A session token (prt_…), which an agent gets by redeeming an invitation code.',
      },
    },
  });
}

/** The OpenAPI document of the routes for the owner key. These routes accept no token of an agent. */
export function ownerApiDocument(facts: ServiceFacts): OpenApi {
  const described = interfaceReference();
  return documentOf(facts, {
    title: 'Parley, for the owner',
    description: DESCRIPTION,
    security: [{ ownerKey: [] }, { ownerCookie: [], ownerPageKey: [] }],
    ...ownerPaths(described),
    schemas: { ...described.components, ...SIGN_IN_SCHEMAS },
    parameters: OWNER_PARAMETERS,
    securitySchemes: {
      ownerKey: { type: 'http', scheme: 'bearer', description: 'The owner key, pok_….' },
      ownerCookie: {
        type: 'apiKey',
        in: 'cookie',
        name: 'parley_owner',
        description: 'Set by /owner/api/sign-in. It gives access only together with ownerPageKey.',
      },
      ownerPageKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Parley-Page-Key',
        description: 'The page_key from the answer of /owner/api/sign-in that set the cookie.',
      },
    },
  });
}

/** The parts in which the agents' document and the owner's document differ. */
interface Content extends Paths {
  readonly title: string;
  readonly description: string;
  readonly tags?: readonly object[];
  readonly security: readonly object[];
  /** All schemas. The document gets only the schemas to which its paths and responses refer. */
  readonly schemas: Components;
  readonly parameters: object;
  readonly securitySchemes: object;
}

function documentOf({ version }: ServiceFacts, content: Content): OpenApi {
  const { title, description, tags, security, paths, responses, schemas, parameters, securitySchemes } = content;
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      summary: 'Two coding agents plan, verify and release together, with the owner in charge.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that gave this document.' }],
    ...(tags && { tags }),
    security,
    paths,
    components: {
      schemas: referredIn({ paths, responses }, { ...schemas, Error: ERROR }),
      responses,
      parameters,
      securitySchemes,
    },
  };
}

const DESCRIPTION = [
  `A body is a JSON object of at most ${MAX_BODY_CHARS} characters. An empty body counts as {}.`,
  'A refusal is an Error. The response of a status lists the codes of many routes; each route lists its further codes.',
  'Answers may have more members in a later version.',
  'A request for a host name that is not its own gets 421 HOST_NOT_SERVED.',
].join(' ');

const ERROR = {
  type: 'object',
  description: 'An error. Some codes add further members.',
  properties: {
    ok: { const: false },
    error: { type: 'string', enum: Object.keys(ERROR_KINDS) },
    message: { type: 'string' },
    hint: { type: 'string', description: 'What to do next.' },
    issues: {
      type: 'array',
      description: 'The invalid fields of the input.',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' }, rule: { type: 'string' } },
        required: ['path'],
      },
    },
    next_agent: { type: ['string', 'null'], description: 'Only with NOT_YOUR_TURN: who posts the next turn.' },
    turn_index: { type: 'integer', description: 'Only with NOT_YOUR_TURN.' },
    retry_after_seconds: {
      type: 'integer',
      description: 'Seconds to wait before the next try, as in the header Retry-After.',
    },
    required_scope: { type: 'string' },
    required_permission: { type: 'string' },
    required_role: { type: 'string' },
  },
  required: ['ok', 'error', 'message', 'hint'],
} as const;
