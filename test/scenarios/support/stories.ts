import { loadMission, MISSION_NAMES, type Mission, type MissionName, withModerator } from '@parley/missions';

/** The mission payment-capture as it goes with a moderator: all that it has without one happens there too. */
export const MODERATED = 'payment-capture, moderated';

/** The missions, and the one that a moderator has a part in. */
export const STORIES = [...MISSION_NAMES, MODERATED] as const;

export type Story = MissionName | typeof MODERATED;

export const loadStory = async (name: Story): Promise<Mission> =>
  name === MODERATED ? withModerator(await loadMission('payment-capture')) : loadMission(name);
