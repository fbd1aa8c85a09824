import { expect, test } from 'vitest';
import { settingsFolder } from '../../src/cli/connect/redeem.ts';

test.each([
  [{ HOME: '/home/ada' }, '/home/ada/.config/parley'],
  [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/parley'],
  [{ HOME: '/home/ada', XDG_CONFIG_HOME: './cfg' }, '/home/ada/.config/parley'],
  [{ HOME: '/home/ada', XDG_CONFIG_HOME: '' }, '/home/ada/.config/parley'],
])('tokens are stored outside of the folder in which a command runs: %j', (environment, folder) => {
  expect(settingsFolder(environment)).toBe(folder);
});
