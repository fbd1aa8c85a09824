import { shellWord } from '../../text/shell-word.ts';
import type { Terminal } from '../terminal.ts';
import { editSettings, listOf, type Members, recordOf } from './edit-settings.ts';

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
 * In the groups of `event`, replaces the group that contains only a hook of `parley`. If there is no such group, adds a
 * group at the end.
 */
function withHook(hooks: Members, event: string, hook: Members): readonly unknown[] {
  const list = listOf(hooks[event], `hooks.${event}`);
  const place = list.findIndex((group) => isOurs(recordOf(group, `an item of hooks.${event}`)));
  const own = { hooks: [hook] };
  return place < 0 ? [...list, own] : list.with(place, own);
}

const isOurs = ({ hooks }: Members): boolean => {
  const [first, ...others] = listOf(hooks, 'the hooks of a group').map((hook) => recordOf(hook, 'a hook'));
  return others.length === 0 && /\bparley(\.js)?'? hook(?: --url \S+)?$/.test(String(first?.command));
};
