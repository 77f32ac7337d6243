/** XML as text, everything in it escaped. */

/** Markup that is whole and escaped: only this file makes it. */
export type Node = string & { readonly xml: true };

type Attributes = Readonly<Record<string, string | number>>;

/** An element around a text, which is escaped, or around other elements. */
export function element(name: string, attributes: Attributes, content: string | readonly Node[] = []): Node {
  const inner = typeof content === 'string' ? escape(content) : content.join('');
  const tag = `${name}${format(attributes)}`;
  return (inner === '' ? `<${tag}/>` : `<${tag}>${inner}</${name}>`) as Node;
}

/** A text as it may stand between tags and within quotes; what XML cannot hold becomes a replacement character. */
// biome-ignore lint/suspicious/noShadowRestrictedNames: the global of that name is a relic that nobody calls
export function escape(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Control characters but tab and line ends, lone surrogates and the two that are no characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not stand in XML
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Numbers with at most two decimals. */
function format(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escape(value)}"`)
    .join('');
}
