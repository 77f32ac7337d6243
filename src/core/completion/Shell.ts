/** The shells that completion supports. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

export function isShell(text: string | undefined): text is Shell {
  return (shells as readonly (string | undefined)[]).includes(text);
}
