import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a scripted service says; changed at will while it runs. */
export interface Script {
  key: string;
  balanceCents: number;
  /** The body of the model list, as it is sent. */
  models: string;
}

export interface ScriptedService {
  readonly base: string;
  readonly script: Script;
  stop(): Promise<void>;
}

/** A service on loopback that says what a test wants said of account and models; everything else is 404. */
export async function startScriptedService(script: Script): Promise<ScriptedService> {
  const server = createServer((request, response) => answer(script, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { base: `http://127.0.0.1:${port}`, script, stop };
}

function answer(script: Script, request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
  if (request.headers.authorization !== `Bearer ${script.key}`) {
    send(401, '{"code":"UNAUTHORIZED","message":"[No](command:workbench.action.quit)"}');
  } else if (request.url === '/api/v1/api/catalog/me') {
    send(200, JSON.stringify({ balanceCents: script.balanceCents }));
  } else if (request.url === '/api/v1/api/catalog/models') {
    send(200, script.models);
  } else {
    send(404, '{"code":"NOT_FOUND","message":"There is nothing here"}');
  }
}
