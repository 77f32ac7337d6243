import { describe, expect, test } from 'vitest';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import * as RequestDocument from '../../../src/core/history/RequestDocument.js';
import { network } from '../../../src/core/network/sandbox.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as RequestText from '../../../src/core/view/RequestText.js';
import { read } from '../../support/recorded.js';

const records = (RequestsV3.response.parse(read('requests-v3')).requests as RequestsV3.Record[]).map((record) =>
  RequestDocument.fromV3(record, network),
);

const style = {
  ...plain,
  link: (text: string, url: string) => `[${text}](${url})`,
};

/** Text that a hostile service might return in any field. */
const evil = 'x\u001b[2J\u202e\n\u200b';

const hostile = RequestDocument.fromV3(
  {
    id: evil,
    status: evil,
    user: evil,
    recipient: evil,
    refundTo: evil,
    requestType: evil,
    features: [evil],
    supersededByRequestId: evil,
    data: {
      failReason: evil,
      refundFailReason: evil,
      failedTxHash: evil,
      referrer: evil,
      inTxs: [{ txHash: evil, chainId: 99, status: evil }],
      route: {
        quoted: {
          origin: { inputCurrency: { currency: { chainId: 313371, address: evil }, amountFormatted: evil } },
          destination: { outputCurrency: { currency: { chainId: 99, address: evil }, amount: evil.repeat(1000) } },
        },
      },
      fees: { quoted: { swap: { usd: evil }, execution: { usd: '-1' } } },
    },
    protocol: { orderId: evil },
  },
  network,
);

describe('line', () => {
  test('default: rows of a table', () => {
    expect(
      [RequestText.heading(plain), ...records.map((each) => RequestText.line(each, plain))].join('\n'),
    ).toMatchInlineSnapshot(`
      "Created (UTC)     Status      Funds      From                  To                    Request
      2026-09-21 14:13  success     delivered  100 alpha/usdc        99.967532 beta/usdc   0x17900000018235d7e54787c0819f4544368195a9cf6048ab93ed7c6471c8cab0
      2026-09-21 14:13  refund      returned   0.4 alpha/eth         996.358712 beta/usdc  0x1790000002c3e8ac6b91dc55c62609ecf39b8ee5998eba9b1a46d899af0871e0
      2026-09-21 14:13  success     delivered  200 alpha/usdc        199.97585 beta/usdt   0x17900000048193332ebadf2f8920a529ded00bca232fc0ea11aeb44b4e4a36f7"
    `);
  });

  test('behavior: a quote that nobody has paid is called one', () => {
    const quoted = RequestDocument.fromV3({ id: '0x1', status: 'waiting', data: {} }, network);
    expect(RequestText.line(quoted, plain)).toMatch(/^- +quoted +not paid /);
  });

  test('behavior: text of the service cannot control the terminal, whatever its length', () => {
    const text = RequestText.line(hostile, plain);
    expect(text).toMatch(/^[\x20-\x7e…]*$/);
    expect(text.length).toBeLessThan(400);
  });
});

describe('format', () => {
  test('default: a refund with everything', () => {
    expect(records[1] && RequestText.format(records[1], plain)).toMatchInlineSnapshot(`
      "Status       refund  the service reports the refund
      Funds        returned
      What         Crosschain Swap, app fees
      Sent         0.4 alpha/eth  $1000.00
      Quoted       996.358712 beta/usdc  $996.36
      Returned     0.3999 alpha/eth  $999.75
      Sender       0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
      Recipient    0x70997970C51812dc3A010C7d01b50e0d17dc79C8
      Refunds to   0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
      Reason       TOO_LITTLE_RECEIVED
      Failed       0x8f44d68b1a26169d304522fa2f95aa938d98120d628d1db5726120ca84e53b43
      Deposit      0xc8b86530ff883ec179ed58bc3fafd3b5feb245b566c0baa4565e602714f8ce22  alpha, block 88, 2026-09-21T14:13:24Z
      Refund       0xc28efeddb09188099b585ac6d4c376ca5bbb302dcaf1a4e71197e77975af76c1  alpha, block 96, 2026-09-21T14:13:30Z
      Fees quoted  -$3.64  execution -$0.0227, swap -$0.5186, platform -$0.6000, app -$2.50
      App fee      0xcd3B766CCDd6AE721141F452C550Ca635964ce71  25 bps, 0.001 ETH
      Referrer     sandbox-referrer
      Order        0xa1579d41acc2ee3b2c691ec910870fd239e560942538c519176c29f9c17cc142
      Request      0x1790000002c3e8ac6b91dc55c62609ecf39b8ee5998eba9b1a46d899af0871e0
      Created      2026-09-21T14:13:21.250Z
      Updated      2026-09-21T14:13:27.250Z"
    `);
  });

  test('behavior: links to the explorer', () => {
    const chains = network.chains.map((chain) => ({ ...chain, explorerUrl: 'https://explorer.example' }));
    const data = { inTxs: [{ txHash: '0xab', chainId: 313371 }] };
    const request = RequestDocument.fromV3({ id: '0x1', status: 'pending', data }, { ...network, chains });
    expect(RequestText.format(request, style)).toContain('[0xab](https://explorer.example/tx/0xab)');
  });

  test('behavior: text of the service cannot control the terminal', () => {
    expect(RequestText.format(hostile, plain)).toMatch(/^[\x20-\x7e\n…]*$/);
    expect(RequestText.format(hostile, plain).split('\n')).toHaveLength(17);
  });
});
