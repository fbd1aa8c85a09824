import { visible } from '../../text/visible.ts';
import { shellWord } from '../print/shell-word.ts';
import { CLIENTS, type ClientName, mergeSettings } from './clients.ts';
import type { GitStatus } from './git-status.ts';
import type { Redemption } from './redeem.ts';

/** A file that was written, and what git would do with it. */
export interface Written {
  readonly path: string;
  readonly git: GitStatus;
}

export interface WrittenSettings extends Written {
  /** The address of the entry that was replaced. */
  readonly replaced?: string;
}

/** How a connection stands: what is left to do depends on where the token is. */
export interface Connection {
  readonly client: ClientName;
  readonly redemption: Redemption;
  readonly settings?: WrittenSettings | undefined;
  readonly tokenFile?: Written | undefined;
}

/** The lines after a code was redeemed: what was written, what to do, when it ends. */
export function connectionLines(standing: Connection, now: number): string[] {
  const { redemption } = standing;
  return [
    `Connected as ${redemption.role} of session ${redemption.sessionId}.`,
    ...noteLines(standing),
    '',
    ...tokenLines(standing),
    ...settingsLines(standing),
    ...useLines(standing),
    '',
    ...endLines(standing, now),
  ];
}

function noteLines({ settings, tokenFile }: Connection): string[] {
  return [
    ...(tokenFile ? [`Wrote ${tokenFile.path}: the token, for you alone (mode 600).`, ...tokenWarning(tokenFile)] : []),
    ...(settings
      ? [
          `Wrote ${settings.path}: the server parley, without the token.`,
          ...(settings.replaced === undefined
            ? []
            : [`It replaces the server parley that was there: ${visible(JSON.stringify(settings.replaced))}.`]),
          ...settingsWarning(settings),
        ]
      : []),
  ];
}

const tokenWarning = ({ git }: Written): string[] =>
  git === 'tracked' || git === 'untracked'
    ? [
        `Warning: it lies in a git repository that ${git === 'tracked' ? 'tracks' : 'does not ignore'} it. Never commit it.`,
      ]
    : [];

function settingsWarning({ git, path }: Written): string[] {
  if (git === 'tracked')
    return [`Warning: git tracks ${path}. Commit the change only if all who use it are to have it.`];
  if (git !== 'untracked') return [];
  return [`Warning: git does not ignore ${path}. Add it to .git/info/exclude unless others are to have it.`];
}

/** The only time that the token is shown, and never where a file holds it. */
function tokenLines({ client, redemption, tokenFile }: Connection): string[] {
  const { asks } = CLIENTS[client];
  if (tokenFile && asks) return [`VS Code asks for the token: it stands behind PARLEY_TOKEN= in ${tokenFile.path}`];
  if (tokenFile) return ['In the terminal of the agent:', '', `  . ${shellWord(tokenFile.path)}`];
  const place = asks
    ? ['VS Code asks for it at the first start.']
    : [
        'In the terminal of the agent, paste it (nothing is shown):',
        '',
        '  read -rs PARLEY_TOKEN && export PARLEY_TOKEN',
      ];
  return ['The token, this once. It is a password:', '', `  ${redemption.token}`, '', ...place];
}

function settingsLines({ client, redemption: { mcpUrl }, settings }: Connection): string[] {
  const { settings: place, alone } = CLIENTS[client];
  if (settings || !place) return [];
  return [
    '',
    `In ${place.file} of the agent's repository (--write adds it beside what is there):`,
    '',
    ...mergeSettings(place, undefined, mcpUrl)
      .text.trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(alone ? ['', 'Or for you alone, without the file:', '', `  ${alone(shellWord(mcpUrl))}`] : []),
  ];
}

function useLines({ client, redemption }: Connection): string[] {
  const { start, check } = CLIENTS[client];
  if (client === 'curl') return ['', 'Then:', '', ...curlLines(redemption).map((line) => `  ${line}`)];
  return [
    ...(start ? ['', 'Start it there:', '', `  ${start}`] : []),
    '',
    `It works when ${check}.`,
    'Tell the agent to call read_task first, and then what the instruction of read_session_state names, until the session',
    'is ENDED. docs/connect.md has the words.',
  ];
}

function curlLines({ mcpUrl, sessionUrl, role }: Redemption): string[] {
  const header = '-H "Authorization: Bearer $PARLEY_TOKEN"';
  return [
    `curl -s ${header} ${shellWord(mcpUrl)} \\`,
    `     -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_session_state"}}'`,
    `curl -s ${header} ${shellWord(`${sessionUrl}/${role === 'moderator' ? 'events' : 'state'}`)}`,
  ];
}

function endLines({ client, redemption: { sessionId, role, expiresAt } }: Connection, now: number): string[] {
  const hours = Math.round((Date.parse(expiresAt) - now) / 3_600_000);
  return [
    `The token ends at ${expiresAt}, ${hours} hours from now, and cannot be prolonged. To renew it, the owner runs`,
    `  parley invite ${sessionId} --role ${role}`,
    `and you connect again with the new code (${CLIENTS[client].renewing}). Nothing of the session is lost.`,
  ];
}
