import type { CommandReference, FlagReference } from '../flags/reference.ts';

export const takesPath = (name: string | undefined): boolean =>
  /^(file|folder|json|file_or_session_id)$/.test(name ?? '');

/** The beginning of the description of a flag or command, at most 70 characters. Shells show it beside the name. */
export function shortPurpose(text: string): string {
  const first = text.split(/(?<=[.;])\s/)[0]?.replace(/[.;]$/, '') ?? '';
  return first.length > 70 ? `${first.slice(0, 69)}…` : first;
}

export const wordsBehind = ({ arguments: all }: CommandReference): readonly string[] => all[0]?.words ?? [];

/** Whether the value of a flag is free text, which a shell cannot complete. */
export const isFree = ({ takes, taken }: FlagReference): boolean => takes !== undefined && !taken && !takesPath(takes);
