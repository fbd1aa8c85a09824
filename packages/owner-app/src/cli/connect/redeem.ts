import { z } from 'zod';
import { AGENT_ROLES, SESSION_ID } from '../../text/seat.ts';
import { addressByServer } from '../client/agent-server.ts';
import { isAddress, requestJson } from '../client/request.ts';
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

export interface Redemption extends Connection, HeldToken {
  /** The address at which the server says that agents reach it, if it is another one than that of the request. */
  readonly byServer: string | undefined;
}

export interface RedeemRequest {
  readonly code: string;
  readonly clientType: string;
  /** The address of the server. The agent connects to it, whatever the answer says. */
  readonly url: string;
}

export async function redeemCode({ code, clientType, url }: RedeemRequest): Promise<Redemption> {
  const body = await requestJson(url, '/api/public/agent/invitations/redeem', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, client_type: clientType }),
    secret: code,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = Redeemed.safeParse(body);
  if (!answer.success)
    throw new CliError(
      EXIT.REFUSED,
      `The server at ${url} is not a Parley server. Give the address of the Parley server with --url.`,
    );
  const { token, session_id: sessionId, role, expires_at: expiresAt, mcp_url: mcpUrl } = answer.data;
  return {
    ...{ token, sessionId, role, expiresAt, url },
    mcpUrl: `${url}/api/public/mcp`,
    sessionUrl: `${url}/api/public/agent/sessions/${sessionId}`,
    byServer: addressByServer(mcpUrl, url),
  };
}
