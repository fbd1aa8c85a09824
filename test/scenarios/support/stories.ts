import { loadMission, MISSION_NAMES, type Mission, type MissionName, withModerator } from '@parley/missions';

/** Name of the mission payment-capture with a moderator. It contains everything of the mission without one. */
export const MODERATED = 'payment-capture, moderated';

/** All missions, and the mission payment-capture with a moderator. */
export const STORIES = [...MISSION_NAMES, MODERATED] as const;

export type Story = MissionName | typeof MODERATED;

export const loadStory = async (name: Story): Promise<Mission> =>
  name === MODERATED ? withModerator(await loadMission('payment-capture')) : loadMission(name);
