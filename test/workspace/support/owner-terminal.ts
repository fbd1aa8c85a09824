import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExitCode, runCli, type Terminal } from '@parley/owner-app';

export interface Ran {
  readonly command: string;
  readonly code: ExitCode;
  readonly output: string;
}

interface Shell {
  readonly environment: Readonly<Record<string, string>>;
  /** What stdin of each command contains. */
  readonly stdin?: readonly string[];
}

/** Runs the `parley` commands of a document in the process of the test. The files that they name are in `folder`. */
export async function runLines(block: string, folder: string, { environment, stdin = [] }: Shell): Promise<Ran[]> {
  const ran: Ran[] = [];
  const lines = [...stdin];
  for (const line of block.trim().split('\n')) {
    const [command = '', target] = line.split(/ > (?=\S+$)/);
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const code = await runCli(wordsOf(command, folder), terminalOf(say, environment, lines.shift()));
    const output = `${said.join('\n')}\n`;
    if (target !== undefined) writeFileSync(join(folder, target), output);
    ran.push({ command: line, code, output });
  }
  return ran;
}

/** Splits a line into words like a shell. Supports only plain words and words in double quotes. */
function wordsOf(line: string, folder: string): string[] {
  const [npx, parley, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  );
  if (npx !== 'npx' || parley !== 'parley') throw new Error(`${line} is no line of npx parley.`);
  return words.map((word) => (/^session\.jsonl?$/.test(word) ? join(folder, word) : word));
}

function terminalOf(say: (text: string) => void, environment: Readonly<Record<string, string>>, stdin = ''): Terminal {
  return {
    out: say,
    err: say,
    write: async (chunk) => say(new TextDecoder().decode(chunk).trimEnd()),
    columns: 110,
    input: async () => stdin,
    isInteractive: false,
    paint: (_style, text) => text,
    program: 'npx parley',
    programPath: ['npx', 'parley'],
    environment,
  };
}
