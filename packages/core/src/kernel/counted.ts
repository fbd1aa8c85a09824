/** A number with the singular or the plural of a phrase: `counted(1, 'thing blocks', 'things block')`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
