import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answerEach } from './answer-each.ts';

/** A server without state, as in the example of the Node adapter: each request gets a new server and a new transport. */
answerEach(async (request, response) => {
  const mcp = new McpServer({ name: 'echo', version: '1.0.0' });
  const echo = { description: 'Says it again.', inputSchema: z.object({ said: z.string() }) };
  mcp.registerTool('echo', echo, ({ said }) => ({ content: [{ type: 'text', text: said }] }));
  const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => Promise.all([transport.close(), mcp.close()]));
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
});
