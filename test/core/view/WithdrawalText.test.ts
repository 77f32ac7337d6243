import { expect, test } from 'vitest';
import * as OutcomeDocument from '../../../src/core/execution/OutcomeDocument.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as WithdrawalText from '../../../src/core/view/WithdrawalText.js';
import * as WithdrawalChecks from '../../../src/core/withdrawal/WithdrawalChecks.js';
import { signed } from '../../support/venue.js';
import { plan } from '../../support/withdrawal.js';

const usdc = (formatted: string) => ({ amount: `${formatted}000000`, formatted });
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const account = { index: 281474976710001, wallet, before: usdc('80'), after: null };

test('default: delivered', async () => {
  const own = await plan();
  const outcome = OutcomeDocument.from(own, {
    requestId: own.requestId,
    status: 'sent',
    progress: undefined,
    transactions: [{ action: 'transfer', txHash: 'ab'.repeat(40), gasUsed: 0n, gasCost: 0n }],
    gasCost: own.transfer.usdcFee,
    spent: own.quote.input,
    received: undefined,
    witnesses: [],
    elapsedMs: 1_234,
  });
  const text = WithdrawalText.format({ ...outcome, account: { ...account, after: usdc('37') }, signed: null }, plain);
  expect(text).toMatchInlineSnapshot(`
      "→ Sent, not followed. Next: ferry status 0x1790000006bc62d0e92f9ccc28ff3a64ebec9d94fe1d9704ac932bce3c94183b --watch
        Spent     40 lighter/usdc
        Expected  at least 39.174039 beta/usdc
        Fee       2.5 lighter/usdc
        Transfer  abababababababababababababababababababababababababababababababababababababababab
        Paid by   venue account 281474976710001
        Request   0x1790000006bc62d0e92f9ccc28ff3a64ebec9d94fe1d9704ac932bce3c94183b
        Account  281474976710001 of wallet 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        Before   80 USDC
        After    37 USDC"
    `);
});

test('behavior: signed but not sent, with the transfer on a separate line', async () => {
  const own = {
    ...WithdrawalChecks.toSigned(await signed({}, { expiredAtMs: 1_795_187_183_228 })),
    txInfo: '{"a":1}',
  };
  const document = OutcomeDocument.fromSigned(await plan());
  expect(WithdrawalText.format({ ...document, account, signed: own }, plain)).toMatchInlineSnapshot(`
      "Signed, not sent.
      {"a":1}
        Transaction       1df66d618589da592e5699878728a07c681969a3e285bc7f8e2615bcb08eddf108c289499ce6080d
        Public key        50e67f647288949b7678d2831da276ef81d68749bb88e984ca4ac30a00a98dff7e142403d2f47565
        Signing chain id  313373
        Valid until       2026-11-20T15:06:23.228Z"
    `);
});
