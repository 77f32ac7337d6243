/** ferry as a library: run a command line in your own process. The only barrel. */
export type { Host, Input, Output } from './io/host.js';
export { host } from './io/host.js';
export { run } from './main.js';
