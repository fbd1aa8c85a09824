import { loadMission, MISSION_NAMES, type Mission, type MissionName, withModerator } from '@parley/missions';

/** The mission payment-capture with a moderator; includes everything that happens without a moderator. */
export const MODERATED = 'payment-capture, moderated';

/** The missions, and the moderated mission. */
export const STORIES = [...MISSION_NAMES, MODERATED] as const;

export type Story = MissionName | typeof MODERATED;

export const loadStory = async (name: Story): Promise<Mission> =>
  name === MODERATED ? withModerator(await loadMission('payment-capture')) : loadMission(name);
