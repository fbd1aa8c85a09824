import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Environment = Readonly<Record<string, string | undefined>>;

/** What `less` does if LESS is not set: it ends if the text fits on the screen, shows colours, and leaves the text there. */
const LESS = 'FRX';
/** The exit code of a shell that does not find a program. */
const NOT_FOUND = 127;

/** The command of the pager in PAGER, by default `less`. Undefined if nobody could read in a pager, or if PAGER is empty. */
export function pagerOf({ PAGER = 'less', CI, TERM }: Environment, isTerminal: boolean): string | undefined {
  const isOff = !isTerminal || CI || TERM === 'dumb' || process.platform === 'win32';
  return isOff || PAGER.trim() === '' || PAGER === 'cat' ? undefined : PAGER;
}

/** Shows a text in a pager. Resolves when the person has left the pager; with false if the pager is not installed. */
export async function showInPager(pager: string, text: string, environment: Environment): Promise<boolean> {
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS, ...environment },
  });
  // A person may leave the pager before it has read the whole text.
  child.stdin.on('error', () => undefined);
  // Ctrl+C is for the pager. If this program ended, pager and shell would read from the same terminal.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    child.stdin.end(text);
    const [code] = await once(child, 'close');
    return code !== NOT_FOUND;
  } finally {
    process.off('SIGINT', ignore);
  }
}
