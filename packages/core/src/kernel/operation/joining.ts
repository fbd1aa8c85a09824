/** Where the servers of an installation answer agents: URLs, or paths at the address that the agent called. */
export interface Entrance {
  readonly rest?: string | undefined;
  readonly mcp?: string | undefined;
  /** The OpenAPI document. */
  readonly openApi?: string | undefined;
}

/**
 * Returns a text that explains how a client without a token joins a session. If an address is unknown, the text states
 * the end of its path, which Spec 4 defines.
 */
export function joiningHint({ rest, mcp, openApi }: Entrance): string {
  const restAddress = rest ?? '<REST address, which ends in /api/public/agent>';
  const mcpAddress = mcp ?? 'the address that ends in /api/public/mcp';
  return [
    `If you have an invitation code (pinv_...) and no token, exchange the code: POST ${restAddress}/invitations/redeem with the body {"code":"pinv_..."}.`,
    `Then send the header "Authorization: Bearer prt_..." with each call: over MCP by POST to ${mcpAddress}, or over REST below ${restAddress}/sessions/{session_id}/. The first call is read_task (GET task).`,
    ...(openApi === undefined ? [] : [`GET ${openApi} describes the routes.`]),
    'If you have neither code nor token, ask the owner for an invitation.',
  ].join(' ');
}
