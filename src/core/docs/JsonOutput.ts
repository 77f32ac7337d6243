/** `ferry help json`: the envelopes that --json prints. */
import type { Document } from './HelpDocument.js';

/** An example of a success. */
const success = '{"schema":"ferry.config-get/1","ok":true,"network":"sandbox","data":{…},"warnings":[]}';

/** An example of a failure. */
const failure = [
  '{"schema":"ferry.error/1","ok":false,"network":"sandbox","error":{',
  '  "code":"service.unreachable","message":"…","facts":{…},',
  '  "hint":"…","next":"ferry sandbox start",',
  '  "retryable":true,"funds":"untouched","exit":3}}',
];

export function document(): Document {
  return [
    [
      'JSON',
      'With --json, stdout is one document on one line, whether the command succeeds, fails or is mistyped; nothing else is ever written to stdout. Help alone stays text. The exit code is the same as without --json.',
      { lines: [success] },
      'A failure, here wrapped for readability:',
      { lines: failure },
      {
        terms: [
          ['schema', 'the type of the document; the number increases when the meaning of a field changes'],
          ['network', 'the network in use; null if the command failed before it was known'],
          ['data', 'the result: ferry schema <command> prints its JSON Schema'],
          ['warnings', 'the warnings that are also printed on stderr'],
          ['error.code', 'ferry help exit-codes lists them'],
          ['error.next', 'the command to type next, or null'],
          ['error.retryable', 'whether the same command can safely be repeated'],
          ['error.funds', 'untouched, in-flight, returned, held, delivered or unknown'],
        ],
      },
      'An error has run, requestId, txHash, httpStatus and trace if they are known. Token amounts are strings of digits in base units; a formatted field next to one is the same amount in whole tokens.',
    ],
    [
      'Streams',
      'Commands that follow a transfer (execute, resume, status --watch and others) print one line of JSON per event, with the schema ferry.event/1 and a type; ferry schema event prints the JSON Schema of each type. The last line is the envelope: tail -n 1 is the result.',
      'A batch prints an event of the type result for each of its lines, with id, ok, error, and data as the command would print it for that transfer alone. A ledger (--out) contains the same lines. An event of the type service says that the service has stopped answering or answers again, one of the type held-up which line holds back the results of later ones.',
    ],
    [
      'Schemas and fields',
      'With --fields, data has only the given fields; in a batch, this applies to the data of each line: requestId,minimum.amount. A field of a list selects that field of each member. --fields implies --json.',
      {
        lines: [
          'ferry schema quote',
          'ferry schema error',
          'ferry schema event',
          'ferry quote 100 alpha/usdc beta/usdc --json | jq .data',
        ],
      },
    ],
  ];
}
