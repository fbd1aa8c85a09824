import { existsSync } from 'node:fs';
import { type Copy, type Dockerfile, DockerfileParser, From, type Instruction } from 'dockerfile-ast';
import { ValidationSeverity, validate } from 'dockerfile-utils';

const STRICT = {
  deprecatedMaintainer: ValidationSeverity.ERROR,
  directiveCasing: ValidationSeverity.ERROR,
  emptyContinuationLine: ValidationSeverity.ERROR,
  instructionCasing: ValidationSeverity.ERROR,
  instructionCmdMultiple: ValidationSeverity.ERROR,
  instructionEntrypointMultiple: ValidationSeverity.ERROR,
  instructionHealthcheckMultiple: ValidationSeverity.ERROR,
  instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  instructionWorkdirRelative: ValidationSeverity.ERROR,
};
const SECRET = /(?:KEY|SECRET|TOKEN|PASSWORD)\w*=|DATABASE_URL=/i;
const PINNED = /:\d+\.\d+\.\d+(?:-[\w.]+)?(?:@sha256:[0-9a-f]{64})?$/;

/** Lists syntax errors of a Dockerfile and violations of this project's rules. */
export function faultsOf(text: string): string[] {
  const file = DockerfileParser.parse(text);
  const last = lastStageOf(file);
  return [
    ...validate(text, STRICT).map(({ message }) => (typeof message === 'string' ? message : message.value)),
    ...file.getFROMs().flatMap((from) => imageFault(file, from)),
    ...file.getInstructions().flatMap(instructionFaults),
    ...file.getCOPYs().flatMap(sourceFaults),
    ...['HEALTHCHECK', 'ENTRYPOINT']
      .filter((keyword) => !last.some((instruction) => instruction.getKeyword() === keyword))
      .map((keyword) => `The last stage has no ${keyword}.`),
    ...last
      .filter(
        (instruction) => instruction.getKeyword() === 'RUN' && /\b(?:npm|pnpm|apt-get)\b/.test(textOf(instruction)),
      )
      .map(() => 'The last stage installs something.'),
    ...userFaults(last),
  ];
}

export function lastStageOf(file: Dockerfile): Instruction[] {
  const instructions = file.getInstructions();
  return instructions.slice(instructions.findLastIndex((instruction) => instruction instanceof From));
}

const textOf = (instruction: Instruction): string => instruction.getArgumentsContent() ?? '';

function imageFault(file: Dockerfile, from: From): string[] {
  const image = from.getImage() ?? '';
  const isStage = file.getFROMs().some((stage) => stage !== from && stage.getBuildStage() === image);
  return isStage || PINNED.test(image) ? [] : [`${image} is not pinned to a version.`];
}

function instructionFaults(instruction: Instruction): string[] {
  const keyword = instruction.getKeyword();
  const text = textOf(instruction);
  if (keyword === 'ADD') return ['ADD fetches and unpacks; COPY does not.'];
  if ((keyword === 'ENV' || keyword === 'ARG') && SECRET.test(text)) return [`${keyword} keeps a secret in the image.`];
  if (keyword === 'RUN' && /\bcurl\b|\bwget\b|\bsudo\b/.test(text)) return ['RUN fetches what no lockfile holds.'];
  const isShellForm = (keyword === 'CMD' || keyword === 'ENTRYPOINT') && !text.startsWith('[');
  return isShellForm ? [`${keyword} runs in a shell, which passes no signal on.`] : [];
}

function sourceFaults(copy: Copy): string[] {
  const fromStage = copy.getFlags().some((flag) => flag.getName() === 'from');
  const sources = copy.getArguments().slice(0, -1);
  return fromStage
    ? []
    : sources
        .map(String)
        .flatMap((source) => (existsSync(source) ? [] : [`COPY takes ${source}, which is not there.`]));
}

function userFaults(stage: readonly Instruction[]): string[] {
  const users = stage.filter((instruction) => instruction.getKeyword() === 'USER').map(textOf);
  const user = users.at(-1);
  return user === undefined || /^(?:root|0)\b/.test(user) ? ['The image runs as root.'] : [];
}
