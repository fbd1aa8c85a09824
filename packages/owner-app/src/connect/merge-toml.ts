import { MergeFault } from './merge-json.ts';

const TABLE = '[mcp_servers.parley]';
const OTHER_SPELLING =
  /^\s*(\[\s*"?mcp_servers"?\s*\.\s*["']?parley["']?\s*\]|"?mcp_servers"?\s*=|mcp_servers\s*\.\s*["']?parley\b|["']?parley["']?\s*=\s*\{)/m;

/**
 * Puts the lines of our table into a TOML file, and leaves every other line as it is. There is no parser here, so that
 * a file that spells the table in another way is refused.
 *
 * @param always lines that are ours; they replace those of the same keys
 * @param once lines for a table that is new
 */
export function mergeTable(text: string | undefined, always: readonly string[], once: readonly string[]): string {
  const table = [TABLE, ...always, ...once].join('\n');
  const before = (text ?? '').replace(/\s*$/, '');
  const lines = before.split('\n');
  const start = lines.findIndex((line) => line.trim() === TABLE);
  if (start < 0) {
    if (OTHER_SPELLING.test(before))
      throw new MergeFault('has the server parley already, in a form that is not read here');
    return before === '' ? `${table}\n` : `${before}\n\n${table}\n`;
  }
  if (/"""|'''/.test(before)) throw new MergeFault('has texts over several lines, which are not read here');
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  const end = next < 0 ? lines.length : next;
  const kept = lines.slice(start + 1, end).filter((line) => !always.some((mine) => keyOf(mine) === keyOf(line)));
  if (kept.some((line) => keyOf(line) === 'command')) {
    throw new MergeFault('has another server named parley, which is a program');
  }
  return `${[...lines.slice(0, start + 1), ...always, ...kept, ...lines.slice(end)].join('\n')}\n`;
}

const keyOf = (line: string): string | undefined => /^\s*["']?([\w-]+)["']?\s*=/.exec(line)?.[1];
