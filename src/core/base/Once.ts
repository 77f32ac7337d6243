/** Creates a value on first use and caches it; a failure too. `made` is what was created, if anything was. */
export function once<T>(make: () => Promise<T>): { (): Promise<T>; made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  const of = (): Promise<T> => {
    made ??= make();
    return made;
  };
  return Object.assign(of, { made: () => made });
}
