/** A command as it would be typed again. */

/** @param options by their camelCase names, as typed; undefined and false are left out */
export function from(name: string, args: readonly string[], options: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(options).flatMap(([key, value]): string[] => {
    const flag = flagName(key);
    if (value === true) return [flag];
    if (typeof value === 'string') return [flag, value];
    return Array.isArray(value) ? value.flatMap((each) => [flag, String(each)]) : [];
  });
  return ['ferry', ...name.split(' '), ...[...args, ...flags].map(word)].join(' ');
}

/** The flag of an option: `--max-impact` of `maxImpact`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A word as a shell takes it, quoted where it has to be. */
export function word(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
