/**
 * Returns a number with a phrase, in the singular for 1 and otherwise in the plural: `counted(1, 'task waits', 'tasks wait')`.
 */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Returns a number with a noun, of which the plural ends in `s`: `plural(2, 'task')`. */
export const plural = (count: number, noun: string): string => counted(count, noun, `${noun}s`);
