import { describe, expect, it } from 'vitest';
import { type OpenParts, opening } from '../src/program.ts';

/** A part of a program. When the part is closed, it records its name, and throws `fault` if a fault is given. */
function partOf(closed: string[], name: string, fault?: Error) {
  return {
    async close() {
      closed.push(name);
      if (fault) throw fault;
    },
  };
}

describe('opening', () => {
  it('closes the open parts in reverse order if a later part fails, and throws its error', async () => {
    const closed: string[] = [];
    const failing = opening(async (parts) => {
      parts.keep(partOf(closed, 'storage'));
      parts.keep(partOf(closed, 'parley'));
      throw new Error('the port is taken');
    });
    await expect(failing).rejects.toThrow('the port is taken');
    expect(closed).toEqual(['parley', 'storage']);
  });

  it('leaves all parts open if none fails; close closes each part once, even if one fails', async () => {
    const closed: string[] = [];
    const parts = await opening(async (open): Promise<OpenParts> => {
      open.keep(partOf(closed, 'storage'));
      open.keep(partOf(closed, 'parley', new Error('parley hangs')));
      open.keep(partOf(closed, 'server'));
      return open;
    });
    expect(closed).toEqual([]);
    await expect(parts.close()).rejects.toThrow('parley hangs');
    expect(closed).toEqual(['server', 'parley', 'storage']);
    await parts.close();
    expect(closed).toEqual(['server', 'parley', 'storage']);
  });
});
