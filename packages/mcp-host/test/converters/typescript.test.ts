import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { GoogleGenAI, mcpToTool } from '@google/genai';
import { getAllMcpTools, MCPServerStreamableHttp } from '@openai/agents-core';
import { generateText, jsonSchema, tool } from 'ai';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listTools, ROLES, typesByTool } from './listed-tools.ts';

const schemasOf = (tools: readonly { name: string; inputSchema: unknown }[]) =>
  tools.map(({ name, inputSchema }) => [name, inputSchema] as const);

/** Returns the functions that the body of a request to a model declares. */
const declaredIn = (body: unknown): [string, unknown][] =>
  Object(body)
    .tools.flatMap((entry: object) => Object(entry).functionDeclarations ?? [])
    .map((declared: object) => [Object(declared).name, Object(declared).parameters]);

const NO_ANSWER = JSON.stringify({
  candidates: [{ content: { role: 'model', parts: [{ text: '.' }] }, finishReason: 'STOP' }],
});

/** Starts a server that replaces a model's API and stores the body of the last request. */
async function openModel() {
  const heard: { body: unknown } = { body: undefined };
  const server = createServer(async (request, response) => {
    heard.body = await json(request);
    response.setHeader('content-type', 'application/json').end(NO_ANSWER);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { heard, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

describe.each(ROLES)('the tools of %s keep the types of all members', (role, count) => {
  test('in the strict functions of OpenAI', async () => {
    const { tools, address, headers } = await listTools(role, count);
    const server = new MCPServerStreamableHttp({ url: String(address), requestInit: { headers } });
    await server.connect();
    onTestFinished(() => server.close());
    const converted = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
    const functions = converted.flatMap((entry) => (entry.type === 'function' ? [entry] : []));
    expect(functions.map(({ strict }) => strict)).toEqual(Array.from({ length: count }, () => true));
    const strict = functions.map(({ name, parameters }) => [name, toStrictJsonSchema(Object(parameters))] as const);
    expect(typesByTool(strict)).toEqual(typesByTool(schemasOf(tools)));
  });

  test("in Anthropic's tools and in its schemas for structured output", async () => {
    const { client, tools } = await listTools(role, count);
    const given = mcpTools(tools, Object(client)).map((entry) => {
      const { name, input_schema } = Object(entry);
      return [name, input_schema] as const;
    });
    const transformed = tools.map(({ name, inputSchema }) => [name, transformJSONSchema(Object(inputSchema))] as const);
    expect(typesByTool(given)).toEqual(typesByTool(schemasOf(tools)));
    expect(typesByTool(transformed)).toEqual(typesByTool(schemasOf(tools)));
  });

  test('in the functions of Google Gen AI, as JSON Schema and as its own schema', async () => {
    const { client, tools } = await listTools(role, count);
    const { functionDeclarations = [] } = await mcpToTool(client).tool();
    const given = functionDeclarations.map(
      ({ name = '', parametersJsonSchema }) => [name, parametersJsonSchema] as const,
    );
    expect(typesByTool(given)).toEqual(typesByTool(schemasOf(tools)));

    const { heard, url } = await openModel();
    const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
    const declarations = tools.map(({ name, inputSchema }) => ({ name, parameters: Object(inputSchema) }));
    const config = { tools: [{ functionDeclarations: declarations }] };
    await google.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Go on.', config });
    expect(typesByTool(declaredIn(heard.body))).toEqual(typesByTool(schemasOf(tools)));
  });

  test('in the functions that the AI SDK sends to Google', async () => {
    const { tools } = await listTools(role, count);
    const { heard, url } = await openModel();
    const declared = tools.map(({ name, inputSchema }) => [
      name,
      tool({ description: name, inputSchema: jsonSchema(Object(inputSchema)) }),
    ]);
    const google = createGoogleGenerativeAI({ apiKey: 'none', baseURL: url });
    await generateText({
      model: google('gemini-2.5-flash'),
      prompt: 'Go on.',
      tools: Object.fromEntries(declared),
    });
    expect(typesByTool(declaredIn(heard.body))).toEqual(typesByTool(schemasOf(tools)));
  });
});
