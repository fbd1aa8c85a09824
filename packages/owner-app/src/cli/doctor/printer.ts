import { plural } from '@parley/core/text';
import type { Page } from '../../text/page.ts';
import { visible } from '../../text/visible.ts';
import { padText, wrapText } from '../../text/width.ts';
import type { CheckResult } from './run-checks.ts';

const WORDS = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const;
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const NAME_COLUMNS = 18;
const INDENT = 6;

export function resultLines({ name, standing, found, advice }: CheckResult, { columns, paint }: Page): string[] {
  const margin = ' '.repeat(INDENT + NAME_COLUMNS);
  const width = Math.max(20, columns - margin.length);
  const head = paint(COLOURS[standing], padText(WORDS[standing], INDENT)) + padText(name, NAME_COLUMNS);
  const [first = '', ...more] = wrapText(visible(found), width, 'keep');
  const next = advice === undefined ? [] : wrapText(`→ ${visible(advice)}`, width, 'keep');
  return [`${head}${first}`, ...[...more, ...next].map((line) => margin + line)];
}

export function summaryLine(all: readonly CheckResult[], { paint }: Page): string {
  const [fails = 0, warnings = 0] = (['fail', 'warn'] as const).map(
    (which) => all.filter(({ standing }) => standing === which).length,
  );
  if (!fails && !warnings) return paint('green', 'No faults.');
  return `${plural(fails, 'failure')}, ${plural(warnings, 'warning')}.`;
}
