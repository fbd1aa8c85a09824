import type { TestProject } from 'vitest/node';
import { provideBaseImage } from './base-image.ts';
import { type ContainerTool, findContainerTool } from './container-tool.ts';

const TAG = 'localhost/parley-test:latest';
/** Where the certificates of the machine are mounted while the image is built. */
const CERTIFICATES = '/run/build-certificates.pem';

/** Builds the image of the Dockerfile once. Provides its tag, or null if the machine has no tool that can build it. */
export function setup(project: TestProject): void {
  const tool = findContainerTool();
  const missing = typeof tool === 'string' ? tool : provideBaseImage(tool);
  if (typeof tool === 'string' || missing !== undefined) {
    console.log(`The image is not tested: ${missing}.`);
    project.provide('image', null);
    return;
  }
  const begin = performance.now();
  build(tool);
  project.provide('image', TAG);
  console.log(`${tool.name} built ${TAG} in ${Math.round((performance.now() - begin) / 1000)} s.`);
}

/**
 * Builds with the certificates that NODE_EXTRA_CA_CERTS names, for a network that inspects TLS. They are mounted only
 * for the stage that needs the network, because a mount leaves an empty file in a layer.
 */
function build(tool: ContainerTool): void {
  const bundle = process.env.NODE_EXTRA_CA_CERTS;
  const common = [
    'build',
    '--network',
    'host',
    ...(tool.name === 'podman' ? ['--format', 'docker', '--pull=never'] : []),
  ];
  if (tool.name !== 'podman' || !bundle) {
    tool.show(...common, '--tag', TAG, '.');
    return;
  }
  const argument = ['--build-arg', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`];
  tool.show(...common, ...argument, '--volume', `${bundle}:${CERTIFICATES}:ro`, '--target', 'build', '.');
  tool.show(...common, ...argument, '--tag', TAG, '.');
}
