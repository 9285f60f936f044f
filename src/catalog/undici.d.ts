// The parts of undici's inner modules that the transport uses, which have no types.

declare module 'undici/lib/dispatcher/agent.js' {
  import type { AgentOptions, Dispatcher } from 'undici/lib/dispatcher/dispatcher.js';
  const Agent: new (options: AgentOptions) => Dispatcher;
  export default Agent;
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type { AgentOptions, Dispatcher } from 'undici/lib/dispatcher/dispatcher.js';
  const ProxyAgent: new (
    options: AgentOptions & {
      /** Its scheme is http, https, or socks5. */
      uri: string;
      /** The value of `Proxy-Authorization`. */
      token?: string;
      proxyTls?: { rejectUnauthorized: boolean };
    },
  ) => Dispatcher;
  export default ProxyAgent;
}

declare module 'undici/lib/api/api-request.js' {
  import type { Readable } from 'node:stream';
  import type { Dispatcher, RequestOptions } from 'undici/lib/dispatcher/dispatcher.js';
  interface Answered {
    statusCode: number;
    headers: Record<string, string | string[] | undefined>;
    body: Readable;
  }
  /** A method for dispatchers. */
  function request(this: Pick<Dispatcher, 'dispatch'>, options: RequestOptions): Promise<Answered>;
  export default request;
}

declare module 'undici/lib/api/api-connect.js' {
  /** A method for dispatchers, which only undici itself calls. */
  const connect: unknown;
  export default connect;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  export interface AgentOptions {
    /** 0 is none; ms. */
    headersTimeout: number;
    bodyTimeout: number;
  }
  export interface RequestOptions {
    origin: string;
    path: string;
    method: string;
    headers: Readonly<Record<string, string>>;
    body?: Uint8Array;
    signal: AbortSignal;
  }
  /** The callbacks of a request that the transport follows. */
  export interface Handler {
    /** The connection is open. Unless this calls `abort`, the bytes are written in the same step. */
    onConnect(abort: (reason: unknown) => void, context: unknown): void;
    onHeaders(...facts: [status: number, headers: unknown, resume: () => void, statusText: string]): boolean;
    /** False asks to pause. */
    onData(chunk: Uint8Array): boolean;
    onComplete(trailers: unknown): void;
    onError(error: unknown): void;
  }
  export interface Dispatcher {
    dispatch(options: RequestOptions, handler: Handler): boolean;
    /** Resolves when the requests in progress have ended. */
    close(): Promise<void>;
    destroy(): Promise<void>;
  } /** The class all dispatchers extend. */
  const DispatcherClass: { prototype: object };
  export default DispatcherClass;
}
