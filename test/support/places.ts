/** Every value of an answer by its path, calldata by word: `steps.1.items.0.data.data:depositErc20.amount`. */

export type Place = { at: string; value: unknown };

/** Lists, objects and single values, outermost first. Calldata is listed whole and then by its words, as 64 digits. */
export function places(value: unknown, at = ''): Place[] {
  if (typeof value === 'object' && value !== null) {
    const inside = Object.entries(value).flatMap(([key, part]) => places(part, at === '' ? key : `${at}.${key}`));
    return at === '' ? inside : [{ at, value }, ...inside];
  }
  return [
    { at, value },
    ...(isCalldata(at, value) ? words(value) : []).map(({ name, word }) => ({ at: `${at}:${name}`, value: word })),
  ];
}

/** A copy with another value at a place. Undefined removes the key or the element. */
export function put(answer: unknown, at: string, value: unknown): unknown {
  const [path = '', word] = at.split(':');
  if (word === undefined) return replaced(answer, path.split('.'), () => value);
  return replaced(answer, path.split('.'), (data) => {
    const text = String(data);
    const index = words(text).findIndex(({ name }) => name === word);
    if (index < 0) throw new Error(`no ${word} in ${text}`);
    const from = 10 + 64 * index;
    return text.slice(0, from) + String(value) + text.slice(from + 64);
  });
}

/** The value at a path, which must not be that of a calldata word. */
export function get(answer: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], answer);
}

export function isCalldata(at: string, value: unknown): value is string {
  return /\.data\.data$/.test(at) && typeof value === 'string' && value.length >= 10;
}

/** The parameters of the functions without list parameters. */
const functions: Readonly<Record<string, readonly [string, ...string[]]>> = {
  '0x095ea7b3': ['approve', 'spender', 'amount'],
  '0xa9059cbb': ['transfer', 'to', 'amount'],
  '0x49290c1c': ['depositNative', 'depositor', 'id'],
  '0xe8017952': ['depositErc20', 'depositor', 'token', 'amount', 'id'],
  '0xd0e30db0': ['wrap'],
  '0x2e1a7d4d': ['unwrap', 'amount'],
  '0xcd6e13f7': ['multicall'],
  '0xf9e4bab4': ['transferAndMulticall'],
};

/** The words after the selector, named after the parameters if each word is one parameter. */
function words(data: string): { name: string; word: string }[] {
  const [name = 'unknown', ...parameters] = functions[data.slice(0, 10).toLowerCase()] ?? [];
  return (data.slice(10).match(/.{64}/g) ?? []).map((word, index) => ({
    name: `${name}.${parameters[index] ?? index}`,
    word,
  }));
}

function replaced(whole: unknown, [key = '', ...rest]: readonly string[], by: (value: unknown) => unknown): unknown {
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<string, unknown>;
  const value = rest.length > 0 ? replaced(copy[key], rest, by) : by(copy[key]);
  if (value !== undefined) copy[key] = value;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}
