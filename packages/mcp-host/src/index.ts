export type { AnsweredRequest, Host } from '@parley/http-host';
export { createMcpHost, type McpHostOptions } from './mcp-host.ts';
