/** The host of this process, with a state folder of its own. */
import { host } from '../../src/io/terminal/host.js';

export const hostAt = (stateDir: string) => ({
  ...host(new AbortController().signal),
  env: { FERRY_STATE_DIR: stateDir },
});
