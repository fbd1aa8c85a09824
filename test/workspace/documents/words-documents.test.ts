import { readFileSync } from 'node:fs';
import * as core from '@parley/core';
import * as ownerApp from '@parley/owner-app';
import { describe, expect, test } from 'vitest';

const GUIDES = [
  'README.md',
  'packages/core/README.md',
  'docs/concepts.md',
  'docs/owner-guide.md',
  'docs/agent-guide.md',
  'docs/embedding.md',
  'docs/deploy.md',
  'docs/deploy/scale-out.md',
  'docs/deploy/citus.md',
  'docs/deploy/kubernetes.md',
  'docs/connect.md',
  'docs/verification.md',
];
const read = (file: string): string => readFileSync(file, 'utf8');
const written = (file: string): string =>
  read(file).replace(/<!-- generated: [\s\S]*?<!-- end of what is generated -->/, '');

const known = new Set([
  ...(read('docs/operations.md').match(/\w+/g) ?? []),
  ...(JSON.stringify(core.describeOperations()).match(/\w+/g) ?? []),
  ...(read('docs/validation-rules.md').match(/\w+/g) ?? []),
  ...(read('packages/owner-app/openapi-owner.json').match(/\w+/g) ?? []),
  ...Object.keys({ ...core, ...ownerApp }),
  ...ownerApp.SETTINGS.map(({ variable }) => variable),
]);
/** Words in backticks that belong to other programs or to the command line, not to Parley. */
const OTHERS =
  /^(?:[a-z]+_\d+|evidence_policy|proxy_\w+|fail_timeout|max_fails|pg_\w+|parley_(?:app|owner|session|event|document|snapshot|presence|rate|meta|migration(?:_lock)?)|owner_id|citus_\w+|shard_replication_factor|max_shared_pool_size|node_connection_timeout|local_hostname|shared_preload_libraries|wal_level|undistribute_table|CITUS_URL|max_connections|synchronous_commit|METH_GET|NODE_EXTRA_CA_CERTS|\w+_timeout_sec|bearer_token_env_var|default_tools_approval_mode|background_terminal_max_timeout|write_stdin|yield_time_ms|followup_message|loop_limit|mcp_servers|MCP_\w+|MAX_MCP_OUTPUT_TOKENS|POSTGRES_PASSWORD|PARLEY_(?:TLS|URL|TOKEN|FORGE_TOKEN|SESSION|MODERATOR_TOKEN|ADDRESS|SCENARIOS?)|OTHER_DATABASE_URL|SESSION_URL|client_session_timeout_seconds|HTTPS?_\w+|NO_PROXY|NODE_ENV|search_path|default_transaction_read_only|(?:statement|lock|idle_session|idle_in_transaction_session)_timeout|array_nulls|exit_on_error|standard_conforming_strings|connect_query|workflow_dispatch)$/;

describe.each(GUIDES)('%s', (guide) => {
  const text = written(guide);

  test('names only tools, members, codes and settings that there are', () => {
    const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inside = '']) => inside);
    const words = code.flatMap(
      (inside) => inside.match(/\b(?:[a-z]+\d?(?:_[a-z0-9]+)+|[A-Z]+(?:_[A-Z0-9]+)+)\b/g) ?? [],
    );
    const strange = words.filter((word) => !known.has(word) && !OTHERS.test(word));
    expect([...new Set(strange)]).toEqual([]);
  });

  test('shows only commands and flags that there are', async () => {
    const commands = new Map(
      (await ownerApp.describeCommands()).map(({ name, flags }) => [name, flags.map(({ flag }) => flag)]),
    );
    const shown = text.matchAll(
      /(?:npx |exec parley |^|`)parley ([a-z][a-z-]*)((?: +(?:"[^"]*"|'[^']*'|[^\s`|&;>]+))*)/gm,
    );
    const strange = [...shown].flatMap(([, name = '', rest = '']) => {
      const flags = commands.get(name);
      if (!flags) return [name];
      // After `--` stands another command with flags of its own.
      const [own = ''] = rest.split(' -- ');
      const given = own.replace(/"[^"]*"|'[^']*'/g, '').match(/--[a-z-]+/g) ?? [];
      return given.filter((flag) => !flags.includes(flag)).map((flag) => `${name} ${flag}`);
    });
    expect(strange).toEqual([]);
  });
});

test('the picture of the phases has these ways, and no other', () => {
  const ways = [...read('docs/concepts.md').matchAll(/^ {2}(\S+) --> (\w+)(?:: (.+))?$/gm)].map(
    ([, from, to, by = '']) => [from, to, by].join(' '),
  );
  expect(ways).toEqual([
    '[*] PLANNING ',
    'PLANNING CONTRACT both name one author, or appointAuthor',
    'CONTRACT READINESS approveContract',
    'READINESS VERIFY authorize build',
    'VERIFY RELEASE authorize deployment',
    'RELEASE RELEASE authorize activation',
    'RELEASE VERIFY another commit',
    'READINESS CONTRACT requestChanges',
    'VERIFY CONTRACT requestChanges',
    'RELEASE CONTRACT requestChanges',
  ]);
});
