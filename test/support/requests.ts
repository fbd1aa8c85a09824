export const REST = '/api/public/agent';
export const MCP = '/api/public/mcp';

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export const restPath = (sessionId: string, route: string): string => `${REST}/sessions/${sessionId}/${route}`;

export const rpc = (method: string, params?: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const callTool = (name: string, input: unknown = {}, id: unknown = 1): string =>
  rpc('tools/call', { name, arguments: input }, id);
