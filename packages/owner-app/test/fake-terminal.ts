import type { Terminal } from '../src/cli/terminal.ts';
import { createPaint } from '../src/text/page.ts';

export interface FakeTerminal extends Terminal {
  output(): string;
  errors(): string;
}

/** A terminal without colours that records what is written to it. By default, it is 80 columns wide. */
export function fakeTerminal(environment: Record<string, string> = {}, columns = 80): FakeTerminal {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    write: async (chunk) => void out.push(new TextDecoder().decode(chunk).trimEnd()),
    input: async () => '',
    columns,
    isInteractive: false,
    paint: createPaint(false),
    program: 'parley',
    programPath: ['/usr/bin/node', '/opt/parley/bin/parley.js'],
    environment,
    output: () => out.join('\n'),
    errors: () => err.join('\n'),
  };
}
