/** What may be shown and trusted of a URL. RPC URLs carry keys in their path, query and user part. */

/** The origin, and an ellipsis where the URL says more: `https://rpc.example.org/…`. Never throws. */
export function redact(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)';
  const url = new URL(text);
  if (url.origin === 'null') return `${url.protocol}…`;
  const more = url.username || url.password || url.search || url.hash || url.pathname.length > 1;
  return more ? `${url.origin}/…` : url.origin;
}

/** Whether a URL stays on this machine. Such a URL is never sent through a proxy. */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost\.?$/.test(hostname);
}

/** The URL without what says who asks: the same place for everybody. What is no URL stays as it is. */
export function place(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** A base URL and a path under it, whether or not the base ends in a slash. */
export function join(base: string, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = '';
  url.hash = '';
  return url;
}

/** A text in which every part of the URL that may be a key is masked: user, password, path and query. */
export function conceal(text: string, url: string): string {
  if (!URL.canParse(url)) return text;
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  return parts.filter((part) => part.length >= 6).reduce((shown, part) => shown.replaceAll(part, '***'), text);
}
