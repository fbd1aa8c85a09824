/** Removes the routes that only REST adds beside the names of tools in a hint. */
export const withoutRoutes = (text: string): string => text.replace(/(?<=\w+_\w+) \((?:GET|POST) [a-z/-]+\)/g, '');
