import { describe, expect, test } from 'vitest';
import * as SignatureItem from '../../../../src/core/api/schema/SignatureItem.js';
import * as Step from '../../../../src/core/api/schema/Step.js';
import { decode, problems } from '../../../support/problems.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { read } from '../../../support/recorded.js';

function recordedData(name: string, index: number): unknown {
  const { steps } = read(name) as { steps: Step.Step[] };
  return steps[index]?.items[0]?.data;
}

const permit2 = () => structuredClone(recordedData('quote-permit-permit2', 1)) as SignatureItem.Signing;

function typedData(): SignatureItem.TypedData {
  const { sign } = permit2();
  if (sign.signatureKind !== 'eip712') throw new Error('recorded permit is no typed data');
  return sign;
}

describe('schema', () => {
  test('behavior: the chain id of a domain may be a number or digits', () => {
    const sign = typedData();
    expect(problems(SignatureItem.eip712, { ...sign, domain: { ...sign.domain, chainId: '313371' } })).toEqual([]);
    expect(problems(SignatureItem.eip712, { ...sign, domain: { ...sign.domain, chainId: 'alpha' } })).toEqual([
      'domain.chainId: expected a string of digits',
    ]);
  });

  test('behavior: reports unknown fields of what is signed', () => {
    const sign = typedData();
    const odd = { ...sign, hash: '0x', domain: { ...sign.domain, chain: 1 } };
    expect(problems(SignatureItem.schema, { sign: odd, memo: '' })).toEqual([
      'sign.domain.chain: unknown field',
      'sign.hash: unknown field',
      'memo: unknown field',
    ]);
  });
});

describePublished('published signature steps', () => {
  test.each(['step-signature-eip191.json', 'step-signature-eip712.json'])('default: %s', (name) => {
    const step = decode(Step.schema, readPublished(name));
    expect(Step.kindOf(step)).toBe('signature');
    expect(problems(SignatureItem.schema, step.items[0]?.data)).toEqual([]);
  });
});
