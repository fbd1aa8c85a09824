/** Milliseconds of the monotonic clock of the machine. All processes of the machine read the same clock. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
