import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answerEach } from './answer-each.ts';

/**
 * Creates a new `McpServer` and a new transport for each request, as the example for stateless servers in the Node
 * adapter of the MCP SDK does.
 */
answerEach(async (request, response) => {
  const mcp = new McpServer({ name: 'echo', version: '1.0.0' });
  const echo = { description: 'Says it again.', inputSchema: z.object({ said: z.string() }) };
  mcp.registerTool('echo', echo, ({ said }) => ({ content: [{ type: 'text', text: said }] }));
  const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => Promise.all([transport.close(), mcp.close()]));
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
});
