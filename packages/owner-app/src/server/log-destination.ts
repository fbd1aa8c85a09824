import type { WriteStream } from 'node:tty';
import { parseOrNull } from '@parley/core';
import { z } from 'zod';
import { createPaint } from '../text/page.ts';

/**
 * Writes log lines to a stream: as short coloured lines if the stream is a terminal, otherwise as JSON lines.
 * @param logsSuccesses whether a terminal gets the lines of requests that succeed. If false, the addresses and the
 * owner key, which are printed at the start, stay on the screen longer
 */
export function logDestination(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  logsSuccesses: boolean,
): { write(line: string): void } {
  if (!stream.isTTY) return { write: (line) => void stream.write(line) };
  return {
    write: (line) => {
      if (logsSuccesses || !isSuccess(line)) stream.write(readableLine(line));
    },
  };
}

const Entry = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.number().optional(),
  ms: z.number().optional(),
});

const paint = createPaint(true);

/** Whether a JSON log line is that of a request with a status below 400. */
function isSuccess(line: string): boolean {
  const { method, status } = Entry.safeParse(parseOrNull(line)).data ?? {};
  return method !== undefined && status !== undefined && status < 400;
}

/** Formats a JSON log line for a terminal. A line of another form is returned unchanged. */
export function readableLine(line: string): string {
  const { success, data } = Entry.safeParse(parseOrNull(line));
  if (!success) return line;
  const { level, time, msg = '', method, path, status, ms, ...rest } = data;
  const clock = paint('dim', time.slice(11, 19));
  if (method && path)
    return `${clock} ${paint(statusColour(status), String(status))} ${method} ${path} ${paint('dim', `${ms} ms`)}\n`;
  const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  return `${clock} ${paint(level === 'info' ? 'green' : 'red', level)} ${msg}${more}\n`;
}

const statusColour = (status = 0) => (status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green');
