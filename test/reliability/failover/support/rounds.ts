const SHORT = 2;

export const rounds = (full: number): number => (process.env.FAILOVER_ROUNDS === 'short' ? SHORT : full);

export const ms = (duration: number): string => `${Math.round(duration).toLocaleString('en')} ms`;
