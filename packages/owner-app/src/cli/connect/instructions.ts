import { tellAgentLines } from '../../text/tell-agent.ts';
import { shellWord, visible } from '../../text/visible.ts';
import type { ClientName } from '../client-names.ts';
import { CLIENTS, mergeSettings } from './clients.ts';
import type { GitStatus } from './git-status.ts';
import { mergeHooks } from './hooks.ts';
import type { Redemption } from './redeem.ts';

export interface Written {
  readonly path: string;
  readonly git: GitStatus;
}

export interface WrittenSettings extends Written {
  /** The previous address of the server `parley` in the file, if it differs from the new address. */
  readonly replaced?: string;
  /** The members of the server `parley` that the file contained and that are removed, if there are any. */
  readonly removed?: readonly string[];
}

export interface WrittenHooks extends Written {
  /** The path of another settings file that has a hook of `parley` too. The client would run both. */
  readonly second?: string;
}

/** The results of `parley connect`, which decide what is printed for the user. */
export interface Connection {
  readonly client: ClientName;
  readonly redemption: Redemption;
  readonly settings?: WrittenSettings | undefined;
  readonly tokenFile?: Written | undefined;
  readonly hooks?: WrittenHooks | undefined;
  /** The command line of the hooks. Absent without `--hooks`. */
  readonly hookCommand?: string;
  /** A command line that runs this program from every folder. */
  readonly program: string;
}

/**
 * The lines that are printed after a code was redeemed: the written files, the next steps, and when the token expires.
 */
export function connectionLines(standing: Connection, now: number): string[] {
  const { redemption } = standing;
  return [
    `Connected as ${redemption.role} of session ${redemption.sessionId}.`,
    ...byServerLines(redemption),
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

const byServerLines = ({ byServer }: Redemption): string[] =>
  byServer === undefined
    ? []
    : [
        `The server says that agents reach it at ${byServer}. It is not used, because you gave another address. If you trust it, next time give: --url ${byServer}`,
      ];

function noteLines({ settings, tokenFile, hooks }: Connection): string[] {
  return [
    ...(tokenFile
      ? [`Wrote ${tokenFile.path}: the token, readable by you only (mode 600).`, ...tokenWarning(tokenFile)]
      : []),
    ...(settings
      ? [
          `Wrote ${settings.path}: it now contains the server parley, without the token.`,
          ...(settings.replaced === undefined
            ? []
            : [
                `Replaced another address of the server parley, which the file contained: ${visible(JSON.stringify(settings.replaced))}.`,
              ]),
          ...(settings.removed === undefined
            ? []
            : [
                `Removed from the server parley in the file: ${visible(settings.removed.map((name) => JSON.stringify(name)).join(', '))}.`,
              ]),
          ...settingsWarning(settings),
        ]
      : []),
    ...(hooks ? [`Wrote ${hooks.path}: the hooks Stop and SessionStart.`, ...settingsWarning(hooks)] : []),
    ...(hooks?.second === undefined
      ? []
      : [`Warning: ${visible(hooks.second)} has a hook of parley too. Remove it, so that only the hook above runs.`]),
  ];
}

const tokenWarning = ({ git, path }: Written): string[] =>
  git === 'unknown'
    ? [unknownGit(path)]
    : git === 'tracked' || git === 'untracked'
      ? [
          `Warning: the token file is in a git repository that ${git === 'tracked' ? 'tracks' : 'does not ignore'} it. Never commit the file.`,
        ]
      : [];

const unknownGit = (path: string): string =>
  `Warning: git did not answer within 5 seconds. Check that git does not track ${path} before you commit.`;

function settingsWarning({ git, path }: Written): string[] {
  if (git === 'tracked')
    return [
      `Warning: git tracks ${path}. Commit the change only if everybody who uses the repository should have these settings.`,
    ];
  if (git === 'unknown') return [unknownGit(path)];
  if (git !== 'untracked') return [];
  return [
    `Warning: git does not ignore ${path}. Add this path to .git/info/exclude, unless everybody who uses the repository should have these settings.`,
  ];
}

/**
 * The lines that explain how the agent gets the token. They contain the token only if the token was not written to a
 * file.
 */
function tokenLines({ client, redemption, tokenFile }: Connection): string[] {
  const { asks } = CLIENTS[client];
  if (tokenFile && asks)
    return [`VS Code asks for the token. The token is in ${tokenFile.path}, after "PARLEY_TOKEN=".`];
  if (tokenFile)
    return ['Run this in the terminal in which you start the agent:', '', `  . ${shellWord(tokenFile.path)}`];
  const place = asks
    ? ['VS Code asks for the token at the first start.']
    : [
        'Run this in the terminal in which you start the agent, then paste the token (the terminal does not show it) and press Enter:',
        '',
        '  read -rs PARLEY_TOKEN && export PARLEY_TOKEN',
      ];
  return ['This is the token. It is a password. It is shown only now:', '', `  ${redemption.token}`, '', ...place];
}

function settingsLines({ client, redemption: { mcpUrl }, settings }: Connection): string[] {
  const { settings: place, alone } = CLIENTS[client];
  if (settings || !place) return [];
  return [
    '',
    `Add this to ${place.file} of the agent's repository (with --write, this command adds it and keeps the rest of the file):`,
    '',
    ...mergeSettings(place, undefined, mcpUrl)
      .text.trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(alone
      ? ['', 'Or add the server for your user only, without the file:', '', `  ${alone(shellWord(mcpUrl))}`]
      : []),
  ];
}

/**
 * The lines about the hooks. The hooks are shown even if they were written to the file, because hooks make the client
 * run a program.
 */
function hookLines({ client, hookCommand, hooks }: Connection): string[] {
  const { hooks: place } = CLIENTS[client];
  if (hookCommand === undefined || !place) return [];
  return [
    '',
    hooks ? `${place.file} contains these hooks:` : `Add these hooks to ${place.file} of the agent's repository:`,
    '',
    ...mergeHooks(undefined, hookCommand)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'When the agent stops, the hook Stop waits until the agent has a next step, and then lets the agent continue. No model runs meanwhile. The hook no longer waits when the session is ENDED.',
  ];
}

function useLines({ client, redemption, program }: Connection): string[] {
  const { start, check } = CLIENTS[client];
  if (client === 'curl')
    return ['', 'Then read the state of the session:', '', ...curlLines(redemption).map((line) => `  ${line}`)];
  return [
    ...(start ? ['', 'Start the client there:', '', `  ${start}`] : []),
    '',
    `The connection works if ${check}.`,
    ...tellAgentLines(program),
  ];
}

function curlLines({ mcpUrl, sessionUrl, role }: Redemption): string[] {
  const curl = `printf 'Authorization: Bearer %s' "$PARLEY_TOKEN" | curl -s -H @-`;
  return [
    `${curl} ${shellWord(mcpUrl)} \\`,
    `     -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_session_state"}}'`,
    `${curl} ${shellWord(`${sessionUrl}/${role === 'moderator' ? 'events' : 'state'}`)}`,
  ];
}

function endLines({ client, redemption: { sessionId, role, expiresAt } }: Connection, now: number): string[] {
  const hours = Math.round((Date.parse(expiresAt) - now) / 3_600_000);
  return [
    `The token ends at ${expiresAt}, ${hours} hours from now, and cannot be extended. To renew it, the owner runs`,
    `  parley invite ${sessionId} --role ${role}`,
    `and you connect again with the new code. Then ${CLIENTS[client].renewing}. Nothing of the session is lost.`,
  ];
}
