import { describe, expect, test } from 'vitest';
import * as QuoteDocument from '../../../src/core/quote/QuoteDocument.js';
import { plain, type Style } from '../../../src/core/text/TerminalStyle.js';
import * as QuoteText from '../../../src/core/view/QuoteText.js';
import { intent, prove, quote } from '../../support/quoted.js';
import * as withdrawal from '../../support/withdrawal.js';

const tagged: Style = {
  ...plain,
  bold: (text) => `<b>${text}</b>`,
  dim: (text) => `<dim>${text}</dim>`,
  green: (text) => `<green>${text}</green>`,
  red: (text) => `<red>${text}</red>`,
};

async function document(...asked: Parameters<typeof intent>): Promise<QuoteDocument.QuoteDocument> {
  const read = await quote(intent(...asked));
  return QuoteDocument.from(read, await prove(read));
}

describe('format', () => {
  test('behavior: a swap, in color', async () => {
    const asked = await document('1', 'alpha/eth', 'beta/gull', { slippageBps: 50 });
    expect(QuoteText.format(asked, tagged)).toMatchSnapshot();
  });
  test('attack: a token that calls itself USDC is shown with its address, and only such a token', async () => {
    const asked = await document('100', 'alpha/usdc', 'beta/usdc');
    const address = '0x00000000000000000000000000000000000000fF';
    const destination = { ...asked.intent.destination, address };
    const receive = { ...asked.receive, currency: `beta/${address}` };
    const text = QuoteText.format({ ...asked, intent: { ...asked.intent, destination }, receive }, plain);
    expect(text.match(/^ *Token .*$/gm)).toEqual([`  Token      ${address}  calls itself USDC on beta`]);
    expect(QuoteText.format(asked, plain)).not.toContain('Token');
  });
  test('behavior: a withdrawal from the venue, which takes a fee and no gas', async () => {
    const read = withdrawal.quote('withdrawal');
    const text = QuoteText.format(QuoteDocument.from(read, await withdrawal.prove(read)), plain);
    expect(text).toMatch(/Venue fee +-\$2\.50 +-625\.0 +paid to the venue, not in the total/);
    expect(text).not.toContain('Origin gas');
  });
});
