import { readFileSync } from 'node:fs';
import { processTerminal, runCli } from '@parley/owner-app';

export const file = 'docs/images/demo.svg';

const COLUMNS = 100;
const ROWS = 26;
const LINE_HEIGHT = 18;
const CHARACTER = 7.83;
const SECONDS_PER_SCREEN = 5;
/** The line of the output with which each screen begins. The screen before the first one has the command. */
const SCREENS = [
  /turn 1, round 1/,
  /turn 2, round 1/,
  /names Ledger agent .* as Contract Author/,
  /raises f_1/,
  /judges v-retries-book-once\/1: FAIL/,
  /^checks$/,
];

const { name } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
const PROGRAM = `npx -y ${name}`;

/** Colours of ANSI on a dark ground, each readable on it. */
const COLOURS: Readonly<Record<string, string>> = {
  31: '#ff9aa0',
  32: '#6fd79b',
  33: '#f2bf6b',
  34: '#93b4ff',
  35: '#e39be6',
  36: '#6cd0e4',
  90: '#8b93a5',
};

const ESCAPE = String.fromCharCode(27);
const ESCAPES = new RegExp(`${ESCAPE}\\[(\\d+)m`, 'g');
const TIME = new RegExp(`(?:,| {2})?(?:${ESCAPE}\\[\\d+m)* *\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC`);

/** Runs the demo, and draws what it prints: one screen after the other, each from a line on that shows a step of the session. */
export async function render(): Promise<string> {
  const lines = await output();
  const starts = [0, ...SCREENS.map((wanted) => lines.findIndex((line) => wanted.test(plain(line))))];
  if (starts.includes(-1)) throw new Error(`The demo prints no line ${SCREENS[starts.indexOf(-1) - 1]}`);
  return drawing(starts.map((start) => lines.slice(start, start + ROWS)));
}

/** The lines of the demo as a terminal shows them. Times of day are left out, because they differ from run to run. */
async function output(): Promise<string[]> {
  const lines = [`${ESCAPE}[32m$${ESCAPE}[39m ${PROGRAM} demo`];
  const { FORCE_COLOR, NO_COLOR } = process.env;
  process.env.FORCE_COLOR = '1';
  delete process.env.NO_COLOR;
  const terminal = processTerminal();
  if (FORCE_COLOR === undefined) delete process.env.FORCE_COLOR;
  if (NO_COLOR !== undefined) process.env.NO_COLOR = NO_COLOR;
  const exit = await runCli(['demo', '--standalone', '--fast'], {
    ...terminal,
    columns: COLUMNS,
    program: PROGRAM,
    out: (line) => void lines.push(...line.split('\n')),
  });
  if (exit !== 0) throw new Error(`The demo ended with ${exit}`);
  const shown = lines.map((line) => line.replace(TIME, ''));
  const long = shown.find((line) => plain(line).length > COLUMNS);
  if (long !== undefined) throw new Error(`A line of the demo is too long: ${long}`);
  return shown;
}

const plain = (line: string): string => line.replace(ESCAPES, '');

interface Part {
  readonly text: string;
  readonly style: string;
}

function partsOf(line: string): Part[] {
  const parts: Part[] = [];
  let colour: string | undefined;
  let isBold = false;
  let from = 0;
  const add = (text: string): void => {
    if (text === '') return;
    const styles = [colour && `fill="${colour}"`, isBold && 'font-weight="bold"'].filter(Boolean);
    parts.push({ text, style: styles.map((one) => ` ${one}`).join('') });
  };
  for (const match of line.matchAll(ESCAPES)) {
    add(line.slice(from, match.index));
    from = match.index + match[0].length;
    const code = match[1] ?? '';
    if (code === '1') isBold = true;
    else if (code === '2') colour = COLOURS[90];
    else if (code === '22') {
      isBold = false;
      if (colour === COLOURS[90]) colour = undefined;
    } else if (code === '39') colour = undefined;
    else colour = COLOURS[code] ?? colour;
  }
  add(line.slice(from));
  return parts;
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function drawing(screens: readonly (readonly string[])[]): string {
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER) + 32, ROWS * LINE_HEIGHT + 56];
  const whole = screens.length * SECONDS_PER_SCREEN;
  const shown = (100 / screens.length).toFixed(3);
  const row = (line: string, index: number): string =>
    `<text x="16" y="${52 + index * LINE_HEIGHT}">${partsOf(line)
      .map(({ text, style }) => (style ? `<tspan${style}>${escaped(text)}</tspan>` : escaped(text)))
      .join('')}</text>`;
  const groups = screens.map(
    (lines, index) => `<g style="animation-delay:${index * SECONDS_PER_SCREEN}s">\n${lines.map(row).join('\n')}\n</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">The output of ${PROGRAM} demo: two agents plan, agree on a contract, fail a test, fix it, and reach a certified board</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e7e9ee; white-space: pre }
g { opacity: 0; animation: show ${whole}s step-end infinite }
g:last-of-type { opacity: 1 }
@keyframes show { 0% { opacity: 1 } ${shown}% { opacity: 0 } 100% { opacity: 0 } }
@media (prefers-reduced-motion: no-preference) { g:last-of-type { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { g { animation: none } }
</style>
<rect width="100%" height="100%" rx="10" fill="#101218"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${groups.join('\n')}
</svg>
`;
}
