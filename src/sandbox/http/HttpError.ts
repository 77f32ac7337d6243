/** Error responses: an HTTP status with the documented body. */

export type Body = Readonly<Record<string, unknown>>;

/** Thrown to reject a request; the routes turn it into the response. */
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

export function toResponse({ status, body }: { status: number; body: Body }): Response {
  return Response.json(body, { status });
}

/** An error with a message and an error code, the form of the quote endpoint. */
export function codedError(status: number, errorCode: string, message: string, extra: Body = {}): HttpError {
  return new HttpError(status, { message, errorCode, ...extra });
}

export function messageError(status: number, message: string): HttpError {
  return new HttpError(status, { message });
}

/** An error of `/execute`, whose body has a single field. */
export function executeError(status: number, error: string): HttpError {
  return new HttpError(status, { error });
}

/** An error that the service's HTTP framework raises before the request reaches a route. */
export function frameworkError(statusCode: number, code: string, message: string): HttpError {
  return new HttpError(statusCode, { statusCode, code, error: reasons[statusCode] ?? 'Error', message });
}

export function routeNotFound(method: string, path: string): HttpError {
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
