/** File descriptors reserved for the database, the log and connections to other services. */
const RESERVED = 192;
/** Minimum number of connections, so that a server with a tiny limit still works. */
const LEAST = 32;

/**
 * Maximum number of connections with which the process never runs out of file descriptors; without a free one the
 * embedded database cannot open its files.
 * @param limit the limit of open files, as the process report names it
 */
export const connectionsWithin = (limit: unknown): number =>
  typeof limit === 'number' ? Math.max(LEAST, limit - RESERVED) : Number.POSITIVE_INFINITY;

/** The limit of this process. Node raises the soft limit to the hard one when it starts. */
export function connectionLimit(): number {
  const { userLimits } = Object(process.report.getReport());
  return connectionsWithin(userLimits?.open_files?.soft);
}
