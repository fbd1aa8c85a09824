/** A number with the words that fit it: `counted(1, 'thing blocks', 'things block')`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
