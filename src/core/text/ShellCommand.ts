/** A command as it would be typed again. */

/** @param options by their camelCase names, as typed; undefined and false are left out */
export function from(name: string, args: readonly string[], options: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(options).flatMap(([key, value]): string[] => {
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    if (typeof value === 'string') return [flag, value];
    return Array.isArray(value) ? value.flatMap((each) => [flag, String(each)]) : [];
  });
  return ['ferry', ...name.split(' '), ...[...args, ...flags].map(word)].join(' ');
}

/** A word as a shell takes it, quoted where it has to be. */
export function word(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
