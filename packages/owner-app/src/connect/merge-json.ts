type Members = Readonly<Record<string, unknown>>;

/** A file that nothing can be added to without guessing. The message goes on after the name of the file. */
export class MergeFault extends Error {
  override readonly name = 'MergeFault';
}

/** Changes one JSON object file and leaves everything else in it as it is; indented as it was. */
export function editJson(text: string | undefined, edit: (file: Members) => Members): string {
  if (text === undefined || text.trim() === '') return `${JSON.stringify(edit({}), null, 2)}\n`;
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? 2;
  return `${JSON.stringify(edit(parseFile(text)), null, indent)}\n`;
}

function parseFile(text: string): Members {
  try {
    return recordOf(JSON.parse(text.replace(/^\ufeff/, '')), 'it');
  } catch (error) {
    if (error instanceof MergeFault) throw error;
    throw new MergeFault('is not plain JSON; comments would be lost');
  }
}

/** The members of an object, or none where there is nothing yet. */
export function recordOf(value: unknown, what: string): Members {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new MergeFault(`is of another shape: ${what} is no object`);
}

/** The list of a member, or an empty one where there is nothing yet. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new MergeFault(`is of another shape: ${what} is no list`);
}

/** Our server among others; what somebody added to ours stays, but not where it is a program instead of an address. */
export function withServer(file: Members, list: string, server: Members): Members {
  const servers = recordOf(file[list], list);
  const before = recordOf(servers.parley, `${list}.parley`);
  if ('command' in before) throw new MergeFault('has another server named parley, which is a program');
  const headers = { ...recordOf(before.headers, 'headers'), ...recordOf(server.headers, 'headers') };
  return { ...file, [list]: { ...servers, parley: { ...before, ...server, headers } } };
}
