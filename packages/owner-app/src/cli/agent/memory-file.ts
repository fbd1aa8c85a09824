import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** Data that a command stores for its next run. */
export interface MemoryFile<T> {
  readonly path: string;
  /** Undefined if there is no such file, or if its content has another form. */
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** A JSON file of mode 0600. A write replaces it as a whole, so a killed process leaves the old or the new content. */
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
