import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { tellParent, urlOf } from './tell-parent.ts';

/** As the page of the Node adapter does it for a stateless server: a server and a transport for each request. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const mcp = new McpServer({ name: 'echo', version: '1.0.0' });
  const echo = { description: 'Says it again.', inputSchema: z.object({ said: z.string() }) };
  mcp.registerTool('echo', echo, ({ said }) => ({ content: [{ type: 'text', text: said }] }));
  const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => Promise.all([transport.close(), mcp.close()]));
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
});
server.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
