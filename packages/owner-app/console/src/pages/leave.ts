import type { Leaving } from '../api/types.ts';
import type { Leaver } from './left-behind.tsx';

/**
 * Makes a call that takes rights from people, and shows what they leave behind. `end` of the shown leaver repeats the call so
 * that it also ends the access that they gave to agents.
 */
export async function leave(
  name: string,
  call: (end_access?: true) => Promise<Leaving>,
  show: (leaver: Leaver) => void,
): Promise<void> {
  const send = async (end_access?: true): Promise<void> => {
    const { left } = await call(end_access);
    if (left) show({ name, left, end: () => send(true) });
  };
  await send();
}
