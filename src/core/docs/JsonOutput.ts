/** `ferry help json`: the envelopes that --json prints. */
import type { Document } from './HelpDocument.js';

/** What a success looks like. */
const success = '{"schema":"ferry.config-get/1","ok":true,"network":"sandbox","data":{…},"warnings":[]}';

/** What a failure looks like, line by line. */
const failure = [
  '{"schema":"ferry.error/1","ok":false,"network":"sandbox","error":{',
  '  "code":"service.unreachable","message":"…","facts":{…},',
  '  "hint":"…","next":"ferry sandbox start",',
  '  "retryable":true,"funds":"untouched","exit":3}}',
];

export function document(): Document {
  return [
    {
      title: 'JSON',
      blocks: [
        {
          text: 'With --json, stdout is one document on one line, whether the command succeeds, fails or was mistyped; nothing else is ever written there. The exit code is the same as without.',
        },
        { lines: [success] },
        { text: 'A failure, here on several lines:' },
        { lines: failure },
        {
          terms: [
            ['schema', 'which document it is; the number rises when something in it changes its meaning'],
            ['network', 'the network in use; null where the failure came before it was known'],
            ['data', 'the result: ferry schema <command> prints its JSON Schema'],
            ['warnings', 'what stderr says as well'],
            ['error.code', 'ferry help exit-codes lists them'],
            ['error.next', 'the command to type next, or null'],
            ['error.retryable', 'whether the same command may simply be repeated'],
            ['error.funds', 'untouched, in-flight, returned, held, delivered or unknown'],
          ],
        },
        {
          text: 'run, requestId, txHash, httpStatus and trace stand in an error where they are known. Amounts of tokens are strings of digits in base units; formatted beside one is the same in units of the token.',
        },
      ],
    },
    {
      title: 'Streams',
      blocks: [
        {
          text: 'Commands that follow something (execute, resume, status --watch and others) print a line of JSON for each thing that happens, with the schema ferry.event/1 and a type; ferry schema event prints the JSON Schema of each type. The last line is the envelope: tail -n 1 is the result.',
        },
        {
          text: 'A batch prints such a line of the type result for each of its lines: id, ok, data as the command alone would have given it, and error. A ledger (--out) holds the same lines.',
        },
      ],
    },
    {
      title: 'Schemas and fields',
      blocks: [
        {
          text: 'With --fields, data has the named fields alone, in a batch the data of each line: requestId,minimum.amount. A field of a list is that of each of its members. --fields is JSON without --json.',
        },
        {
          lines: [
            'ferry schema quote',
            'ferry schema error',
            'ferry schema event',
            'ferry quote 100 alpha/usdc beta/usdc --json | jq .data',
          ],
        },
      ],
    },
  ];
}
