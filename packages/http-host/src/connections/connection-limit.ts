/** Number of file descriptors that are kept free for the database, the log and connections to other services. */
const RESERVED = 192;
/** The maximum number of connections is at least this number, even if the limit of open files is very low. */
const LEAST = 32;

/**
 * Returns the maximum number of connections that leaves `RESERVED` file descriptors free. Without free descriptors, the
 * embedded database cannot open its files.
 *
 * @param limit maximum number of open files, from Node's process report; a value that is not a number means no limit
 */
export const connectionsWithin = (limit: unknown): number =>
  typeof limit === 'number' ? Math.max(LEAST, limit - RESERVED) : Number.POSITIVE_INFINITY;

/**
 * Returns the maximum number of connections of this process. Reads the soft limit of open files, which Node raises to
 * the hard limit when it starts.
 */
export function connectionLimit(): number {
  const { userLimits } = Object(process.report.getReport());
  return connectionsWithin(userLimits?.open_files?.soft);
}
