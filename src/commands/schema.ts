import * as z from 'zod/mini';
import { BaseError } from '../core/base/Errors.js';
import { define } from '../core/command/Command.js';
import { envelopeOf, errorEnvelope, eventSchema } from '../core/command/OutputSchema.js';
import { nearest } from '../core/text/DidYouMean.js';
import * as JsonText from '../core/text/JsonText.js';

export const command = define({
  description:
    'Prints the JSON Schema of a command’s --json output. “error” is the schema of every failure, “event” that of the lines that a streaming command prints before its result.',
  args: [
    {
      name: 'command',
      names: 'command',
      description: 'a command, such as quote or config list, or error, or event',
      variadic: true,
    },
  ],
  examples: [
    ['ferry schema quote', 'the envelope of ferry quote --json'],
    ['ferry schema config list', 'a command of two words'],
    ['ferry schema error', 'the envelope of every failure'],
    ['ferry schema event', 'the lines of ferry execute --json before the last one'],
  ],
  output: z.record(z.string(), z.unknown()),
  async run({ args }, { commands }) {
    const name = args.join(' ');
    if (name === 'error') return errorEnvelope();
    if (name === 'event') return eventSchema();
    const entry = commands.find((each) => each.name === name);
    if (!entry) {
      const names = commands.map((each) => each.name);
      const near = nearest(name, names);
      throw new BaseError('usage.invalid', `There is no command "${name}".`, {
        hint: near ? `Did you mean ${near}?` : undefined,
        next: 'ferry --help',
      });
    }
    return envelopeOf(name, (await entry.load()).output);
  },
  needsNoConfig: true,
  verbatim: true,
  view: (schema) => JsonText.document(schema),
});
