/**
 * An append-only log of frames, in a file or in memory. A frame that a crash cut short is the last one and is dropped;
 * anything else that is not as it was written is damage.
 *
 * A frame is its length, the complement of its length, the checksum of its content, and the content. The complement
 * tells a length that was damaged from one whose content never arrived.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { StateFileError } from './StateFileError.js';
import { open as openScratch, type ScratchFile } from './scratchFile.js';

export type FrameLog = {
  /** Bytes so far. */
  size(): number;
  /**
   * Appends a frame in one write and returns the offset of its content.
   *
   * @throws StateFileError if it cannot be written; the log is then as before
   */
  append(content: Buffer): number;
  /** Reads content back. */
  read(offset: number, length: number): Buffer;
  /** Every frame, oldest first. A content is valid only until the next one. */
  frames(): Iterable<Frame>;
  /** A new scratch file beside the log, which closes it; undefined if the log is in memory, or where there can be none. */
  scratch(): ScratchFile | undefined;
  /** @throws StateFileError if another process has written to it */
  close(): void;
};

export type Frame = { content: Buffer; offset: number };

/** Thrown if a log was changed by something other than appending. */
export class DamagedLogError extends Error {
  override name = 'DamagedLogError';
}

const headBytes = 12;
/** Read at once when a log is scanned. */
const chunkBytes = 4_194_304;
/** A memory log grows by blocks of this size. */
const blockBytes = 1_048_576;

/** Bytes of a frame beside its content. */
export const overheadBytes = headBytes;

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
  const log = createFileLog(path, file, onFailure);
  try {
    let end = 0;
    for (const { content, offset } of log.frames()) end = offset + content.length;
    if (end < log.size()) log.truncate(end);
  } catch (error) {
    log.close();
    throw error;
  }
  return log;
}

function createFileLog(
  path: string,
  file: number,
  onFailure: (error: StateFileError) => void,
): FrameLog & { truncate(size: number): void } {
  let size = fstatSync(file).size;
  let failure: StateFileError | undefined;
  const scratches: ScratchFile[] = [];

  function fail(cause: unknown): StateFileError {
    failure = new StateFileError(path, 'written', cause);
    onFailure(failure);
    return failure;
  }

  function truncate(to: number): void {
    try {
      ftruncateSync(file, to);
      size = to;
    } catch (error) {
      throw new StateFileError(path, 'written', error);
    }
  }

  function fill(buffer: Buffer, position: number): number {
    let done = 0;
    while (done < buffer.length) {
      const count = readSync(file, buffer, done, buffer.length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  return {
    size: () => size,
    append(content) {
      if (failure) throw failure;
      if (fstatSync(file).size !== size) throw fail(new Error('another process writes to it'));
      const frame = Buffer.concat([headOf(content), content]);
      try {
        for (let done = 0; done < frame.length; ) done += writeSync(file, frame, done);
      } catch (error) {
        // A disk that is full can still be cut: the next start must not find half a frame.
        ftruncateSync(file, size);
        throw fail(error);
      }
      size += frame.length;
      return size - content.length;
    },
    read(offset, length) {
      const content = Buffer.allocUnsafe(length);
      if (fill(content, offset) < length) throw new DamagedLogError(`${path} is shorter than it was.`);
      return content;
    },
    *frames() {
      let buffer = Buffer.allocUnsafe(chunkBytes);
      let start = 0;
      let length = 0;
      const have = (from: number, count: number): boolean => {
        if (from + count <= start + length) return true;
        if (count > buffer.length) buffer = Buffer.allocUnsafe(count);
        start = from;
        length = fill(buffer, from);
        return count <= length;
      };
      for (let at = 0; have(at, headBytes); ) {
        const head = buffer.subarray(at - start, at - start + headBytes);
        const bytes = lengthIn(head, path);
        const sum = head.readUInt32LE(8);
        if (!have(at + headBytes, bytes)) return;
        const offset = at + headBytes;
        const content = buffer.subarray(offset - start, offset - start + bytes);
        if (crc32(content) !== sum) throw new DamagedLogError(`${path} is damaged at byte ${at}.`);
        at = offset + bytes;
        yield { content, offset };
      }
    },
    truncate,
    scratch() {
      const scratch = openScratch(`${path}.scratch`);
      if (scratch) scratches.push(scratch);
      return scratch;
    },
    close() {
      for (const scratch of scratches.splice(0)) scratch.close();
      const isOwn = fstatSync(file).size === size;
      closeSync(file);
      if (!failure && !isOwn) throw fail(new Error('another process writes to it'));
    },
  };
}

/** A log that is gone with the process. */
export function inMemory(): FrameLog {
  const blocks: { start: number; bytes: Buffer; used: number }[] = [];
  const order: { offset: number; length: number }[] = [];
  let size = 0;

  /** The last block that starts at or before an offset. */
  function blockAt(offset: number): { start: number; bytes: Buffer } {
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((blocks[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const block = blocks[low];
    if (!block) throw new DamagedLogError('The log is empty.');
    return block;
  }

  const read = (offset: number, length: number): Buffer => {
    const { start, bytes } = blockAt(offset);
    return bytes.subarray(offset - start, offset - start + length);
  };

  return {
    size: () => size,
    append(content) {
      let block = blocks.at(-1);
      if (!block || block.used + content.length > block.bytes.length) {
        block = { start: size, bytes: Buffer.allocUnsafe(Math.max(blockBytes, content.length)), used: 0 };
        blocks.push(block);
      }
      const offset = block.start + block.used;
      content.copy(block.bytes, block.used);
      block.used += content.length;
      size = offset + content.length;
      order.push({ offset, length: content.length });
      return offset;
    },
    read,
    *frames() {
      for (const { offset, length } of order) yield { content: read(offset, length), offset };
    },
    scratch: () => undefined,
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

function lengthIn(head: Buffer, path: string): number {
  const length = head.readUInt32LE(0);
  if (head.readUInt32LE(4) !== ~length >>> 0) throw new DamagedLogError(`${path} is damaged.`);
  return length;
}
