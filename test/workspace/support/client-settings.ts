/** The server address in a client's settings, and the headers that the client sends. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Matches a reference to a variable or an input in a client's settings, such as `${env:NAME}`. */
const VARIABLE = /\$\{(?:env:|input:)?([\w-]+)\}/g;

/** Reads `mcpServers.parley` or `servers.parley` and replaces variables by values. */
export function endpointOfJson(text: string, values: Readonly<Record<string, string>>): Endpoint {
  const { mcpServers, servers = mcpServers } = JSON.parse(text);
  const { url, headers } = servers.parley;
  return { url, headers: { Authorization: expand(headers.Authorization, values) } };
}

/** Reads `[mcp_servers.parley]`, which names the variable that contains the bearer token. */
export function endpointOfToml(text: string, values: Readonly<Record<string, string>>): Endpoint {
  const { url = '', bearer_token_env_var: name } = tomlTable(text, 'mcp_servers.parley');
  return { url, headers: { Authorization: expand(`Bearer \${${name}}`, values) } };
}

/** Reads the arguments of `claude mcp add` or `codex mcp add`, one per line. */
export function endpointOfArguments(lines: string, values: Readonly<Record<string, string>>): Endpoint {
  const args = lines.trim().split('\n');
  const after = (flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
  const name = after('--bearer-token-env-var');
  const header = after('--header') ?? `Authorization: Bearer \${${name}}`;
  return {
    url: args.find((arg) => arg.startsWith('http://')) ?? '',
    headers: { Authorization: expand(header.replace('Authorization: ', ''), values) },
  };
}

function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_form, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nobody says what ${name} is.`);
    return value;
  });
}

/** Parses one TOML table with plain keys, the only TOML in the documents. */
export function tomlTable(text: string, table: string): Record<string, string> {
  const [head, ...lines] = text.trim().split('\n');
  if (head !== `[${table}]`) throw new Error(`Expected the table ${table}, found ${head}.`);
  return Object.fromEntries(
    lines.map((line) => {
      const [, key, string, number] = /^(\w+) = (?:"([^"\\]*)"|(\d+))$/.exec(line) ?? [];
      const value = string ?? number;
      if (key === undefined || value === undefined) throw new Error(`Not a line of plain TOML: ${line}`);
      return [key, value];
    }),
  );
}

/** Calls `read_task` at an endpoint. Returns the answer, or the HTTP status if the call fails. */
export async function readTaskAt({ url, headers }: Endpoint): Promise<unknown> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_task' } };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) });
  return response.ok ? JSON.parse(await response.text()).result.structuredContent : response.status;
}
