import { visible, visibleJson } from '../text/visible.ts';
import { passwordsIn, withoutSecrets } from './passwords.ts';
import type { Terminal } from './terminal.ts';

const ESCAPE = '\u001b';

/**
 * The only way from a command to the terminal: makes the characters visible that could move the cursor, change colours or
 * the window, or hide or reorder letters, because a server may have put them into its answer. The escape sequences of
 * `paint` pass: until then they begin with a random mark, which no server knows. Bytes are JSON lines, in which these
 * characters are escaped. No error contains a password, a secret or a key of the environment or of an argument. The command
 * reads the key and the token in the environment as a request has them, without blanks around them.
 */
export function guardedTerminal(terminal: Terminal, args: readonly string[] = []): Terminal {
  const { question, secret, pager, status } = terminal;
  const environment = asSent(terminal.environment);
  const mark = `{${crypto.randomUUID()}}`;
  const safe = (text: string): string => visible(text).replaceAll(mark, ESCAPE);
  const withoutKnown = withoutSecrets(secretsOf(environment, args));
  const decoder = new TextDecoder();
  return {
    ...terminal,
    environment,
    paint: (format, text) => terminal.paint(format, visible(text)).replaceAll(ESCAPE, mark),
    out: (line) => terminal.out(safe(line)),
    err: (line) => terminal.err(safe(withoutKnown(line))),
    write: (chunk) => terminal.write(new TextEncoder().encode(visibleJson(decoder.decode(chunk, { stream: true })))),
    ...(question && { question: (text: string) => question(safe(text)) }),
    ...(secret && { secret: (text: string) => secret(safe(text)) }),
    ...(pager && { pager: (text: string) => pager(safe(text)) }),
    ...(status && { status: (line: string) => status(safe(line)) }),
  };
}

/** Variables whose value is sent in a header. */
const SENT = ['PARLEY_OWNER_KEY', 'PARLEY_TOKEN'];

/** Removes the blanks around these values, as `fetch` does around a header: a server sends them back without. */
const asSent = (environment: Terminal['environment']): Terminal['environment'] => ({
  ...environment,
  ...Object.fromEntries(SENT.filter((name) => environment[name]).map((name) => [name, environment[name]?.trim()])),
});

/** Variables whose whole value is secret. */
const SECRET = /^(?:PARLEY|AWS)_.*(?:KEY|SECRET|TOKEN)$/;

const secretsOf = (environment: Terminal['environment'], args: readonly string[]): (string | undefined)[] => [
  ...Object.entries(environment).flatMap(([name, value = '']) => [
    ...passwordsIn(value),
    ...(SECRET.test(name) ? [value.trim()] : []),
  ]),
  ...args.flatMap((argument) => passwordsIn(argument.replace(/^--[\w-]+=/, ''))),
];
