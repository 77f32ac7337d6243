import { describe, expect, test } from 'vitest';
import * as StatusSocket from '../../../../src/core/api/foreign/StatusSocket.js';
import { problems, withUnknownFields } from '../../../support/problems.js';

const id = `0x${'ab'.repeat(32)}`;

describe('order', () => {
  test('default: as documented', () => {
    const subscribe = { type: 'subscribe', event: 'request.status.updated', filters: { id } };
    expect(problems(StatusSocket.order, subscribe)).toEqual([]);
    expect(problems(StatusSocket.order, { ...subscribe, type: 'unsubscribe' })).toEqual([]);
    expect(problems(StatusSocket.order, { type: 'unsubscribe', event: 'request.status.updated' })).toEqual([]);
    expect(problems(StatusSocket.order, { ...subscribe, filters: {} })).toHaveLength(1);
    expect(problems(StatusSocket.order, { ...subscribe, event: 'top-bids' })).toHaveLength(1);
  });
});

describe('update', () => {
  test('default: the documented example', () => {
    const update = {
      event: 'request.status.updated',
      data: {
        status: 'pending',
        inTxHashes: ['5Mmr6W2xicDPW3QuNVYcEiyVTxxVSBZ39zMugn9ePkuvZKc9ask4p33i4c81HTVthNFab5oKRCshCK6a1tveUyN6'],
        txHashes: [],
        updatedAt: 1765989801294,
        originChainId: 792703809,
        destinationChainId: 8453,
        requestId: '0x0931cd6b5a77317ccfe2513d29309db748bbad68eeda9b1235f902622d2af43d',
      },
      publishedAt: 1765989801309,
    };
    expect(problems(StatusSocket.update, withUnknownFields(update))).toEqual([]);
    expect(problems(StatusSocket.update, { ...update, data: {} })).toHaveLength(7);
  });
});
