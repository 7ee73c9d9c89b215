/** A request that a login is about to send. */
interface LoginRequest {
  readonly url: URL;
}

/** A login of Google's own clients. */
export interface GoogleLogin {
  readonly transporter: {
    readonly interceptors: {
      readonly request: {
        add(interceptor: { resolved(request: LoginRequest): Promise<LoginRequest> }): unknown;
      };
    };
  };
}

const tokenUrl = 'https://oauth2.googleapis.com/token';

/** Sends a login's requests for access tokens to `url`. The login of a service account has no setting for this address. */
export function redirectTokens({ transporter }: GoogleLogin, url: string): void {
  transporter.interceptors.request.add({
    resolved: (request) =>
      Promise.resolve(request.url.href === tokenUrl ? { ...request, url: new URL(url) } : request),
  });
}
