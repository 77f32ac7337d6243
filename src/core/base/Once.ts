/** Creates a value for each key on first use and caches it, but no failure: that is tried again. */
export function onceEach<K, T>(make: (key: K) => Promise<T>, most = Number.POSITIVE_INFINITY): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    if (known.size >= most) known.clear();
    known.set(key, found);
    found.catch(() => known.delete(key));
    return found;
  };
}

/** Creates a value on first use and caches it; a failure too. `made` is what was created, if anything was. */
export function once<T>(make: () => Promise<T>): { (): Promise<T>; made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  const of = (): Promise<T> => {
    made ??= make();
    return made;
  };
  return Object.assign(of, { made: () => made });
}
