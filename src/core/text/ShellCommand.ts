/** Formats ferry commands for a shell. */

/**
 * The command line that repeats a command.
 *
 * @param options values by camelCase name, as the user typed them; undefined and false are omitted
 */
export function from(name: string, args: readonly string[], options: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(options).flatMap(([key, value]): string[] => {
    const flag = flagName(key);
    if (value === true) return [flag];
    if (typeof value === 'string') return [flag, value];
    return Array.isArray(value) ? value.flatMap((each) => [flag, String(each)]) : [];
  });
  return ['ferry', ...name.split(' '), ...[...args, ...flags].map(word)].join(' ');
}

/** The flag of an option: `--max-impact` for `maxImpact`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Quotes a word for a shell if necessary. Between single quotes a backslash is nothing special to a POSIX shell, and to fish
 * it is: like a quote, it stands outside of them.
 */
export function word(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll(/['\\]/g, "'\\$&'")}'`;
}

/** A command to type next. What stands in it may be anybody's text and is quoted: a text as one word, a list as several. */
export function line(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | bigint | readonly string[])[]
): string {
  const quoted = values.map((value) =>
    [value]
      .flat()
      .map((each) => word(String(each)))
      .join(' '),
  );
  return texts.map((text, i) => `${text}${quoted[i] ?? ''}`).join('');
}
