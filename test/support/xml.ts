/** A strict parser for the XML that ferry writes, without comments, custom entities or processing instructions. */

export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

/** Parses a document to its root element. @throws Error if it is not well-formed */
export function parse(source: string): Element {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these characters
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(source))
    throw new Error('a character');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [token, tag] of source.trim().matchAll(/<([^<>]*)>|[^<]+|</g)) {
    const at = open.at(-1);
    if (!at) throw new Error('after the end');
    if (tag === undefined) at.text += plain(token);
    else if (tag.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`closes ${tag}`);
    } else {
      const match = /^([A-Za-z][\w-]*)((?: [A-Za-z][\w-]*="[^"<]*")*)(\/?)$/.exec(tag);
      if (!match) throw new Error(`a tag: ${tag}`);
      const [, name = '', listed = '', closed] = match;
      const pairs = [...listed.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, plain(value)]);
      const attributes = Object.fromEntries(pairs) as Record<string, string>;
      if (Object.keys(attributes).length < pairs.length) throw new Error(`an attribute twice: ${tag}`);
      const element: Element = { name, attributes, children: [], text: '' };
      at.children.push(element);
      if (!closed) open.push(element);
    }
  }
  const [only, ...more] = root.children;
  if (open.length !== 1 || !only || more.length > 0 || root.text.trim()) throw new Error('not one element');
  return only;
}

/** All elements with a name, from an element down. */
export function all(element: Element, name: string): Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((each) => all(each, name))];
}

function plain(text: string): string {
  if (/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`not escaped: ${text}`);
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? '');
}
