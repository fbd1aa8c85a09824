export { loadMission, MISSION_NAMES, type MissionName, readMission } from './load.ts';
export { type Builder, Mission, type Outcome, type Step } from './mission.ts';
export {
  type AgentFace,
  type Cast,
  gatherAgents,
  type Invitation,
  type Json,
  type OwnerFace,
  type Played,
  playMission,
  readOutcome,
  type Stage,
} from './play.ts';
