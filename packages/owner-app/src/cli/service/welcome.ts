import { join } from 'node:path';
import { KEY_FILE } from '../../server/access/owner-key.ts';
import type { Settings } from '../../server/settings/settings.ts';
import type { RunningServer } from '../../server/start.ts';
import { DEFAULT_URL } from '../client/request.ts';
import type { Terminal } from '../terminal.ts';

const DEFAULT_DATA = '.parley';

/**
 * The lines that are printed after the start: the addresses, the owner key if this start has created the key, and the
 * next commands.
 */
export function welcomeLines(server: RunningServer, settings: Settings, { paint, program }: Terminal): string[] {
  const { url } = server;
  const command = commandLine(url, settings, program);
  const address = settings.publicUrl ?? url;
  return [
    '',
    `  agents   ${address}/api/public/agent (REST), ${address}/api/public/mcp (MCP)`,
    `  owner    ${address}/owner/`,
    `  data     ${settings.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : settings.dataFolder}`,
    ...keyLines(server, settings, paint),
    '',
    'Next, in another terminal:',
    '',
    `  ${paint('bold', `${command} demo`)}                               watch two agents plan a real feature`,
    `  ${paint('bold', `${command} create --template > session.json`)}   describe a session of your own`,
    `  ${paint('bold', `${command} create --file session.json`)}         open the session, and see what to do next`,
    `  ${paint('bold', `${command} waiting`)}                            see what waits for you, with the commands that settle it`,
    '',
  ];
}

function keyLines({ madeKey, keptKey }: RunningServer, { dataFolder }: Settings, paint: Terminal['paint']): string[] {
  if (madeKey)
    return [
      `  key      ${paint('bold', madeKey)}`,
      `           the key is shown only now; the parley command reads it from ${join(dataFolder, KEY_FILE)}`,
    ];
  if (!keptKey) return ['  key      PARLEY_OWNER_KEY'];
  return [
    `  key      the key that the first start created, in ${join(dataFolder, KEY_FILE)}`,
    `           ${keptKey.file} says which key is valid; it was written ${keptKey.writtenAt.toISOString()}.`,
    '           If you did not start Parley here then, stop it, delete both files, and start it again.',
  ];
}

/** The command line that runs this program in another terminal in the same folder. */
function commandLine(url: string, { dataFolder, ownerKey }: Settings, program: string): string {
  const address = url === DEFAULT_URL ? '' : `PARLEY_URL=${url} `;
  const data = dataFolder === DEFAULT_DATA || ownerKey ? '' : `PARLEY_DATA=${dataFolder} `;
  return `${address}${data}${program}`;
}
