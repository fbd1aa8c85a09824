import { visible } from '../../text/visible.ts';
import { shellWord } from '../print/shell-word.ts';
import { CLIENTS, type ClientName, mergeSettings } from './clients.ts';
import type { GitStatus } from './git-status.ts';
import { mergeHooks } from './hooks.ts';
import type { Redemption } from './redeem.ts';

/** A file that was written, and its status in git. */
export interface Written {
  readonly path: string;
  readonly git: GitStatus;
}

export interface WrittenSettings extends Written {
  /** The address in the entry that was replaced. */
  readonly replaced?: string;
}

/** The result of `parley connect`, from which the next steps follow. */
export interface Connection {
  readonly client: ClientName;
  readonly redemption: Redemption;
  readonly settings?: WrittenSettings | undefined;
  readonly tokenFile?: Written | undefined;
  readonly hooks?: Written | undefined;
  /** The command line of the hooks, if the user asked for hooks. */
  readonly hookCommand?: string;
}

/** The lines that are printed after a code was redeemed: files written, next steps, and when the token expires. */
export function connectionLines(standing: Connection, now: number): string[] {
  const { redemption } = standing;
  return [
    `Connected as ${redemption.role} of session ${redemption.sessionId}.`,
    ...noteLines(standing),
    '',
    ...tokenLines(standing),
    ...settingsLines(standing),
    ...hookLines(standing),
    ...useLines(standing),
    '',
    ...endLines(standing, now),
  ];
}

function noteLines({ settings, tokenFile, hooks }: Connection): string[] {
  return [
    ...(tokenFile
      ? [`Wrote ${tokenFile.path}: the token, readable by you only (mode 600).`, ...tokenWarning(tokenFile)]
      : []),
    ...(settings
      ? [
          `Wrote ${settings.path}: the entry of the server parley, without the token.`,
          ...(settings.replaced === undefined
            ? []
            : [`The entry replaces an earlier server parley: ${visible(JSON.stringify(settings.replaced))}.`]),
          ...settingsWarning(settings),
        ]
      : []),
    ...(hooks ? [`Wrote ${hooks.path}: the hooks Stop and SessionStart.`, ...settingsWarning(hooks)] : []),
  ];
}

const tokenWarning = ({ git }: Written): string[] =>
  git === 'tracked' || git === 'untracked'
    ? [
        `Warning: that file is in a git repository that ${git === 'tracked' ? 'tracks' : 'does not ignore'} it. Never commit it.`,
      ]
    : [];

function settingsWarning({ git, path }: Written): string[] {
  if (git === 'tracked')
    return [
      `Warning: git tracks ${path}. Commit the change only if everybody who uses the repository should have this server.`,
    ];
  if (git !== 'untracked') return [];
  return [`Warning: git does not ignore ${path}. Add it to .git/info/exclude unless others should have this server.`];
}

/** The lines that say how the agent gets the token. They contain the token itself only if no file contains it. */
function tokenLines({ client, redemption, tokenFile }: Connection): string[] {
  const { asks } = CLIENTS[client];
  if (tokenFile && asks) return [`VS Code asks for the token. Copy it from ${tokenFile.path}, after PARLEY_TOKEN=`];
  if (tokenFile) return ['In the terminal of the agent:', '', `  . ${shellWord(tokenFile.path)}`];
  const place = asks
    ? ['VS Code asks for it at the first start.']
    : [
        'In the terminal of the agent, paste it (nothing is shown):',
        '',
        '  read -rs PARLEY_TOKEN && export PARLEY_TOKEN',
      ];
  return ['The token, shown only now. It is a password:', '', `  ${redemption.token}`, '', ...place];
}

function settingsLines({ client, redemption: { mcpUrl }, settings }: Connection): string[] {
  const { settings: place, alone } = CLIENTS[client];
  if (settings || !place) return [];
  return [
    '',
    `In ${place.file} of the agent's repository (--write adds it and keeps the rest of the file):`,
    '',
    ...mergeSettings(place, undefined, mcpUrl)
      .text.trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(alone ? ['', 'Or for your user only, without the file:', '', `  ${alone(shellWord(mcpUrl))}`] : []),
  ];
}

/** The lines that show the settings of the hooks. They are shown even if the file was written, because hooks run a program. */
function hookLines({ client, hookCommand, hooks }: Connection): string[] {
  const { hooks: place } = CLIENTS[client];
  if (hookCommand === undefined || !place) return [];
  return [
    '',
    hooks ? `The hooks in ${place.file}:` : `The hooks, in ${place.file} of the agent's repository:`,
    '',
    ...mergeHooks(undefined, hookCommand)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'When the agent ends its turn, they wait without a model and hand it the next step, until the session is ENDED.',
  ];
}

function useLines({ client, redemption }: Connection): string[] {
  const { start, check } = CLIENTS[client];
  if (client === 'curl') return ['', 'Then:', '', ...curlLines(redemption).map((line) => `  ${line}`)];
  return [
    ...(start ? ['', 'Start it there:', '', `  ${start}`] : []),
    '',
    `It works when ${check}.`,
    'Tell the agent to call read_task first, then the tool that the instruction of read_session_state names, until the session',
    'is ENDED. docs/connect.md has a prompt to paste.',
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
    `The token ends at ${expiresAt}, ${hours} hours from now, and cannot be extended. To renew it, the owner runs`,
    `  parley invite ${sessionId} --role ${role}`,
    `and you connect again with the new code (${CLIENTS[client].renewing}). Nothing of the session is lost.`,
  ];
}
