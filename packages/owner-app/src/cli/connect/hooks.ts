import { shellWord } from '../print/shell-word.ts';
import type { Terminal } from '../terminal.ts';
import { editSettings, listOf, type Members, recordOf } from './edit-settings.ts';

/** Seconds that the hook Stop may take: 24 hours, as long as a token is valid. The default of Claude Code is 10 minutes. */
const STOP_SECONDS = 86_400;
const START_SECONDS = 30;

/**
 * The command line of `parley hook`. It has the full paths of this program, so it works if `parley` is not on the client's
 * PATH.
 */
export const hookCommandOf = ({ programPath }: Terminal): string => [...programPath, 'hook'].map(shellWord).join(' ');

/**
 * Adds the hooks of `parley` to the settings of Claude Code. Replaces them if they exist. Keeps all other settings.
 *
 * @throws EditFault if the hooks cannot be added
 */
export const mergeHooks = (text: string | undefined, command: string): string =>
  editSettings('json', text, (before) => {
    const hooks = recordOf(before.hooks, 'hooks');
    const Stop = withHook(hooks.Stop, { type: 'command', command, timeout: STOP_SECONDS });
    const SessionStart = withHook(hooks.SessionStart, { type: 'command', command, timeout: START_SECONDS });
    return { ...before, hooks: { ...hooks, Stop, SessionStart } };
  });

/**
 * Adds our hook to the groups of hooks of an event. It is in a group of its own, which replaces an earlier group of ours, or
 * else is added at the end.
 */
function withHook(groups: unknown, hook: Members): readonly unknown[] {
  const list = listOf(groups, 'the groups of a hook');
  const place = list.findIndex((group) => isOurs(recordOf(group, 'a group of a hook')));
  const own = { hooks: [hook] };
  return place < 0 ? [...list, own] : list.with(place, own);
}

const isOurs = ({ hooks }: Members): boolean => {
  const [first, ...others] = listOf(hooks, 'the hooks of a group').map((hook) => recordOf(hook, 'a hook'));
  return others.length === 0 && /\bparley(\.js)?'? hook$/.test(String(first?.command));
};
