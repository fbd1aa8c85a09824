import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** A file in which a command stores data for its next run. */
export interface MemoryFile<T> {
  readonly path: string;
  /** Reads the file. Undefined if it does not exist or its content does not match the schema. */
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A JSON file with mode 0600. A write replaces the whole file atomically: even after a crash it has either its old or its
 * new content.
 */
export function memoryFile<T>(path: string, schema: z.ZodType<T>): MemoryFile<T> {
  return {
    path,
    async read() {
      const text = await readFile(path, 'utf8').catch(() => '');
      return schema.safeParse(parsed(text)).data;
    },
    async write(value) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
      await rename(draft, path);
    },
    remove: () => rm(path, { force: true }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
