import { z } from 'zod';
import { withoutEndpoint } from '../client/agent-server.ts';
import { isAddress, requestJson } from '../client/request.ts';
import { AGENT_ROLES, SESSION_ID } from '../client/seat.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Connection } from './clients.ts';
import type { HeldToken } from './token-file.ts';

const ANSWER_MS = 30_000;

const Address = z.string().max(2_000).refine(isAddress);

/**
 * The answer to a redeemed code. Every member is validated, because these values are written to files and shell
 * commands.
 */
const Redeemed = z.object({
  token: z.string().regex(/^prt_[\w-]{16,196}$/),
  session_id: z.string().regex(SESSION_ID),
  role: z.enum(AGENT_ROLES),
  expires_at: z.iso.datetime(),
  base_url: Address.optional(),
  mcp_url: Address.optional(),
});

export interface Redemption extends Connection, HeldToken {}

export interface RedeemRequest {
  readonly code: string;
  readonly clientType: string;
  readonly url: string;
  /**
   * Whether the user gave `url`. If so, the agent connects to `url`; otherwise it connects to the address in the
   * server's answer.
   */
  readonly isUrlGiven: boolean;
}

export async function redeemCode({ code, clientType, url, isUrlGiven }: RedeemRequest): Promise<Redemption> {
  const body = await requestJson(url, '/api/public/agent/invitations/redeem', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, client_type: clientType }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = Redeemed.safeParse(body);
  if (!answer.success)
    throw new CliError(
      EXIT.REFUSED,
      `The server at ${url} is not a Parley server. Give the address of the Parley server with --url.`,
    );
  const { token, session_id: sessionId, role, expires_at: expiresAt, base_url, mcp_url } = answer.data;
  const own = { baseUrl: `${url}/api/public/agent`, mcpUrl: `${url}/api/public/mcp` };
  const { baseUrl, mcpUrl } = isUrlGiven ? own : { baseUrl: base_url ?? own.baseUrl, mcpUrl: mcp_url ?? own.mcpUrl };
  const place = { url: withoutEndpoint(mcpUrl), mcpUrl, sessionUrl: `${baseUrl}/sessions/${sessionId}` };
  return { token, sessionId, role, expiresAt, ...place };
}
