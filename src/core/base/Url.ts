/** Redacts, compares and joins URLs. RPC URLs may carry keys in their path, query and user info. */
import * as Redaction from './Redaction.js';

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

/**
 * The parts of a URL that are secret wherever they occur: the password, alone and with its user name, a user name
 * without a password, and what looks like a key in the path and the query. A proxy may lack a scheme.
 */
export function secrets(text: string): string[] {
  const parts = partsOf(text.includes('://') ? text : `http://${text}`);
  if (!parts) return [];
  const { user, password, path, query } = parts;
  const pair = `${user}:${password}`;
  // A server may repeat the whole header, which says what even a very short password is.
  const basic = user || password ? [pair, `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`] : [];
  return [...basic, password || user, ...[...path, ...query].filter((part) => keyLike.test(part))].filter(
    (part) => part !== '',
  );
}

/** Letters and digits, too long for a word. */
const keyLike = /^(?=.*\d)(?=.*[a-z])[^\s]{16,}$/i;

/** Masks every part of `url` that may be a key (user, password, path, query) wherever it occurs in `text`. */
export function conceal(text: string, url: string): string {
  const parts = partsOf(url);
  if (!parts) return text;
  const { user, password, path, query } = parts;
  return Redaction.of([...secrets(url), user, password, ...path, ...query])(text);
}

type UrlParts = { user: string; password: string; path: readonly string[]; query: readonly string[] };

/** The decoded parts. Undefined if the text is not a URL. */
function partsOf(text: string): UrlParts | undefined {
  if (!URL.canParse(text)) return undefined;
  const { username, password, pathname, searchParams } = new URL(text);
  return {
    user: decoded(username),
    password: decoded(password),
    path: pathname.split('/').map(decoded),
    // A key may stand there alone, as a name without a value.
    query: [...searchParams].map(([name, value]) => value || name),
  };
}

/** The text of a part of a URL, which may have been written without its escapes. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The same place by WebSocket: `ws` for `http`, `wss` for `https`. */
export function webSocket(url: string): string {
  return new URL(url.replace(/^http/i, 'ws')).href;
}
