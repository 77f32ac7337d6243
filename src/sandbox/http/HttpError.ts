/** An answer that is not a success: its HTTP status and its documented body. */

export type Body = Readonly<Record<string, unknown>>;

/** Thrown wherever a request must be refused; the routes turn it into the answer. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  readonly body: Body;

  constructor(status: number, body: Body) {
    super(typeof body.message === 'string' ? body.message : `HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** A refusal in words and with a code, as the quote endpoint gives it. */
export function coded(status: number, errorCode: string, message: string, extra: Body = {}): HttpError {
  return new HttpError(status, { message, errorCode, ...extra });
}

/** A refusal in words alone. */
export function plain(status: number, message: string): HttpError {
  return new HttpError(status, { message });
}

/** A refusal of `/execute`: one field, and no other. */
export function bare(status: number, error: string): HttpError {
  return new HttpError(status, { error });
}

/** What the server itself refuses before a route sees the request. */
export function framework(statusCode: number, code: string, message: string): HttpError {
  return new HttpError(statusCode, { statusCode, code, error: reasons[statusCode] ?? 'Error', message });
}

/** No such route. */
export function unknownRoute(method: string, path: string): HttpError {
  return new HttpError(404, { message: `Route ${method}:${path} not found`, error: 'Not Found', statusCode: 404 });
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
};
