import type { CheckResult } from './check-result.ts';

const SHOWN = 5;

export function tableOf(results: readonly CheckResult[]): string {
  const rows = results.map(({ check, looked, faults, note }) => [
    faults.length === 0 ? 'ok' : `${faults.length} WRONG`,
    check,
    looked + (note ? `; ${note}` : ''),
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const wrong = results.filter(({ faults }) => faults.length > 0);
  return [...lines.map((line) => line.trimEnd()), ...wrong.flatMap(linesOf)].join('\n');
}

function linesOf({ check, faults }: CheckResult): string[] {
  const more = faults.length > SHOWN ? [`  and ${faults.length - SHOWN} more`] : [];
  return [`not so: ${check}`, ...faults.slice(0, SHOWN).map((fault) => `  ${fault.slice(0, 400)}`), ...more];
}
