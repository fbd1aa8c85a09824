import { loadMission, MISSION_NAMES, type Mission, type MissionName, withModerator } from '@parley/missions';

/**
 * Name of the story in which a moderator takes part in the mission payment-capture. It contains every step of the story
 * `payment-capture`, and the steps of the moderator.
 */
export const MODERATED = 'payment-capture, moderated';

export const STORIES = [...MISSION_NAMES, MODERATED] as const;

export type Story = MissionName | typeof MODERATED;

export const loadStory = async (name: Story): Promise<Mission> =>
  name === MODERATED ? withModerator(await loadMission('payment-capture')) : loadMission(name);
