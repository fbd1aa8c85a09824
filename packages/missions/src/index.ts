export { type Actor, type BotCall, runWithBots } from './bot.ts';
export {
  type Agent,
  type Builder,
  loadMission,
  MISSION_NAMES,
  Mission,
  type MissionName,
  type Outcome,
  PARTS,
  type Part,
  readMission,
  type Step,
} from './mission.ts';
export { isModerated, withModerator } from './moderation.ts';
export { joinAgents, readOutcome, runMission, type StepResult } from './run-mission.ts';
export type { CallByName, CallTool, Invitation, JoinedAgents, Json, OwnerApi, Transport } from './transport.ts';
