import type { Frame } from './frames.ts';
import { ORIGINS, originOf } from './origins.ts';

const WIDTH = 1200;
const ROW = 16;
const HEAD = 64;
/**
 * Minimum width of a drawn frame, in pixels. Narrower frames are left out: their labels would not be readable, and they
 * would be most of the file.
 */
const LEAST_WIDTH = 1.5;
/** Width of a character of a label in pixels, at 11 px monospace. */
const CHARACTER = 6.7;

export interface Caption {
  readonly title: string;
  /** Number of requests in the profile. The graph shows times divided by this number. */
  readonly requests: number;
}

/**
 * Draws a flame graph as SVG. The width of a frame is its processor time. Each function is drawn above its caller, and
 * a tooltip shows its name, its file and its microseconds for each request.
 */
export function drawFlames(root: Frame, { title, requests }: Caption): string {
  const scale = WIDTH / root.us;
  const rows = depthOf(root, scale);
  const height = HEAD + rows * ROW + 4;
  const rects: string[] = [];

  const draw = (frame: Frame, x: number, depth: number): void => {
    const width = frame.us * scale;
    if (width < LEAST_WIDTH) return;
    rects.push(rectOf(frame, { x, y: height - (depth + 1) * ROW, width, requests }));
    let left = x;
    for (const child of frame.children) {
      draw(child, left, depth + 1);
      left += child.us * scale;
    }
  };
  draw(root, 0, 0);

  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">`,
    `<title>${escaped(title)}</title>`,
    '<style>rect{stroke:#fff;stroke-width:.4}text{pointer-events:none}</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="8" y="20" font-size="15">${escaped(title)}</text>`,
    `<text x="8" y="38">${escaped(`${shown(root.us / requests)} of processor time a request, ${requests.toLocaleString('en-US')} requests; a frame is as wide as its time`)}</text>`,
    legend(),
    ...rects,
    '</svg>',
  ].join('\n')}\n`;
}

const depthOf = (frame: Frame, scale: number): number =>
  frame.us * scale < LEAST_WIDTH ? 0 : 1 + Math.max(0, ...frame.children.map((child) => depthOf(child, scale)));

function legend(): string {
  let x = 8;
  return ORIGINS.map(({ name, colour }) => {
    const at = x;
    x += 16 + name.length * CHARACTER + 14;
    return `<rect x="${at.toFixed(1)}" y="46" width="11" height="11" fill="${colour}"/><text x="${(at + 15).toFixed(1)}" y="56">${escaped(name)}</text>`;
  }).join('');
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly requests: number;
}

function rectOf(frame: Frame, { x, y, width, requests }: Place): string {
  const { name, file, us } = frame;
  const chars = Math.floor((width - 4) / CHARACTER);
  const label = chars < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(cut(name, chars))}</text>`;
  const title = escaped(`${name}${file && ` ${file}`}: ${shown(us / requests)}`);
  const rect = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW}" fill="${originOf(frame).colour}">`;
  return `${rect}<title>${title}</title></rect>${label}`;
}

const shown = (us: number): string => `${us.toFixed(us < 10 ? 1 : 0)} µs`;

const cut = (text: string, chars: number): string => (text.length <= chars ? text : `${text.slice(0, chars - 1)}…`);

const escaped = (text: string): string => text.replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`);
