import type { Command } from 'commander';
import type { Json } from '../../text/read-as.ts';
import type { Terminal } from '../terminal.ts';

/** The operation with a secret in its input, which no flag takes, because every user of a machine can read command lines. */
const LINK = 'linkChange';

export function addSecretFlag(command: Command, operation: string): void {
  if (operation !== LINK) return;
  command.option(
    '--token-stdin',
    'read the token from stdin, not from PARLEY_FORGE_TOKEN or the terminal; empty: it stays',
  );
}

/** Adds the secret to the input of the operation. Without one, the service keeps the present one. */
export async function withSecret(operation: string, input: Json, command: Command, terminal: Terminal): Promise<Json> {
  if (operation !== LINK) return input;
  const { tokenStdin, json } = command.opts<{ tokenStdin?: true; json?: true }>();
  const token = tokenStdin
    ? await terminal.input()
    : (terminal.environment.PARLEY_FORGE_TOKEN ??
      (json ? undefined : await terminal.secret?.('Token of the forge (not shown; empty: the present one stays): ')));
  return token?.trim() ? { ...input, token: token.trim() } : input;
}
