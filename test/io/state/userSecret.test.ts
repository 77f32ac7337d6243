import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as userSecret from '../../../src/io/state/userSecret.js';
import { temporaryFolder } from '../../support/ferry.js';
import { hostAt } from '../../support/hostAt.js';

describe('findOrMake', () => {
  test('default: made once, in a file that only this user can read', () => {
    const stateDir = join(temporaryFolder(), 'state');
    const host = hostAt(stateDir);
    expect(userSecret.find(host)).toBeUndefined();
    const made = userSecret.findOrMake(host);
    expect(statSync(userSecret.path(host)).mode & 0o777).toBe(0o600);
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    for (const again of [userSecret.findOrMake(host), userSecret.find(host)])
      expect([again?.id, again?.of('text')]).toEqual([made.id, made.of('text')]);
    expect(readdirSync(stateDir)).toEqual(['secret']);
    // The name tells nothing of the secret.
    expect(readFileSync(userSecret.path(host), 'utf8')).not.toContain(made.id);
  });

  test('behavior: of two that make it at once, the first wins', () => {
    const host = hostAt(temporaryFolder());
    let first: string | undefined;
    const late = {
      ...host,
      randomBytes: (length: number) => {
        first ??= userSecret.findOrMake(host).id;
        return new Uint8Array(length);
      },
    };
    expect(userSecret.findOrMake(late).id).toBe(first);
  });

  test('error: a secret that others can read, or that is none', () => {
    const host = hostAt(temporaryFolder());
    userSecret.findOrMake(host);
    chmodSync(userSecret.path(host), 0o640);
    expect(() => userSecret.find(host)).toThrow(expect.objectContaining({ code: 'state.untrusted' }));
    rmSync(userSecret.path(host));
    writeFileSync(userSecret.path(host), 'short', { mode: 0o600 });
    expect(() => userSecret.findOrMake(host)).toThrow(expect.objectContaining({ code: 'config.unreadable' }));
  });

  test('error: nowhere to write it', () => {
    expect(() => userSecret.findOrMake(hostAt('/proc/nowhere'))).toThrow(
      expect.objectContaining({ code: 'config.unwritable' }),
    );
  });
});
