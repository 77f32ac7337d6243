/** XML elements as text, with all content escaped. */

/** Complete, escaped markup; only `element` creates it. */
export type Node = string & { readonly xml: true };

type Attributes = Readonly<Record<string, string | number>>;

/** An element that contains a text, which is escaped, or other elements. */
export function element(name: string, attributes: Attributes, content: string | readonly Node[] = []): Node {
  const inner = typeof content === 'string' ? escape(content) : content.join('');
  const tag = `${name}${format(attributes)}`;
  return (inner === '' ? `<${tag}/>` : `<${tag}>${inner}</${name}>`) as Node;
}

/** Escapes a text for content and attributes; characters that XML forbids become U+FFFD. */
// biome-ignore lint/suspicious/noShadowRestrictedNames: the global of this name is deprecated and unused
function escape(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Control characters except tab and line ends, lone surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these characters
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Formats attributes; numbers are rounded to two decimals. */
function format(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escape(value)}"`)
    .join('');
}
