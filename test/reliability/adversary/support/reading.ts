import { AGENT_NAMES, type AgentName, type Seats, type Target } from './target.ts';

/** Number of calls in one batch, and number of requests that one token sends at the same time. */
const AT_ONCE = 50;

const BUILDER_CALLS = [
  ['read_messages', 'messages'],
  ['read_session_state', 'state'],
  ['list_decisions', 'decisions'],
  ['list_findings', 'findings'],
  ['list_interventions', 'interventions'],
  ['get_final_plan', 'plan'],
  ['get_revision_diff', 'contract/diff'],
  ['list_blockers', 'contract-blockers'],
] as const;

const MODERATOR_CALLS = [
  ['read_messages', 'messages'],
  ['read_session_state', 'state'],
  ['list_decisions', 'decisions'],
  ['get_moderator_findings', 'findings'],
  ['get_moderator_questions', 'moderator/questions/list'],
  ['get_final_plan', 'plan'],
  ['get_session_events', 'events'],
  ['list_blockers', 'contract-blockers'],
] as const;

const OWNER_PATHS = ['', '/transcript', '/log', '/blockers', '/plan', '/verify-log'];

interface Readings {
  readonly statuses: Readonly<Record<number, number>>;
  readonly longest: number;
}

/** Makes every agent read everything in the session at the same time, in batches over MCP and over REST. */
export async function readAll(target: Target, { id, tokens }: Seats): Promise<Readings> {
  const statuses: Record<number, number> = {};
  let longest = 0;
  const note = ({ status, bytes }: { status: number; bytes: number }): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    longest = Math.max(longest, bytes);
  };
  const batchesOf = async (role: AgentName): Promise<void> => {
    for (const [tool] of role === 'moderator' ? MODERATOR_CALLS : BUILDER_CALLS) {
      const batch = Array.from({ length: AT_ONCE }, (_, index) => callOf(tool, index));
      note(await target.measure(tokens[role], '/api/public/mcp', batch));
    }
  };
  const singlesOf = async (role: AgentName): Promise<void> => {
    for (const [tool, route] of role === 'moderator' ? MODERATOR_CALLS : BUILDER_CALLS) {
      const asked = Array.from({ length: AT_ONCE / 4 }, (_, index) => {
        const query = new URLSearchParams(inputOf(tool, index));
        return target.measure(tokens[role], `/api/public/agent/sessions/${id}/${route}?${query}`);
      });
      for (const answer of await Promise.all(asked)) note(answer);
    }
  };
  await Promise.all(AGENT_NAMES.flatMap((role) => [batchesOf(role), singlesOf(role)]));
  return { statuses, longest };
}

const inputOf = (tool: string, index: number): Record<string, string> => {
  if (tool === 'read_messages') return { after: `${index}` };
  if (tool === 'get_session_events') return { after: `${index}`, limit: '100' };
  return tool === 'get_revision_diff' ? { revision_id: `r_${index + 1}` } : {};
};

const callOf = (name: string, index: number) => ({
  jsonrpc: '2.0',
  id: index,
  method: 'tools/call',
  params: { name, arguments: inputOf(name, index) },
});

export async function openAll(target: Target, { id }: Seats): Promise<readonly number[]> {
  const opened = OWNER_PATHS.map((path) => target.measure(target.ownerKey, `/owner/api/sessions/${id}${path}`));
  const overview = target.measure(target.ownerKey, '/owner/api/overview');
  return (await Promise.all([...opened, overview])).map(({ status }) => status);
}
