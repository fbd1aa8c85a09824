import { Agent } from 'node:http';
import { openApiDocument, ownerApiDocument } from '@parley/owner-app';
import { exchange, type Heard } from '../../support/exchange.ts';
import { bearer, callTool, MCP, rpc } from '../../support/requests.ts';
import { type Definitions, inputsFor, type Known, type Parameter, resolved, type Schema } from './inputs.ts';
import { type Json, parsedLines } from './json-text.ts';
import type { Stage } from './stage.ts';

/** A way to call one operation. */
export interface Route {
  /** Such as `GET decisions`, or the name of a tool. */
  readonly name: string;
  readonly isRead: boolean;
  readonly parameters: readonly Parameter[];
  readonly definitions: Definitions;
  send(stage: Stage, token: string, input: Readonly<Record<string, Json>>): Promise<Json>;
}

const pool = new Agent({ keepAlive: true });

/** Calls that open or close a sign-in, whose answers are secrets; and those of MCP, which has calls of its own here. */
const NOT_CALLED = /^(?:GET|POST) .*(?:sign-in|sign-out|\/mcp)/;

/** Every route of an OpenAPI document. */
function routesOf(document: object, prefix: string): readonly Route[] {
  const { paths, components } = JSON.parse(JSON.stringify(document));
  const routes: Route[] = [];
  for (const [path, methods] of Object.entries<Record<string, Described>>(paths))
    for (const [method, described] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.replace(prefix, '')}`;
      if (method === 'parameters' || NOT_CALLED.test(`${method.toUpperCase()} ${path}`)) continue;
      routes.push(routeOf({ name, method: method.toUpperCase(), path, described, definitions: components.schemas }));
    }
  return routes;
}

interface Described {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly schema?: never;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: never } } };
}

interface RouteParts {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly described: Described;
  readonly definitions: Definitions;
}

function routeOf({ name, method, path, described, definitions }: RouteParts): Route {
  const inQuery = (described.parameters ?? []).filter((one) => one.in === 'query');
  const schema = described.requestBody?.content['application/json'].schema;
  const parameters = schema
    ? membersOf(schema, definitions)
    : inQuery.map(
        (one): Parameter => ({ name: one.name ?? '', schema: one.schema ?? {}, isRequired: one.required === true }),
      );
  return {
    ...{ name, parameters, definitions, isRead: method === 'GET' },
    async send(stage, token, input) {
      const filled = path.replace(/\{(\w+)\}/g, (_, part) => (part === 'session_id' ? stage.sessionId : 'xxxxxxxxxx'));
      const query = new URLSearchParams(
        Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const heard = await exchange(
        stage.url,
        {
          ...{
            method,
            path: method === 'GET' && query.size > 0 ? `${filled}?${query}` : filled,
            headers: bearer(token),
          },
          ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
        },
        { agent: pool },
      );
      return answerOf(heard, stage);
    },
  };
}

function membersOf(schema: Schema, definitions: Definitions): readonly Parameter[] {
  const whole: Record<string, unknown> = { ...resolved(schema, definitions) };
  const required = new Set((whole.required as string[] | undefined) ?? []);
  return Object.entries((whole.properties ?? {}) as Record<string, never>).map(([name, member]) => ({
    ...{ name, schema: member, isRequired: required.has(name) },
  }));
}

/** The body of an answer, with its status if that is not 200. */
function answerOf({ status, text, json, headers }: Heard, { url }: Stage): Json {
  const type = String(headers['content-type']).split(';')[0];
  const body = json === undefined ? parsedLines(text) : json;
  const isExact = json === undefined || JSON.stringify(json) === text;
  const plain = JSON.parse(JSON.stringify(body).replaceAll(url, 'http://parley'));
  if (status === 200 && type === 'application/json' && isExact) return plain;
  return {
    status,
    ...(type === 'application/json' ? {} : { type: type ?? '' }),
    ...(isExact ? {} : { written: text }),
    body: plain,
  };
}

export const agentRoutes = (): readonly Route[] =>
  routesOf(openApiDocument({ version: '1.0.0' }), '/api/public/agent/').map((route) => ({
    ...route,
    name: route.name.replace('sessions/{session_id}/', ''),
  }));

export const ownerRoutes = (): readonly Route[] => routesOf(ownerApiDocument({ version: '1.0.0' }), '/owner/api/');

interface Tool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean };
  readonly inputSchema: Schema & { readonly $defs?: Definitions };
}

/** The tools of a role, as MCP lists them. */
export async function toolsFor(stage: Stage, token: string): Promise<readonly Route[]> {
  const listed = await sendMcp(stage, token, rpc('tools/list'));
  const tools: readonly Tool[] = listed.json.result?.tools ?? [];
  return tools.map(({ name, annotations, inputSchema }) => ({
    name,
    isRead: annotations?.readOnlyHint === true,
    parameters: membersOf(inputSchema, {}),
    definitions: inputSchema.$defs ?? {},
    send: async (to, as, input) => resultOf(await sendMcp(to, as, callTool(name, input)), to),
  }));
}

export const sendMcp = ({ url }: Stage, token: string, body: string): Promise<Heard> =>
  exchange(url, { method: 'POST', path: MCP, headers: bearer(token), body }, { agent: pool });

/** The structured content of a tool's result; the whole answer if its text says something else. */
function resultOf(heard: Heard, stage: Stage): Json {
  const { structuredContent, content, isError, ...rest } = heard.json?.result ?? {};
  const text = content?.[0]?.text;
  const isSame = content?.length === 1 && text === JSON.stringify(structuredContent) && Object.keys(rest).length === 0;
  if (heard.status !== 200 || !isSame) return answerOf(heard, stage);
  const plain = JSON.parse(JSON.stringify(structuredContent).replaceAll(stage.url, 'http://parley'));
  return isError ? { isError, body: plain } : plain;
}

/** Calls reads with every input that says something. Returns each answer by its call. */
export async function readAll(
  stage: Stage,
  token: string,
  routes: readonly Route[],
  known: Known,
): Promise<Record<string, Json>> {
  const answers: Record<string, Json> = {};
  for (const route of routes.filter(({ isRead }) => isRead))
    for (const input of inputsFor(route.parameters, known, route.definitions))
      answers[titleOf(route, input)] = await route.send(stage, token, input);
  return answers;
}

/** Calls each write once, each in the session as it was. */
export async function writeAll(
  stage: Stage,
  token: string,
  routes: readonly Route[],
  known: Known,
): Promise<Record<string, Json>> {
  const answers: Record<string, Json> = {};
  for (const route of routes.filter(({ isRead }) => !isRead)) {
    const [input = {}] = inputsFor(route.parameters, known, route.definitions);
    answers[route.name] = await route.send(stage, token, input);
    await stage.restore();
  }
  return answers;
}

const titleOf = ({ name }: Route, input: Readonly<Record<string, Json>>): string =>
  [name, ...Object.entries(input).map(([key, value]) => `${key}=${String(value)}`)].join(' ');
