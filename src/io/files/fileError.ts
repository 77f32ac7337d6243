/** Readable causes of file system errors, by code. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file may not grow so large here',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'part of the path is a file',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'symbolic links form a loop',
};

/** The cause of a file system error; its own message if the code is unknown. */
export function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  return reasons[code] ?? message;
}
