import { rm } from 'node:fs/promises';
import type { z } from 'zod';
import { readRegularFile } from '../../server/access/owner-key.ts';
import { reserveFile } from '../reserved-file.ts';

export interface MemoryFile<T> {
  readonly path: string;
  /** Returns the stored data, or undefined if the file does not exist or its content does not match the schema. */
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  /** Makes sure that a value can be written. Returns the functions that write it, or leave the file as it was. */
  reserve(): Promise<{ write(value: T): Promise<void>; giveUp(): Promise<void> }>;
  remove(): Promise<void>;
}

/** A JSON file in which a command stores data for its next run. A write replaces the whole file atomically. */
export function memoryFile<T>(path: string, schema: z.ZodType<T>): MemoryFile<T> {
  const reserve: MemoryFile<T>['reserve'] = async () => {
    const { keep, giveUp } = await reserveFile(path);
    return { giveUp, write: (value) => keep(`${JSON.stringify(value)}\n`, path) };
  };
  return {
    path,
    async read() {
      const text = (await readRegularFile(path).catch(() => undefined)) ?? '';
      return schema.safeParse(parsed(text)).data;
    },
    reserve,
    write: async (value) => (await reserve()).write(value),
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
