/** Removes the REST routes that stand beside the names of tools in a hint, because hints over MCP have none. */
export const withoutRoutes = (text: string): string => text.replace(/(?<=\w+_\w+) \((?:GET|POST) [a-z/-]+\)/g, '');
