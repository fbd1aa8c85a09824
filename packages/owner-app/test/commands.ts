import { runCli } from '../src/cli/program.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { KEY } from './running-app.ts';

interface Looking {
  readonly key?: string;
  readonly columns?: number;
}

/** Returns a function that runs command lines at a server, with the owner key unless another one is given. */
export const commandsAt =
  (PARLEY_URL: string, { key = KEY, columns = 80 }: Looking = {}) =>
  async (...args: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_URL, PARLEY_OWNER_KEY: key }, columns);
    const code = await runCli(args, terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
