/** A number and a phrase, in the singular for 1 and else in the plural: `counted(1, 'thing blocks', 'things block')`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
