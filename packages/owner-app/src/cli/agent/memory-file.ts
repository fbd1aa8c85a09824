import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { readRegularFile } from '../../server/access/regular-file.ts';

export interface MemoryFile<T> {
  readonly path: string;
  /** Returns the stored data, or undefined if the file does not exist or its content does not match the schema. */
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** A JSON file in which a command stores data for its next run. A write replaces the whole file atomically. */
export function memoryFile<T>(path: string, schema: z.ZodType<T>): MemoryFile<T> {
  return {
    path,
    async read() {
      const text = (await readRegularFile(path).catch(() => undefined)) ?? '';
      return schema.safeParse(parsed(text)).data;
    },
    async write(value) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      try {
        await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
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
