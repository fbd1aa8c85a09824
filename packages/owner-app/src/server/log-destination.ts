import type { WriteStream } from 'node:tty';
import { isSuccess, readableLine } from './readable-line.ts';

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
