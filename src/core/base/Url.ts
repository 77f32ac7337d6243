/** Redacts, compares and joins URLs. RPC URLs may carry keys in their path, query and user info. */

/** The origin of a URL, followed by an ellipsis if there is more: `https://rpc.example.org/…`. Never throws. */
export function redact(text: string): string {
  if (!URL.canParse(text)) return '(not a URL)';
  const url = new URL(text);
  if (url.origin === 'null') return `${url.protocol}…`;
  const more = url.username || url.password || url.search || url.hash || url.pathname.length > 1;
  return more ? `${url.origin}/…` : url.origin;
}

/** Whether a URL points to this machine. Such requests never go through a proxy. */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost\.?$/.test(hostname);
}

/** The URL without credentials, query and fragment. A text that is not a URL is returned unchanged. */
export function place(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

/** Appends a path to a base URL, with or without a trailing slash; drops the base's query and fragment. */
export function join(base: string, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = '';
  url.hash = '';
  return url;
}

/** Masks every part of `url` that may be a key (user, password, path, query) wherever it occurs in `text`. */
export function conceal(text: string, url: string): string {
  if (!URL.canParse(url)) return text;
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  return parts.filter((part) => part.length >= 6).reduce((shown, part) => shown.replaceAll(part, '***'), text);
}
