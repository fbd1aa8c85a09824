import { StorageUnavailable } from '@parley/core';
import { SettingsError } from '@parley/http-host/program';
import { type Command, Option } from 'commander';
import { SETTINGS, type Variable } from '../../server/settings/environment.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { warnOfArgument } from '../connect/given-code.ts';
import { CliError, commandFailed, EXIT, wrongUsage } from '../exit-codes.ts';
import { WordOption } from '../flags/reference.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Adds the flags of settings to a command. Returns a function that reads the settings. A flag takes precedence over the
 * environment variable.
 */
export function addSettingFlags(
  command: Command,
  terminal: Terminal,
  wanted: (variable: Variable) => boolean = () => true,
): () => Settings {
  const flags = SETTINGS.flatMap(({ flag, words, variable, purpose }): { variable: Variable; option: Option }[] => {
    if (!flag || !wanted(variable)) return [];
    const described = `${purpose} [${variable}]`;
    return [{ variable, option: words ? new WordOption(flag, described, { words }) : new Option(flag, described) }];
  });
  for (const { option } of flags) command.addOption(option);
  return () => {
    const given = flags.map(({ variable, option }) => [variable, command.opts()[option.attributeName()]]);
    for (const { variable, option } of flags)
      if (hasPassword(command.opts()[option.attributeName()]))
        warnOfArgument(terminal, `the password in ${option.long}`, `Set ${variable} in the environment instead.`);
    return settingsFrom(terminal, Object.fromEntries(given));
  };
}

const hasPassword = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).password !== '';

function settingsFrom({ environment }: Terminal, flags: Readonly<Record<string, string | undefined>>): Settings {
  try {
    return readSettings(environment, flags);
  } catch (error) {
    if (error instanceof SettingsError) throw wrongUsage(error.message);
    throw error;
  }
}

/** Whether a setting determines where sessions are stored. */
export const isPlace = (variable: Variable): boolean => variable === 'PARLEY_DATA' || variable === 'DATABASE_URL';

/** Imported only by the commands that need a database, so that other commands start faster. */
export const loadDatabases = () => import('@parley/storage-pg');

/** Awaits `work`, which uses a database. If the database cannot be used, rejects with CliError. */
export async function asOutcome<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw new CliError(EXIT.UNREACHABLE, error.message);
    const { FolderInUse, NotDistributable } = await loadDatabases();
    if (error instanceof NotDistributable) throw commandFailed(error.message);
    if (error instanceof FolderInUse) throw commandFailed(`${error.message} Stop that process first.`);
    throw error;
  }
}
