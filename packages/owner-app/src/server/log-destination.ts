import type { WriteStream } from 'node:tty';
import { readableLine } from './readable-line.ts';

/** Writes log lines to a stream: as short coloured lines if the stream is a terminal, otherwise as JSON lines. */
export const logDestination = (stream: Pick<WriteStream, 'isTTY' | 'write'>): { write(line: string): void } => ({
  write: (line) => void stream.write(stream.isTTY ? readableLine(line) : line),
});
