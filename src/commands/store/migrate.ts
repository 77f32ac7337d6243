import { define } from '../../core/command/Command.js';
import { command as init, output } from './init.js';

export const command = define({
  description:
    'Adds to the tables of the store what this version of ferry needs. Migrations only add, so machines with the version before go on beside newer ones.',
  examples: [
    ['ferry store migrate', 'before the first machine gets a new version'],
    ['ferry store migrate --json', 'the versions before and after'],
  ],
  output,
  run: init.run,
  view: init.view,
});
