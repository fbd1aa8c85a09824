import { FIGURES, highest } from './figures.ts';
import { type Recorded, recordsOf } from './history.ts';

const [PANEL, COLUMNS] = [{ width: 300, height: 150 }, 3] as const;
const PLOT = { left: 16, right: 284, top: 52, bottom: 122 };
/** Records that are drawn, the last ones. */
const SHOWN = 40;

const STYLE = `
  .page { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e }
  .axis { stroke: #d1d9e0 } .limit { stroke: #cf222e; stroke-dasharray: 4 3 } .line { stroke: #0969da; fill: none; stroke-width: 1.5 } .dot { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 }
    .axis { stroke: #3d444d } .limit { stroke: #f85149 } .line { stroke: #4493f8 } .dot { fill: #4493f8 }
  }`;

/** Draws each figure of the last records of one processor, that of the last: its course, and the highest value that passes. */
export function drawHistory(history: readonly Recorded[]): string {
  const processor = history.at(-1)?.processor ?? '';
  const shown = recordsOf(history, processor).slice(-SHOWN);
  const [width, height] = [PANEL.width * COLUMNS, PANEL.height * Math.ceil(FIGURES.length / COLUMNS)];
  const panels = FIGURES.map((figure, index) => {
    const [x, y] = [(index % COLUMNS) * PANEL.width, Math.floor(index / COLUMNS) * PANEL.height];
    return `<g transform="translate(${x} ${y})">\n${panelOf(figure, shown)}\n</g>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">`,
    `<title>The recorded figures of the guard on ${escaped(processor)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="6"/>`,
    ...panels,
    '</svg>',
  ].join('\n')}\n`;
}

function panelOf({ name, unit, what }: (typeof FIGURES)[number], shown: readonly Recorded[]): string {
  const values = shown.map(({ figures }) => figures[name]);
  const [last, most] = [values.at(-1) ?? 0, highest(values.at(-1) ?? 0)];
  const top = Math.max(most, ...values) * 1.05;
  const y = (value: number): string => (PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top)).toFixed(1);
  const step = (PLOT.right - PLOT.left) / Math.max(1, values.length - 1);
  const x = (index: number): string => (PLOT.left + index * step).toFixed(1);
  const dots = shown.map(({ date, commit, why }, index) => {
    const title = escaped(`${values[index]} ${unit}, ${date}, ${commit}: ${why}`);
    return `<circle class="dot" cx="${x(index)}" cy="${y(values[index] ?? 0)}" r="2.5"><title>${title}</title></circle>`;
  });
  const across = (className: string, height: number | string): string =>
    `<line class="${className}" x1="${PLOT.left}" x2="${PLOT.right}" y1="${height}" y2="${height}"/>`;
  return [
    `<text class="text" x="${PLOT.left}" y="22" font-size="14" font-weight="600">${name} ${last.toFixed(2)} ${unit}</text>`,
    `<text class="faint" x="${PLOT.right}" y="22" text-anchor="end">at most ${most.toFixed(2)} ${unit}</text>`,
    `<text class="faint" x="${PLOT.left}" y="38" font-size="9.5">${escaped(what)}</text>`,
    across('axis', PLOT.bottom),
    across('limit', y(most)),
    `<polyline class="line" points="${values.map((value, index) => `${x(index)},${y(value)}`).join(' ')}"/>`,
    ...dots,
    `<text class="faint" x="${PLOT.left}" y="137">${shown[0]?.date ?? ''}</text>`,
    `<text class="faint" x="${PLOT.right}" y="137" text-anchor="end">${shown.at(-1)?.date ?? ''}</text>`,
  ].join('\n');
}

const escaped = (text: string): string => text.replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`);
