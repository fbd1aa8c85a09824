import {
  type JoinedAgents,
  loadMission,
  type Mission,
  PARTS,
  runMission,
  type Step,
  withModerator,
} from '@parley/missions';
import { agentsIn } from './agents.ts';
import type { Site } from './site.ts';

/** Cuts the mission before the first step that `isNext` accepts. */
export function upTo(mission: Mission, isNext: (step: Step) => boolean): Mission {
  let isOver = false;
  const kept = PARTS.map((part) => [
    part,
    mission[part].filter((step) => {
      isOver ||= isNext(step);
      return !isOver;
    }),
  ]);
  return { ...mission, ...Object.fromEntries(kept) };
}

export const calls =
  (name: string, input: Readonly<Record<string, unknown>> = {}) =>
  ({ call, input: given }: Step): boolean =>
    call === name && Object.entries(input).every(([member, value]) => given[member] === value);

export const loadModerated = async (): Promise<Mission> => withModerator(await loadMission('payment-capture'));

/** Plays a mission in process, without HTTP. */
export const playAt = (site: Site, mission: Mission): Promise<JoinedAgents> =>
  runMission(mission, { owner: site.owner, agents: agentsIn(site.parley) });
