import { AGENT_ROLES, INVITATION_CODE } from './seat.ts';
import { shellWord } from './visible.ts';

/** What somebody gets who is to run an agent: the invitation code, the role, and the address of the service. */
export interface Invited {
  readonly code: string;
  readonly role: string;
  readonly url: string;
}

/** Where and how an agent joins. Nothing here is secret: the code is not part of it. */
export interface JoinPlace {
  /** The address of the service. */
  readonly url: string;
  /** The words of the command line that runs `parley` on the machine of the agent. */
  readonly program: readonly string[];
}

/** A command that adds the server `parley` to a client, without a code and without a token. */
export interface JoinLine {
  readonly client: string;
  readonly line: string;
  /** A link that does the same, if the client has such links. */
  readonly link?: string;
}

/**
 * The address to pass on with an invitation: the public one, if the service has one, otherwise the one at which this program
 * reaches the service.
 */
export const addressToPassOn = (baseUrl: unknown, url: string): string =>
  typeof baseUrl === 'string' ? new URL(baseUrl).origin : url;

/** The page of an invitation. The code is in the fragment, which browsers send to no server. */
export const joinAddress = ({ code, role, url }: Invited): string =>
  `${url}/join#${new URLSearchParams({ code, role })}`;

/** The code and the role in the fragment of the page of an invitation. Undefined if the fragment has no code. */
export function invitedBy(fragment: string): Pick<Invited, 'code' | 'role'> | undefined {
  const named = new URLSearchParams(fragment.replace(/^#/, ''));
  const [code, role] = [named.get('code') ?? '', named.get('role') ?? ''];
  return INVITATION_CODE.test(code) && isRole(role) ? { code, role } : undefined;
}

const isRole = (role: string): boolean => AGENT_ROLES.some((known) => known === role);

/** One line for each client. The user runs it in the repository of the agent, then pastes the prompt to the agent. */
export function joinLines({ url, program }: JoinPlace): readonly JoinLine[] {
  const server = [...program, 'mcp', '--url', url];
  const words = server.map(shellWord).join(' ');
  // Editors start a server of their user's settings outside of the project, and put the folder of the project into this variable.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: The editors expand the variable.
  const [command = '', ...args] = [...server, '--folder', '${workspaceFolder}'];
  const named = JSON.stringify({ name: 'parley', command, args });
  return [
    { client: 'Claude Code', line: `claude mcp add parley -- ${words}` },
    { client: 'Codex CLI', line: `codex mcp add parley -- ${words}` },
    { client: 'Gemini CLI', line: `gemini mcp add --scope user parley ${words}` },
    {
      client: 'Cursor',
      line: `cursor --add-mcp ${shellWord(named)}`,
      link: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name: 'parley', config: base64(JSON.stringify({ command, args })) })}`,
    },
    {
      client: 'VS Code',
      line: `code --add-mcp ${shellWord(named)}`,
      link: `vscode:mcp/install?${encodeURIComponent(named)}`,
    },
  ];
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
