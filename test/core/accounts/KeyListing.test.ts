import { describe, expect, test } from 'vitest';
import * as KeyListing from '../../../src/core/accounts/KeyListing.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

const main = { name: 'main', address: '0x1111111111111111111111111111111111111111', path: '/keys/main', venue: null };

test('format', () => {
  expect(KeyListing.format(main, 'Made', plain)).toMatchInlineSnapshot(`
      "Made main
        address  0x1111111111111111111111111111111111111111
        file     /keys/main"
    `);
});

describe('formatList', () => {
  test('behavior: names the files of other tools, and how to import them', () => {
    const list = { folder: '/keys', keys: [], unnamed: ['/keys/my main.json'], development: [] };
    expect(KeyListing.formatList(list, plain)).toMatch(
      /key files whose names ferry does not take\nferry key import <name> --keystore '\/keys\/my main\.json'$/,
    );
  });

  test('behavior: a venue API key with its account, escaped', () => {
    const venue = { network: 'main\u001b[2Jnet', accountIndex: 5, apiKeyIndex: 4, publicKey: 'ab' };
    const key = { name: 'mine', address: null, path: '/keys/mine', venue };
    const keys = [main, { ...main, name: 'longer', address: null }, key];
    expect(KeyListing.formatList({ folder: '/keys', keys, development: [] }, plain)).toMatchInlineSnapshot(`
      "/keys
      main    0x1111111111111111111111111111111111111111
      longer  not in the file
      mine    slot 4 of venue account 5 on main\\x1b[2Jnet"
    `);
    expect(KeyListing.format(key, 'Imported', plain)).toMatchInlineSnapshot(`
      "Imported mine
        venue account  5, slot 4, on main\\x1b[2Jnet
        file           /keys/mine"
    `);
  });

  test('behavior: an empty folder', () => {
    const development = KeyListing.development().slice(0, 2);
    expect(KeyListing.formatList({ folder: '/keys', keys: [], development }, plain)).toMatchInlineSnapshot(`
      "/keys
      No keys yet. Create one with ferry key new main.

      development accounts, on the sandbox only
      dev0  0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
      dev1  0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
    `);
  });
});
