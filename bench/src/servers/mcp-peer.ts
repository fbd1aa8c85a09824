import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { answerEach } from './answer-each.ts';

/** A server without state, as in the SDK's own example: each request gets a new server and a new transport. */
answerEach(async (request, response) => {
  const mcp = new McpServer({ name: 'echo', version: '1.0.0' });
  mcp.registerTool('echo', { description: 'Says it again.', inputSchema: { said: z.string() } }, ({ said }) => ({
    content: [{ type: 'text', text: said }],
  }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => Promise.all([transport.close(), mcp.close()]));
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
});
