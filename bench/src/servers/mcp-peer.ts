import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { answerEach } from './answer-each.ts';

/**
 * Creates a new `McpServer` and a new transport for each request, as the example for stateless servers in the MCP SDK
 * does.
 */
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
