import { shellWord } from '../../text/visible.ts';
import type { Terminal } from '../terminal.ts';
import { editSettings, listOf, type Members, parseSettings, recordOf } from './edit-settings.ts';

/**
 * Time limit of the hook Stop, in seconds: 24 hours, because a token is valid for 24 hours. The default of Claude Code
 * is 10 minutes.
 */
const STOP_SECONDS = 86_400;
const START_SECONDS = 30;

/**
 * The command line of `parley hook`, with the full paths of Node and of this program, because `parley` may not be on
 * the client's PATH. It names the server, because settings of the repository can change `PARLEY_URL`.
 */
export const hookCommandOf = ({ programPath }: Pick<Terminal, 'programPath'>, url: string): string =>
  [...programPath, 'hook', '--url', url].map(shellWord).join(' ');

/**
 * Adds the hooks of `parley` to the settings of Claude Code. Older hooks of `parley` are replaced; all other settings
 * stay.
 *
 * @throws EditFault if the hooks cannot be added
 */
export const mergeHooks = (text: string | undefined, command: string): string =>
  editSettings('json', text, (before) => {
    const hooks = recordOf(before.hooks, 'hooks');
    const Stop = withHook(hooks, 'Stop', { type: 'command', command, timeout: STOP_SECONDS });
    const SessionStart = withHook(hooks, 'SessionStart', { type: 'command', command, timeout: START_SECONDS });
    return { ...before, hooks: { ...hooks, Stop, SessionStart } };
  });

/**
 * In the groups of `event`, replaces the first group that contains only hooks of `parley`, or else adds a group at the end. Every
 * other hook of `parley` is removed: two hooks would wait, one of them perhaps at a server that the repository names.
 */
function withHook(hooks: Members, event: string, hook: Members): readonly unknown[] {
  const list = listOf(hooks[event], `hooks.${event}`);
  const groups = list.map((group) => ({ group, ...splitHooks(recordOf(group, `an item of hooks.${event}`)) }));
  const isOurs = ({ own, others }: (typeof groups)[number]): boolean => own > 0 && others.length === 0;
  const place = groups.findIndex(isOurs);
  const kept = groups.flatMap((one, index) => {
    if (one.own === 0) return [one.group];
    if (isOurs(one)) return index === place ? [{ hooks: [hook] }] : [];
    return [{ ...recordOf(one.group, 'a group'), hooks: one.others }];
  });
  return place < 0 ? [...kept, { hooks: [hook] }] : kept;
}

/** The number of the hooks of `parley` in a group, and its other hooks. */
function splitHooks({ hooks }: Members): { readonly own: number; readonly others: readonly unknown[] } {
  const list = listOf(hooks, 'the hooks of a group');
  const others = list.filter((hook) => !OWN_COMMAND.test(String(recordOf(hook, 'a hook').command)));
  return { own: list.length - others.length, others };
}

/** A command line that contains `parley hook`, with any path, flags and quotes. */
const OWN_COMMAND = /\bparley(?:\.js)?['"]?\s+hook\b/;

/** Whether a file with settings of Claude Code has a hook of `parley`. False for a file that cannot be read. */
export function hasHook(text: string): boolean {
  try {
    const hooks = recordOf(parseSettings('json', text).hooks, 'hooks');
    return Object.values(hooks).some((groups) =>
      listOf(groups, 'a list').some((group) => splitHooks(recordOf(group, 'a group')).own > 0),
    );
  } catch {
    return false;
  }
}
