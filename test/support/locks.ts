/** The texts of lock files of other processes. */
import * as lockRecord from '../../src/io/locks/lockRecord.js';
import * as processes from '../../src/io/locks/processes.js';

/** The lock of a process of this machine, without a socket; by default of the parent of this one. */
export function lockOf(identity = processes.identify(process.ppid) as processes.Identity): string {
  return JSON.stringify(lockRecord.handedTo(identity, '0123456789ab'));
}

/** The lock of a process that has died: this process's id with another start time. */
export function deadLock(): string {
  return lockOf({ ...processes.self(), startTime: '1' });
}

/** The lock of a process on another machine, which cannot be asked. */
export function lockElsewhere(): string {
  return JSON.stringify({
    ...JSON.parse(lockOf()),
    kernel: 'another',
    host: 'web-2',
    machine: 'another',
    hasSocket: true,
  });
}
