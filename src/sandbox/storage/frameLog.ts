/**
 * An append-only log of frames, in a file or in memory. A frame that a crash cut short is the last one and is dropped;
 * anything else that is not as it was written is damage.
 *
 * A frame is its length, the complement of its length, the checksum of its content, and the content. The complement
 * tells a length that was damaged from one whose content never arrived.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { BaseError } from '../../core/base/Errors.js';

export type FrameLog = {
  /** Bytes so far. */
  size(): number;
  /**
   * Appends a frame in one write and returns where it is.
   *
   * @throws StateFileError if it cannot be written; the log is then as before
   */
  append(content: Buffer): number;
  read(place: number): Buffer;
  /** Every frame, oldest first. A content is valid only until the next one. */
  frames(): Iterable<{ content: Buffer; place: number }>;
  /** @throws StateFileError if another process has written to it */
  close(): void;
};

/** Thrown if a log was changed by something other than appending. */
export class DamagedLogError extends Error {
  override name = 'DamagedLogError';
}

/** Bytes of a frame beside its content. */
export const headBytes = 12;
/** Read at once when a log is scanned, and for one frame. */
const chunkBytes = 4_194_304;
const frameBytes = 4_096;

/**
 * Opens the log at a path, which is created if it is missing. A last frame that is cut short is removed. After a write
 * that failed, which `onFailure` is told, nothing is written any more.
 *
 * @throws StateFileError · DamagedLogError
 */
export function open(path: string, onFailure: (error: StateFileError) => void = () => {}): FrameLog {
  let file: number;
  try {
    file = openSync(path, 'a+', 0o600);
  } catch (error) {
    throw new StateFileError(path, 'read', error);
  }
  let size = fstatSync(file).size;
  let failure: StateFileError | undefined;

  function written(work: () => void): void {
    if (failure) throw failure;
    try {
      if (fstatSync(file).size !== size) throw new Error('another process writes to it');
      work();
    } catch (error) {
      failure = new StateFileError(path, 'written', error);
      onFailure(failure);
      throw failure;
    }
  }

  function cut(to: number): void {
    ftruncateSync(file, to);
    size = to;
  }

  const log: FrameLog = {
    size: () => size,
    append(content) {
      const frame = Buffer.concat([headOf(content), content]);
      const place = size;
      written(() => {
        try {
          for (let done = 0; done < frame.length; ) done += writeSync(file, frame, done);
        } catch (error) {
          // A disk that is full can still be cut: the next start must not find half a frame.
          cut(place);
          throw error;
        }
        size += frame.length;
      });
      return place;
    },
    read(place) {
      let frame = bytesAt(file, place, frameBytes);
      if (frame.length === frameBytes && !isWhole(frame, path))
        frame = bytesAt(file, place, headBytes + frame.readUInt32LE(0));
      if (!isWhole(frame, path)) throw new DamagedLogError(`${path} is shorter than it was.`);
      return contentOf(frame, path);
    },
    frames: () => framesOf(file, path),
    close() {
      try {
        if (!failure) written(() => {});
      } finally {
        closeSync(file);
      }
    },
  };
  try {
    let end = 0;
    for (const { content, place } of log.frames()) end = place + headBytes + content.length;
    if (end < size) written(() => cut(end));
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return log;
}

/** Up to so many bytes from a position on. */
function bytesAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  for (let count = -1; count !== 0 && done < length; done += count)
    count = readSync(file, buffer, done, length - done, position + done);
  return buffer.subarray(0, done);
}

function* framesOf(file: number, path: string): Iterable<{ content: Buffer; place: number }> {
  let [start, chunk] = [0, bytesAt(file, 0, chunkBytes)];
  for (let place = 0; ; ) {
    let frame = chunk.subarray(place - start);
    if (!isWhole(frame, path)) {
      const wanted = frame.length < headBytes ? 0 : headBytes + frame.readUInt32LE(0);
      [start, chunk] = [place, bytesAt(file, place, Math.max(chunkBytes, wanted))];
      frame = chunk;
      if (!isWhole(frame, path)) return;
    }
    const content = contentOf(frame, path);
    yield { content, place };
    place += headBytes + content.length;
  }
}

/** A log that is gone with the process. A place is a number in the order of frames. */
export function inMemory(): FrameLog {
  const contents: Buffer[] = [];
  return {
    size: () => contents.reduce((sum, { length }) => sum + headBytes + length, 0),
    append: (content) => contents.push(Buffer.from(content)) - 1,
    read: (place) => contents[place] ?? Buffer.alloc(0),
    frames: () => contents.map((content, place) => ({ content, place })),
    close: () => {},
  };
}

function headOf(content: Buffer): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(content.length, 0);
  head.writeUInt32LE(~content.length >>> 0, 4);
  head.writeUInt32LE(crc32(content), 8);
  return head;
}

/** Whether bytes begin with a frame that has all of its content. @throws DamagedLogError */
function isWhole(bytes: Buffer, path: string): boolean {
  if (bytes.length < headBytes) return false;
  const length = bytes.readUInt32LE(0);
  if (bytes.readUInt32LE(4) !== ~length >>> 0) throw new DamagedLogError(`${path} is damaged.`);
  return bytes.length >= headBytes + length;
}

/** @throws DamagedLogError */
function contentOf(frame: Buffer, path: string): Buffer {
  const content = frame.subarray(headBytes, headBytes + frame.readUInt32LE(0));
  if (crc32(content) !== frame.readUInt32LE(8)) throw new DamagedLogError(`${path} is damaged.`);
  return content;
}

/** The failure to read or write a file of the sandbox's state. */
export class StateFileError extends BaseError {
  override name = 'StateFileError';
  constructor(path: string, what: 'read' | 'written', cause: unknown) {
    super('config.unwritable', `The state of the sandbox cannot be ${what}.`, {
      facts: [
        ['file', path],
        ['reason', cause instanceof Error ? cause.message : String(cause)],
      ],
      hint:
        what === 'written'
          ? 'The sandbox ends. What it has answered so far is kept; what fails with this error is not. ' +
            'Free some space, then start it again.'
          : 'Remove it to start with an empty sandbox.',
      next: what === 'written' ? 'ferry sandbox start' : 'ferry sandbox reset --yes',
      cause,
    });
  }
}
