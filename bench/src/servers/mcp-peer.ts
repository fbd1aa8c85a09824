import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { tellParent, urlOf } from './tell-parent.ts';

/** As the SDK's own example of a stateless server does it: a server and a transport for each request. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const mcp = new McpServer({ name: 'echo', version: '1.0.0' });
  mcp.registerTool('echo', { description: 'Says it again.', inputSchema: { said: z.string() } }, ({ said }) => ({
    content: [{ type: 'text', text: said }],
  }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => Promise.all([transport.close(), mcp.close()]));
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
});
server.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
